// Choosing the discard: a tap selects a card of my hand, a button discards the two to the crib. The hand stays on this phone.

import { escapeHtml } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { countDealt, DISCARD_COUNT } from "../../games/hand-sizes.js";
import { discardFan } from "./card.js";

/** The discard of this phone, for the action bar: whether two of these cards are selected, and how to discard them. */
export const myDiscard = { isComplete: (/** @type {string[]} */ _) => false, send: async () => {} };

/**
 * Whether the hand is complete and two cards are to be discarded.
 * @param {Api.Snapshot} snapshot
 * @param {string[]} cards
 */
export const isDiscardDue = ({ game, phase }, cards) => phase === "cut" && game.seats === 2 && cards.length === countDealt(game.key);

/**
 * Return whose crib two cards are to be chosen for.
 * @param {Api.Snapshot} snapshot
 * @param {number | null} seat
 */
export function discardSentence({ dealer, game, players }, seat) {
  if (dealer === seat) return formatMessage("Choose two cards for your crib.");
  if (dealer === game.against?.seat) return formatMessage("Choose two cards for the companion's crib.");
  return formatMessage("Choose two cards for {name}'s crib.", { name: players.find((each) => each.seat === dealer)?.name ?? "" });
}

/** Create the controls. `draw` is called when the selection changes. @param {() => void} draw */
export function createDiscard(draw) {
  /** @type {string[]} */
  let selected = [];
  myDiscard.isComplete = (cards) => cards.filter((card) => selected.includes(card)).length === DISCARD_COUNT;

  return {
    /**
     * Select or deselect a card; with "", discard the selected cards: `setHand` is called with the rest of the hand.
     * @param {string} card
     * @param {string[]} cards
     * @param {(cards: string[]) => Promise<void>} setHand
     */
    async handleTap(card, cards, setHand) {
      if (card) selected = selected.includes(card) ? selected.filter((each) => each !== card) : [...selected, card].slice(-DISCARD_COUNT);
      else if (selected.length === DISCARD_COUNT) await setHand(cards.filter((each) => !selected.includes(each))), (selected = []);
      draw();
    },
    /**
     * Return the HTML of the cards to choose from, "" if nothing is to be discarded. The action bar has the button. Against the companion, the headline says whose crib it is.
     * @param {Api.Snapshot} snapshot
     * @param {string[]} cards
     * @param {number | null} seat
     */
    render(snapshot, cards, seat) {
      if (!isDiscardDue(snapshot, cards)) return "";
      selected = selected.filter((card) => cards.includes(card));
      return `${snapshot.game.against ? "" : `<p class="hint">${escapeHtml(discardSentence(snapshot, seat))}</p>`}${discardFan(cards, selected)}`;
    },
  };
}
