// Text into the page. Everything that comes from a snapshot goes through `safe`.

import { mounted } from "./guard.js";

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** A text fit to stand in HTML or an attribute. */
export const safe = (text) => String(text ?? "").replace(/[&<>"']/g, (letter) => ESCAPES[letter]);

const drawn = new WeakMap();

/**
 * Make an element's HTML this one. What is the same stays the same node: nothing flickers, nothing is read out twice,
 * and a button that has the keyboard keeps it.
 */
export function fill(el, html) {
  if (drawn.get(el) === html) return;
  drawn.set(el, html);
  const wanted = document.createElement("template");
  wanted.innerHTML = html;
  weave(el, wanted.content);
}

/** Give `el` the children of `wanted`: of its own those that are equal stay, then those that are alike are changed. */
function weave(el, wanted) {
  const [left, all] = [[...el.childNodes], [...wanted.childNodes]];
  const pick = (fits) => {
    const at = left.findIndex(fits);
    return at < 0 ? null : left.splice(at, 1)[0];
  };
  const equal = all.map((each) => pick((node) => node.isEqualNode(each)));
  const nodes = all.map((each, i) => equal[i] ?? become(pick((node) => alike(node, each)), each));
  for (const node of left) node.remove();
  nodes.forEach((node, i) => node === el.childNodes[i] || el.insertBefore(node, el.childNodes[i] ?? null));
}

/** Whether a node may become the other: both text, or elements of one kind that are known by the same data. */
const alike = (a, b) => a.nodeName === b.nodeName && JSON.stringify({ ...a.dataset }) === JSON.stringify({ ...b.dataset });

/** The node, changed to the wanted one, or that itself where there is none. */
function become(node, wanted) {
  if (!node) return wanted;
  if (node.nodeType === Node.TEXT_NODE) node.data = wanted.data;
  else {
    for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name)) node.removeAttribute(name);
    for (const { name, value } of wanted.attributes) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    weave(node, wanted);
  }
  return node;
}

/** Set an element's text, untouched where nothing changed. */
export function say(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/** Several parts as one, each in a place of its own. */
export const together = (...Parts) => (el, context) => {
  const draws = Parts.map((Part) => mounted(Part, el.appendChild(document.createElement("div")), context));
  return (snapshot) => draws.forEach((draw) => draw(snapshot));
};
