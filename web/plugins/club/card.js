// Entry of a player's own scorecard, which the code in the address opens.

import { createDialog } from "../../components/dialog.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage, formatPlural, loadCatalogue, withLanguage } from "../../core/i18n.js";
import { findPart, showError } from "./archive.js";
import { handView } from "./duplicate_views.js";
import { closeUnlessRefused, fieldText, findDialog, onSubmit, postChange } from "./forms.js";
import { ownLines } from "./tournament_views.js";

const POLL_MS = 10_000;
/** Interval while the other player's discard is awaited. */
const HAND_POLL_MS = 2000;
const query = new URLSearchParams(location.search);
const [event, code] = [Number(query.get("event")), query.get("code") ?? ""];

/** @type {any} */
let card = null;
/** @type {any} */
let hand = null;
/** Cards of the hand that are chosen for the crib, or have been played.
 *  @type {string[]} */
let marked = [];
/** Number of changes that were answered. An answer to a poll from before the newest of them is ignored. */
let changes = 0;

/** @param {any} newest */
function draw(newest) {
  card = newest;
  findPart("player").textContent = `${card.player} · ${card.event.name}`;
  findPart("total").textContent = [
    formatPlural("{n} game point", "{n} game points", card.points), formatPlural("{n} game won", "{n} games won", card.won),
    formatMessage("spread {spread}", { spread: card.spread > 0 ? `+${card.spread}` : card.spread }),
  ].join(", ");
  morphHtml(findPart("lines"), ownLines(card));
  document.body.dataset.link = "polling";
  showError("");
}

/**
 * Draw the cards of a duplicate night; without them, why there are none.
 * @param {any} newest
 * @param {string} [why]
 */
function drawHand(newest, why = "") {
  if (newest?.deal !== hand?.deal || newest?.round !== hand?.round || newest?.has_discarded !== hand?.has_discarded) marked = [];
  hand = newest;
  findPart("hand").hidden = false;
  morphHtml(findPart("hand"), hand ? handView(hand, marked) : `<p role="status">${escapeHtml(why)}</p>`);
}

/** Handle a button of the hand: a card is marked, or a move is sent. @param {DOMStringMap} data */
async function handleHandButton({ card: tapped, kind }) {
  if (tapped && !marked.includes(tapped)) marked = hand.has_discarded ? [...marked, tapped] : [...marked, tapped].slice(-2);
  else if (tapped) marked = marked.filter((each) => each !== tapped);
  if (tapped) drawHand(hand);
  if (!kind) return;
  const { data, refusal } = await postChange("/api/club/card/hand", { event, code, kind, deal: hand.deal, cards: marked });
  changes += 1;
  if (data) drawHand(data);
  showError(refusal ?? "");
}

/** @param {string} what */
const loadOwn = (what) => fetch(withLanguage(`/api/club/card${what}?event=${event}&code=${encodeURIComponent(code)}`), { cache: "no-cache" });

async function poll() {
  const changesBefore = changes;
  try {
    const reply = await loadOwn("");
    const data = await reply.json();
    if (reply.ok && changes === changesBefore) draw(data);
    else if (!reply.ok) showError(data.error);
    if (data.event?.duplicate) {
      const dealt = await loadOwn("/hand");
      const newest = await dealt.json();
      if (changes === changesBefore) drawHand(dealt.ok ? newest : null, newest.error);
    }
    if (reply.status === 403) return;
  } catch {
    showError(formatMessage("No answer from the archive. Trying again."));
  }
  setTimeout(poll, card?.event.duplicate ? HAND_POLL_MS : POLL_MS);
}

/**
 * Open the form of a game.
 * @param {ReturnType<typeof createDialog>} sheet
 * @param {any} line
 */
function openLine(sheet, line) {
  const choice = (/** @type {string} */ value, /** @type {string} */ text, /** @type {boolean} */ isChosen) =>
    `<label class="button choice"><input type="radio" name="won" value="${value}" required ${isChosen ? "checked" : ""}> <span>${text}</span></label>`;
  const isEntered = line.spread !== null;
  sheet.setTitle(formatMessage("Round {n}: {opponent}", { n: line.round, opponent: line.opponent }));
  sheet.body.innerHTML = `<form class="form" method="dialog"><fieldset><legend>${formatMessage("How did the game end?")}</legend><div class="pair">
    ${choice("yes", formatMessage("I won"), isEntered && line.spread > 0)}${choice("no", formatMessage("I lost"), isEntered && line.spread < 0)}</div></fieldset>
    <label>${formatMessage("By how many points")}<input name="spread" type="number" inputmode="numeric" min="1" max="121" value="${isEntered ? Math.abs(line.spread) : ""}" required></label>
    <p>${escapeHtml(formatMessage("The game points follow from this: a win by 31 points or more is a skunk."))}</p>
    <p class="sheet-error" role="alert"></p><button class="button main">${formatMessage("Save")}</button></form>`;
  onSubmit(sheet.body, async (form) => {
    const body = { event, code, round: line.round, won: fieldText(form, "won") === "yes", spread: Number(fieldText(form, "spread")) };
    const { data, refusal } = await postChange("/api/club/card", body);
    changes += 1;
    if (data) draw(data);
    return closeUnlessRefused(sheet, refusal);
  });
  sheet.open();
}

loadCatalogue().then(() => {
  const sheet = createDialog(findDialog("line"), "");
  onButtonClick(findElement(document, "main"), (data) => {
    const { line } = data;
    handleHandButton(data);
    if (line) openLine(sheet, card.lines.find((/** @type {any} */ each) => String(each.round) === line));
  });
  poll();
});
