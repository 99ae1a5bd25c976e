// Two of the cards dealt are laid away before the cut: a tap marks them, a button does it. What is kept stays on this phone.

import { safe } from "../core/dom.js";
import { cardName } from "../core/format.js";
import { say } from "../core/i18n.js";
import { faceUp } from "./card.js";

const AWAY = 2;
/** @type {Record<string, number>} */
const DEALT = { "six-card": 6, "five-card": 5 };

/**
 * `draw()` is called when another card was marked.
 * @param {() => void} draw
 */
export function Laying(draw) {
  /** @type {string[]} */
  let marked = [];

  /**
   * Whether the whole hand is there and two are to be laid away.
   * @param {Api.Snapshot} snapshot
   * @param {string[]} cards
   */
  const is = ({ game, phase }, cards) => phase === "cut" && game.seats === 2 && cards.length === DEALT[game.key];

  return {
    is,
    /**
     * A card marked or not, or with "" those marked laid away: `keep` is given the others.
     * @param {string} card
     * @param {string[]} cards
     * @param {(cards: string[]) => Promise<void>} keep
     */
    async act(card, cards, keep) {
      if (card) marked = marked.includes(card) ? marked.filter((each) => each !== card) : [...marked, card].slice(-AWAY);
      else if (marked.length === AWAY) await keep(cards.filter((each) => !marked.includes(each))), (marked = []);
      draw();
    },
    /**
     * @param {Api.Snapshot} snapshot
     * @param {string[]} cards
     */
    html(snapshot, cards) {
      if (!is(snapshot, cards)) return "";
      marked = marked.filter((card) => cards.includes(card));
      const whose = snapshot.players.find(({ seat }) => seat === snapshot.dealer)?.name ?? "";
      return `<p class="hint">${safe(say("Two are for the crib, which belongs to {name}.", { name: whose }))}</p>
        <div class="choices">${cards.map((card) => `<button type="button" class="mend" data-away="${card}" aria-pressed="${marked.includes(card)}"
          aria-label="${say("Lay away the {card}", { card: cardName(card) })}">${faceUp(card)}</button>`).join("")}</div>
        <div class="choices"><button type="button" class="button" data-away="" ${marked.length === AWAY ? "" : "disabled"}>${say("Lay these two away")}</button></div>`;
    },
  };
}
