// Entry of the invitation page: a QR code and a link for players, for watchers and for the TV page. For players only.

import { isLoopback } from "../../components/setup/invitation.js";
import { fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage, gettextNoop, loadCatalogue, withLanguage } from "../../core/i18n.js";

/** @typedef {{ player: string, watcher: string, tv: string, table?: string }} Addresses */

const INVITATIONS = /** @type {const} */ ([
  ["player", gettextNoop("To play"), gettextNoop("Anyone with this link can play. Share it only with players.")],
  ["watcher", gettextNoop("To watch"), gettextNoop("Anyone with this link can watch, but cannot change anything.")],
  ["tv", gettextNoop("TV view"), gettextNoop("The table in large type, for a TV or a tablet.")],
  ["table", gettextNoop("For the other table"), gettextNoop("Send this link to your friend only: it is the secret of your remote game.")],
]);
const el = findElement(document, "[data-invite]");
const alert = findElement(document, "[role=alert]");
let isConfirming = false;
const REFRESH_MS = 5000;
let codeVersion = 0;
let drawn = "";

onButtonClick(el, async ({ copy, renew }) => {
  if (copy) await navigator.clipboard?.writeText(copy).catch(() => {});
  if (renew === undefined) return;
  if (isConfirming) await renewLinks();
  isConfirming = !isConfirming;
  draw(await fetchApiOrNull("/api/invite"));
});

async function renewLinks() {
  const reply = await fetch(withLanguage("/api/invite/renew"), { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  alert.textContent = reply.ok ? formatMessage("The links are new. The old ones no longer work.") : (await reply.json()).error;
  codeVersion += 1;
}

/** Draw the invitations; without rights, how to join. @param {(Addresses & { others: Addresses[] }) | null} addresses */
async function draw(addresses) {
  if (addresses) {
    drawn = JSON.stringify(addresses);
    return morphHtml(el, reachHint(addresses) + INVITATIONS.map((whom) => invitationCard(whom, addresses[whom[0]])).join("") + otherAddresses(addresses.others) + renewalSection());
  }
  const me = await fetchApiOrNull("/api/me");
  return morphHtml(el, `<p>${escapeHtml(me?.how_to_join ?? formatMessage("The table does not answer. Try again later."))}</p>`);
}

/** Draw the invitations again when the table has another address, as after a change of its network. */
async function refresh() {
  const addresses = document.hidden ? null : await fetchApiOrNull("/api/invite");
  if (!drawn || !addresses || JSON.stringify(addresses) === drawn) return;
  codeVersion += 1;
  draw(addresses);
}

/** Return a sentence if only this machine can open the links. @param {Addresses} addresses */
const reachHint = ({ player }) => (isLoopback(player) ? `<p data-unreachable>${formatMessage("Phones cannot reach the table now, because it has no network. The links here change as soon as it has one.")}</p>` : "");

/**
 * Return the section of an invitation; nothing without a link. Players are usually invited, so only their code is shown at once.
 * @param {(typeof INVITATIONS)[number]} whom
 * @param {string | undefined} link
 */
function invitationCard([whom, name, what], link) {
  if (!link) return "";
  const code = `<img src="/api/invite.svg?for=${whom}&amp;n=${codeVersion}" loading="lazy" alt="${formatMessage("{name}: QR code", { name: formatMessage(name) })}" width="240" height="240">`;
  return `<section class="invite"><h2>${formatMessage(name)}</h2><p>${formatMessage(what)}</p>
    ${whom === "player" ? code : `<details class="word"><summary>${formatMessage("Show the code")}</summary>${code}</details>`}
    <p><a data-link="${whom}" href="${escapeHtml(link)}">${escapeHtml(link)}</a></p></section>`;
}

/** @param {Addresses[]} others */
const otherAddresses = (others) => (others.length ? `<section><h2>${formatMessage("Also at")}</h2>${others.map(({ watcher }) => `<p>${escapeHtml(watcher)}</p>`).join("")}</section>` : "");

const renewalSection = () => `<section><h2>${formatMessage("New links")}</h2><p>${formatMessage("The old player links stop working, and every player's phone except this one can only watch.")}</p>
  <button type="button" class="button" data-renew aria-pressed="${isConfirming}">${isConfirming ? formatMessage("Tap again to make new links") : formatMessage("Make new links")}</button></section>`;

loadCatalogue().then(async () => {
  draw(await fetchApiOrNull("/api/invite"));
  setInterval(refresh, REFRESH_MS);
});
