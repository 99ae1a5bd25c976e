// Cards typed on a keyboard: "5h", "10d", "ks".

const PAUSE_MS = 1500;
const CARD = /(10|[A2-9TJQK])([CDHS])$/;

/**
 * The card at the end of what was typed, or null: "5h" → "5H", "10d" → "TD".
 * @param {string} letters
 */
export function typed(letters) {
  const found = CARD.exec(letters.toUpperCase());
  return found ? (found[1] === "10" ? "T" : found[1]) + found[2] : null;
}

/**
 * Call `act` with each card that is typed anywhere on the page but in a field or a dialogue.
 * @param {(card: string) => unknown} act
 */
export function onTyped(act) {
  let [letters, at] = ["", 0];
  document.addEventListener("keydown", ({ key, target, timeStamp, ctrlKey, metaKey, altKey }) => {
    const isOther = target instanceof Element && target.closest("input, select, textarea, dialog");
    if (key.length !== 1 || isOther || ctrlKey || metaKey || altKey) return;
    letters = (timeStamp - at > PAUSE_MS ? "" : letters) + key;
    at = timeStamp;
    const card = typed(letters);
    if (card) letters = "", act(card);
  });
}
