// Who may come in: a code and a link for players, for watchers and for the room's screen. Players only.

import { ask } from "../core/api.js";
import { fill, find, pressed, safe } from "../core/dom.js";
import { inLanguage, learnWords, phrase, say } from "../core/i18n.js";

/** @typedef {{ player: string, watcher: string, tv: string }} Addresses */

const WHOM = /** @type {const} */ ([
  ["player", phrase("To play"), phrase("Whoever opens this may move: hold it out to friends only.")],
  ["watcher", phrase("To watch"), phrase("Whoever opens this sees the table and can change nothing.")],
  ["tv", phrase("For the room's screen"), phrase("The table large, for a television or a tablet on the shelf.")],
]);
const el = find(document, "[data-invite]");
const alert = find(document, "[role=alert]");
let sure = false;
let codes = 0;

pressed(el, async ({ copy, renew }) => {
  if (copy) await navigator.clipboard?.writeText(copy).catch(() => {});
  if (renew === undefined) return;
  if (sure) await renewed();
  sure = !sure;
  draw(await ask("/api/invite"));
});

async function renewed() {
  const reply = await fetch(inLanguage("/api/invite/renew"), { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  alert.textContent = reply.ok ? say("The links are new. Older ones let nobody in.") : (await reply.json()).error;
  codes += 1;
}

/** @param {(Addresses & { others: Addresses[] }) | null} told */
async function draw(told) {
  if (told) return fill(el, WHOM.map((whom) => card(told, whom)).join("") + others(told.others) + renewal());
  const me = await ask("/api/me");
  return fill(el, `<p>${safe(me?.how_to_join ?? say("The table does not answer just now."))}</p>`);
}

/**
 * @param {Addresses} told
 * @param {(typeof WHOM)[number]} whom
 */
const card = (told, [whom, name, what]) => `<section class="invite"><h2>${say(name)}</h2><p>${say(what)}</p>
  <img src="/api/invite.svg?for=${whom}&amp;n=${codes}" alt="${say("{name}: a code for a phone's camera", { name: say(name) })}" width="240" height="240">
  <p><a data-link="${whom}" href="${safe(told[whom])}">${safe(told[whom])}</a></p></section>`;

/** @param {Addresses[]} told */
const others = (told) => (told.length ? `<section><h2>${say("Also at")}</h2>${told.map(({ watcher }) => `<p>${safe(watcher)}</p>`).join("")}</section>` : "");

const renewal = () => `<section><h2>${say("New links")}</h2><p>${say("Then the links for players that are out there let nobody in any more, and every player's phone but this one watches.")}</p>
  <button type="button" class="button" data-renew aria-pressed="${sure}">${sure ? say("Tap again to make new links") : say("Make new links")}</button></section>`;

learnWords().then(async () => draw(await ask("/api/invite")));
