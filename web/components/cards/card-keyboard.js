// Cards entered on a keyboard: "5h", "10d", "ks".

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
