// Text into the page. Everything that comes from a snapshot goes through `safe`.

import { mounted } from "./guard.js";

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text fit to stand in HTML or an attribute. */
export const safe = (text) => String(text ?? "").replace(/[&<>"']/g, (letter) => ESCAPES[letter]);

const drawn = new WeakMap();

/**
 * Set an element's HTML, untouched where nothing changed: no flicker, and nothing is read out twice. A button that had
 * the keyboard has it again, if it is still there.
 */
export function fill(el, html) {
  if (drawn.get(el) === html) return;
  drawn.set(el, html);
  const held = el.contains(document.activeElement) ? mark(document.activeElement) : "";
  el.innerHTML = html;
  if (held) [...el.querySelectorAll("button")].find((button) => mark(button) === held)?.focus({ preventScroll: true });
}

/** By what a button is known again. */
const mark = (el) => (el.tagName === "BUTTON" ? JSON.stringify({ ...el.dataset }) : "");

/** Set an element's text, untouched where nothing changed. */
export function say(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/** Several parts as one, each in a place of its own. */
export const together = (...Parts) => (el, context) => {
  const draws = Parts.map((Part) => mounted(Part, el.appendChild(document.createElement("div")), context));
  return (snapshot) => draws.forEach((draw) => draw(snapshot));
};
