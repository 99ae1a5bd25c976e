// Text into the page, and presses out of it. Everything that comes from a snapshot goes through `safe`.

import { mounted } from "./component.js";

/** @import { Part } from "./component.js" */

/** @type {Record<string, string>} */
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/**
 * A text fit to stand in HTML or an attribute.
 * @param {unknown} text
 */
export const safe = (text) => String(text ?? "").replace(/[&<>"']/g, (letter) => ESCAPES[letter]);

/**
 * The one element in there, by the name of its tag or by any selector; a part finds only what it wrote itself.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @overload
 * @param {ParentNode} el
 * @param {Tag} selector
 * @returns {HTMLElementTagNameMap[Tag]}
 */
/**
 * @overload
 * @param {ParentNode} el
 * @param {string} selector
 * @returns {HTMLElement}
 */
/**
 * @param {ParentNode} el
 * @param {string} selector
 */
export function find(el, selector) {
  const found = el.querySelector(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
}

/**
 * Call `act` with the data of each button pressed in there.
 * @param {HTMLElement} el
 * @param {(data: DOMStringMap, button: HTMLButtonElement) => void} act
 */
export function pressed(el, act) {
  el.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button) act(button.dataset, button);
  });
}

/** @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/**
 * Write an element's HTML anew, where it is another than what was written last: for pictures, whose marks nobody holds.
 * @param {Element} el
 * @param {string} html
 */
export function paint(el, html) {
  if (drawn.get(el) === html) return;
  drawn.set(el, html);
  el.innerHTML = html;
}

/**
 * Make an element's HTML this one. What is the same stays the same node: nothing flickers, nothing is read out twice,
 * and a button that has the keyboard keeps it.
 * @param {Element} el
 * @param {string} html
 */
export function fill(el, html) {
  if (drawn.get(el) === html) return;
  drawn.set(el, html);
  const wanted = document.createElement("template");
  wanted.innerHTML = html;
  weave(el, wanted.content);
}

/**
 * Give `el` the children of `wanted`: of its own those that are equal stay, then those that are alike are changed.
 * @param {Element} el
 * @param {ParentNode & Node} wanted
 */
function weave(el, wanted) {
  const [left, all] = [[...el.childNodes], [...wanted.childNodes]];
  /** @param {(node: ChildNode) => boolean} fits */
  const pick = (fits) => {
    const at = left.findIndex(fits);
    return at < 0 ? null : left.splice(at, 1)[0];
  };
  const equal = all.map((each) => pick((node) => node.isEqualNode(each)));
  const nodes = all.map((each, i) => equal[i] ?? become(pick((node) => alike(node, each)), each));
  for (const node of left) node.remove();
  nodes.forEach((node, i) => node === el.childNodes[i] || el.insertBefore(node, el.childNodes[i] ?? null));
}

/**
 * Whether a node may become the other: both text, or elements of one kind that are known by the same data.
 * @param {Node} a
 * @param {Node} b
 */
const alike = (a, b) => a.nodeName === b.nodeName && known(a) === known(b);

/** @param {Node} node */
const known = (node) => (node instanceof Element ? [...node.attributes].filter(isData).map(({ name, value }) => `${name}=${value}`).join(" ") : "");

/** @param {Attr} attribute */
const isData = ({ name }) => name.startsWith("data-");

/**
 * The node, changed to the wanted one, or that itself where there is none.
 * @param {ChildNode | null} node
 * @param {ChildNode} wanted
 */
function become(node, wanted) {
  if (!node) return wanted;
  if (node instanceof Element && wanted instanceof Element) {
    for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name)) node.removeAttribute(name);
    for (const { name, value } of wanted.attributes) mark(node, name, value);
    weave(node, wanted);
  } else node.nodeValue = wanted.nodeValue;
  return node;
}

/**
 * Set an element's text, untouched where nothing changed.
 * @param {Element} el
 * @param {string} text
 */
export function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/**
 * Set an attribute, untouched where nothing changed.
 * @param {Element} el
 * @param {string} name
 * @param {string} value
 */
export function mark(el, name, value) {
  if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}

/**
 * Several parts as one, each in a place of its own.
 * @param {...Part} Parts
 * @returns {Part}
 */
export const together = (...Parts) => (el, context) => {
  const draws = Parts.map((Part) => mounted(Part, el.appendChild(document.createElement("div")), context));
  return (snapshot) => draws.forEach((draw) => draw(snapshot));
};
