// All 52 cards as buttons, and cards typed on a keyboard: "5h", "10d". Either enters a card like a scan of it.

import { constants } from "../../core/constants.js";
import { onButtonClick } from "../../core/dom.js";
import { allCards, cardValue } from "../../core/format.js";
import { findGame } from "../../games/index.js";
import { scanButton } from "../camera/scan-button.js";
import { cardButton } from "./card.js";

/**
 * Whether a card may be played to the count.
 * @param {Api.Snapshot} snapshot
 * @param {string} card
 */
const fitsCount = ({ count = 0 }, card) => count + cardValue(card) <= constants.count.most;

/** Whether a card that was not seen yet fits the count. @param {Api.Snapshot} snapshot */
export function hasPossibleCard(snapshot) {
  const seen = findGame(snapshot).seenCards(snapshot);
  return allCards().some((card) => !seen?.has(card) && fitsCount(snapshot, card));
}

/**
 * The card pad. Once somebody has said go, a card that does not fit begins the next count. `onCard` is also called for a card typed on a keyboard. Cards already seen are struck through but stay
 * enabled, as a scan of them would be accepted too; the table explains its refusal. The buttons are written once, so that
 * no tap is lost. With `onScan` there is also the button that scans cards.
 * @param {HTMLElement} el
 * @param {(card: string, snapshot: Api.Snapshot | null) => unknown} onCard
 * @param {(newest: () => Api.Snapshot | null) => unknown} [onScan]
 * @returns {import("../../core/component.js").DrawSnapshot}
 */
export function CardPad(el, onCard, onScan) {
  el.innerHTML = allCards().map((card) => cardButton(card)).join("") + (onScan ? scanButton() : "");
  const buttons = [.../** @type {NodeListOf<HTMLElement>} */ (el.querySelectorAll("[data-card]"))];
  /** @type {Api.Snapshot | null} */
  let newest = null;
  onButtonClick(el, ({ card, scan }) => (card ? onCard(card, newest) : scan !== undefined && onScan?.(() => newest)));
  onCardTyped((card) => !el.classList.contains("idle") && onCard(card, newest));
  return (snapshot) => {
    newest = snapshot;
    const seen = findGame(snapshot).seenCards(snapshot);
    el.classList.toggle("idle", seen === null);
    for (const button of buttons) {
      button.classList.toggle("spent", seen?.has(button.dataset.card) ?? false);
      button.classList.toggle("unfit", snapshot.phase === "play" && !snapshot.gone?.length && !fitsCount(snapshot, button.dataset.card ?? ""));
    }
  };
}

/**
 * Enter a card like a scan of it. On a board of the players' own, once somebody has said go, a card that does not fit says
 * go for all who are left: they had no card that fits. Return whether the table took the card.
 * @param {import("../../core/api.js").Actions} actions
 * @param {string} card
 * @param {Api.Snapshot | null} snapshot
 */
export async function enterCard(actions, card, snapshot) {
  while (snapshot?.game.pegs === "plain" && snapshot.gone?.length && !fitsCount(snapshot, card)) {
    const seat = findGame(snapshot).goSeat(snapshot);
    if (seat === null || seat === snapshot.game.against?.seat) break;
    snapshot = await actions.makeMove({ type: "go", seat });
    if (!snapshot) return false;
  }
  return await actions.enterCard(card) !== null;
}

const MAX_PAUSE_MS = 1500;
const CARD_PATTERN = /(10|[A2-9TJQK])([CDHS])$/;

/** Return the card at the end of a text, or null: "5h" → "5H", "10d" → "TD". @param {string} letters */
export function parseTypedCard(letters) {
  const found = CARD_PATTERN.exec(letters.toUpperCase());
  return found ? (found[1] === "10" ? "T" : found[1]) + found[2] : null;
}

/**
 * Call a handler with each card typed anywhere on the page, but not in a field or while a dialog is open. The focus may be
 * outside an open dialog: a button that was disabled while its request runs has lost it.
 * @param {(card: string) => unknown} handle
 */
export function onCardTyped(handle) {
  let [letters, at] = ["", 0];
  document.addEventListener("keydown", ({ key, target, timeStamp, ctrlKey, metaKey, altKey }) => {
    const isElsewhere = document.querySelector("dialog[open]") || (target instanceof Element && target.closest("input, select, textarea"));
    if (key.length !== 1 || isElsewhere || ctrlKey || metaKey || altKey) return;
    letters = (timeStamp - at > MAX_PAUSE_MS ? "" : letters) + key;
    at = timeStamp;
    const card = parseTypedCard(letters);
    if (card) letters = "", handle(card);
  });
}
