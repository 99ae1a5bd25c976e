// A seat of one's own: this phone sits at one seat and keeps the cards dealt there, which nobody else sees. A tap plays one.

import { ask } from "../core/api.js";
import { fill, find, pressed, safe } from "../core/dom.js";
import { cardName, deck, momentOf, seatName } from "../core/format.js";
import { say, sayMany } from "../core/i18n.js";
import { remember, remembered } from "../core/preferences.js";
import { key } from "./card-pad.js";
import { faceUp } from "./card.js";
import { Sheet } from "./dialog.js";
import { Laying } from "./discard.js";
import { Hinting } from "./hint.js";

/** Remembered by a phone that has sat down: only such a one asks for its seat. */
const SAT = "sat";

/** What this phone alone knows: where it sits, and the cards it holds. */
export const own = { seat: /** @type {number | null} */ (null), cards: /** @type {string[]} */ ([]) };

/**
 * Whether a card of one's own would fit at this count: then one's own go is none.
 * @param {number} count
 * @param {number} most
 */
export const hasFitting = (count, most) => own.cards.some((card) => count + worth(card) <= most);

/** @param {string} card */
const worth = (card) => ("TJQK".includes(card[0]) ? 10 : card[0] === "A" ? 1 : Number(card[0]));

/**
 * The seat, the cards, and a dialogue to enter them.
 * @type {import("../core/component.js").Part}
 */
export function Own(el, { actions, plays }) {
  const { body, open, close } = Sheet(/** @type {HTMLDialogElement} */ (find(document, "[data-part=hand]")), say("My cards"));
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let known = "";
  /** @type {string[]} */
  let chosen = [];

  const hinting = Hinting(() => newest && draw(newest));
  const laying = Laying(() => newest && draw(newest));
  pressed(el, async ({ sit, own: card, open: opens, away, hint }) => {
    if (hint !== undefined && newest) await hinting.act(newest);
    else if (away !== undefined) await laying.act(away, own.cards, async (cards) => (await actions.keep("/api/hand", { cards }), look()));
    else if (sit !== undefined) await seated(sit === "" ? null : Number(sit));
    else if (card && own.seat !== null) actions.move({ type: "play", seat: own.seat, card });
    else if (opens) chosen = [...own.cards], enter(), open();
  });
  pressed(body, async ({ card, keep }, button) => {
    if (card) chosen = chosen.includes(card) ? chosen.filter((each) => each !== card) : [...chosen, card];
    if (keep === undefined) return enter();
    button.disabled = true;
    const refused = await actions.keep("/api/hand", { cards: chosen });
    if (refused === null) await look(), close();
    else enter(refused);
    return undefined;
  });

  /** @param {number | null} seat */
  async function seated(seat) {
    if ((await actions.keep("/api/seat", { seat })) !== null) return;
    remember(SAT, seat === null ? "" : "on");
    await look();
  }

  async function look() {
    if (!remembered(SAT)) own.seat = null, own.cards = [];
    else await learn();
    if (newest) draw(newest);
  }

  async function learn() {
    own.seat = (await ask("/api/seat"))?.seat ?? null;
    own.cards = own.seat === null ? [] : (await ask("/api/hand"))?.cards ?? [];
  }

  function enter(refused = "") {
    fill(body, `<p>${say("Tap the cards that you were dealt. Only this phone sees them.")}</p><p class="sheet-error" role="alert">${safe(refused)}</p>
      <div class="pad">${deck().map((card) => key(card).replace("<button", `<button aria-pressed="${chosen.includes(card)}"`)).join("")}</div>
      <div class="sheet-end"><button type="button" class="button" data-keep>${sayMany("Keep this card", "Keep these {n} cards", chosen.length)}</button></div>`);
  }

  /** @param {Api.Snapshot} snapshot */
  function draw(snapshot) {
    const isTurn = snapshot.phase === "play" && snapshot.turn === own.seat;
    const seats = snapshot.players.map(({ seat, name }) => `<button type="button" class="button" data-sit="${seat}">${safe(name)}</button>`);
    fill(el, own.seat === null
      ? `<details><summary>${say("My own seat and cards")}</summary><p class="hint">${say("This phone can sit at one seat and keep its cards, which nobody else sees.")}</p>
        <div class="choices">${seats.join("")}</div></details>`
      : `<h2>${safe(say("{name}: my cards", { name: seatName(snapshot, own.seat) }))}</h2><div class="choices">${laying.is(snapshot, own.cards) ? "" : own.cards.map((card) => mine(card, isTurn)).join("")}</div>
        ${laying.html(snapshot, own.cards)}${hinting.html(snapshot, own.cards)}
        <div class="choices"><button type="button" class="button" data-open="hand">${own.cards.length ? say("Change them") : say("Enter my cards")}</button>
        <button type="button" class="button" data-sit="">${say("Get up")}</button></div>`);
  }

  return (snapshot) => {
    newest = snapshot;
    // dealt anew, the companion has another remark; and cards may come from afar
    const now = [momentOf(snapshot), snapshot.remark, plays(), snapshot.devices.remote?.say].join(" ");
    const isNew = now !== known;
    known = now;
    draw(snapshot);
    if (isNew && plays()) look();
  };
}

/**
 * @param {string} card
 * @param {boolean} isTurn
 */
const mine = (card, isTurn) => `<button type="button" class="mend" data-own="${card}" aria-label="${say("Play the {card}", { card: cardName(card) })}"
  ${isTurn ? "" : "disabled"}>${faceUp(card)}</button>`;
