// Text into the page. Everything that comes from a snapshot goes through `safe`.

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text fit to stand in HTML or an attribute. */
export const safe = (text) => String(text ?? "").replace(/[&<>"']/g, (letter) => ESCAPES[letter]);

const drawn = new WeakMap();

/** Set an element's HTML, untouched where nothing changed: no flicker, and nothing is read out twice. */
export function fill(el, html) {
  if (drawn.get(el) === html) return;
  drawn.set(el, html);
  el.innerHTML = html;
}

/** Set an element's text, untouched where nothing changed. */
export function say(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/** Several parts as one, each in a place of its own. */
export const together = (...Parts) => (el, context) => {
  const draws = Parts.map((Part) => Part(el.appendChild(document.createElement("div")), context));
  return (snapshot) => draws.forEach((draw) => draw(snapshot));
};
