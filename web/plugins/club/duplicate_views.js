// The HTML of a duplicate night: a player's cards on the phone, and the ranking. Pure.

import { suitClass, unlabelledCardFace } from "../../components/cards/card.js";
import { escapeHtml } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";

/** @typedef {{ card: string, name: string }} NamedCard */

const DISCARD_COUNT = 2;

/**
 * Return a row of cards that lie face up.
 * @param {string} label
 * @param {NamedCard[]} cards
 */
const shownCards = (label, cards) => `<h3>${label}</h3><p class="cards">${cards.map(({ card, name }) =>
  `<span role="img" class="face ${suitClass(card)}" aria-label="${escapeHtml(name)}">${unlabelledCardFace(card)}</span>`).join("")}</p>`;

/**
 * Return the hand of a deal and what to do. `marked` are the cards that are chosen for the crib, or have been played.
 * @param {any} hand
 * @param {string[]} marked
 */
export function handView(hand, marked) {
  const cards = hand.hand.map((/** @type {NamedCard} */ { card, name }) =>
    `<button type="button" class="card-button" data-card="${card}" aria-pressed="${marked.includes(card)}" aria-label="${escapeHtml(name)}">${unlabelledCardFace(card)}</button>`).join("");
  const button = (/** @type {string} */ kind, /** @type {string} */ text, isEnabled = true) =>
    `<button type="button" class="button main" data-kind="${kind}" ${isEnabled ? "" : "disabled"}>${text}</button>`;
  const status = (/** @type {string} */ text) => `<p role="status">${escapeHtml(text)}</p>`;
  const agreement = (/** @type {string} */ agreeing) => (hand.has_agreed ? status(formatMessage("Waiting for {name} to agree.", { name: hand.opponent }))
    : (hand.has_opponent_agreed ? status(formatMessage("{name} is waiting for you.", { name: hand.opponent })) : "") + agreeing);
  const step = !hand.has_discarded
    ? `<p>${formatMessage("Choose two cards for the crib.")}</p>${button("discard", formatMessage("Discard"), marked.length === DISCARD_COUNT)}`
    : !hand.is_cut ? status(formatMessage("Waiting for the discard of {name}.", { name: hand.opponent }))
    : shownCards(formatMessage("Starter"), hand.starter) + (hand.is_counted
      ? shownCards(escapeHtml(hand.opponent), hand.theirs) + shownCards(formatMessage("Crib"), hand.crib)
        + `<p>${formatMessage("Count and peg. If the game goes on, deal again; if it is over, enter the result.")}</p>${agreement(button("next", formatMessage("Deal again")))}`
      : `<p>${formatMessage("Say each card that you play, and tap it. Peg at your board.")}</p>${
        agreement(button("count", formatMessage("Show both hands and the crib"), marked.length === hand.hand.length))}`);
  return `<h2>${escapeHtml(formatMessage("Round {round}, deal {deal}, against {opponent}", hand))}</h2>
    <p>${hand.deals ? formatMessage("You deal: the crib is yours.") : escapeHtml(formatMessage("{opponent} deals.", hand))}</p>
    <p class="cards">${cards}</p>${step}`;
}

/**
 * Return the ranking of a duplicate night, with the commitment to its deals and the director's button.
 * @param {{ ranking: any[], commitment: string, seed: string | null }} duplicate
 * @param {boolean} directs
 */
export function duplicateRanking({ ranking, commitment, seed }, directs) {
  const rows = ranking.map((row) => `<tr><td>${row.rank}</td><td>${escapeHtml(row.player)}</td><td>${row.games}</td><td>${row.difference > 0 ? "+" : ""}${row.difference}</td></tr>`).join("");
  const proof = seed ? formatMessage("The deals came from {seed}, whose SHA-256 is {commitment}.", { seed, commitment })
    : formatMessage("The deals are fixed. Their seed has the SHA-256 {commitment} and is shown when both cards of every game are entered.", { commitment });
  return `<h2>${formatMessage("Duplicate")}</h2><p>${formatMessage("All tables play the same deals. What counts is the difference to the mean of all who held the same cards.")}</p>
    <table><thead><tr><th scope="col">#</th><th scope="col">${formatMessage("player")}</th><th scope="col">${formatMessage("games")}</th><th scope="col">±</th></tr></thead><tbody>${rows}</tbody></table>
    <p class="proof"><small>${escapeHtml(proof)}</small></p>${directs && !seed ? `<button type="button" class="button" data-open="end">${formatMessage("End the night")}</button>` : ""}`;
}
