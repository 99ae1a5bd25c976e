// Writing to the page and handling clicks. Every text that comes from a snapshot must go through `escapeHtml`.

/** @type {Record<string, string>} */
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escape a text for HTML and for attribute values. @param {unknown} text */
export const escapeHtml = (text) => String(text ?? "").replace(/[&<>"']/g, (letter) => ESCAPES[letter]);

/**
 * Return the first element that matches a selector, or throw. A component searches only inside its own element.
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
export function findElement(el, selector) {
  const found = el.querySelector(selector);
  if (!found) throw new Error(`No element matches ${selector}.`);
  return found;
}

/** A second tap so soon and so near is a finger that bounced. */
const BOUNCE_MS = 120, BOUNCE_PX = 24;
let lastTap = { timeStamp: -Infinity, clientX: 0, clientY: 0 };

/**
 * Drop a click on a button that waits for its answer, and that of a finger that bounced, whatever button has come under it meanwhile.
 * @param {MouseEvent} event
 */
function dropSecondClick(event) {
  const { timeStamp, clientX, clientY, target, detail } = event;
  const isBounce = timeStamp - lastTap.timeStamp < BOUNCE_MS && Math.hypot(clientX - lastTap.clientX, clientY - lastTap.clientY) < BOUNCE_PX;
  if (detail) lastTap = { timeStamp, clientX, clientY }; // not for a keyboard, whose clicks have no place
  const button = target instanceof Element ? target.closest("button") : null;
  if (!button) return;
  if ((detail && isBounce) || button.hasAttribute("aria-busy")) event.stopImmediatePropagation(), event.preventDefault();
}

/**
 * Call a handler with the dataset of each button clicked inside an element. Until the promise that it returns is settled,
 * the button is busy, and further taps on it do nothing.
 * @param {HTMLElement} el
 * @param {(data: DOMStringMap, button: HTMLButtonElement) => unknown} handle
 */
export function onButtonClick(el, handle) {
  addEventListener("click", dropSecondClick, true); // again and again the same listener: it is added once
  el.addEventListener("click", async ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button) return;
    const answer = handle(button.dataset, button);
    if (!(answer instanceof Promise)) return;
    button.setAttribute("aria-busy", "true");
    await answer.finally(() => button.removeAttribute("aria-busy"));
  });
}

/** @type {WeakMap<Element, string>} */
const lastHtml = new WeakMap();

/**
 * Replace the HTML of an element if it changed. For SVG pictures, which hold neither focus nor listeners.
 * @param {Element} el
 * @param {string} html
 */
export function replaceHtml(el, html) {
  if (lastHtml.get(el) === html) return;
  lastHtml.set(el, html);
  el.innerHTML = html;
}

/**
 * Morph the content of an element into new HTML. Equal nodes stay in the document, so nothing flickers, a screen reader
 * announces only what changed, and a focused button keeps the focus.
 * @param {Element} el
 * @param {string} html
 */
export function morphHtml(el, html) {
  if (lastHtml.get(el) === html) return;
  lastHtml.set(el, html);
  const wanted = document.createElement("template");
  wanted.innerHTML = html;
  morphChildren(el, wanted.content);
}

/**
 * Morph the children of an element: equal nodes stay, nodes of the same kind are changed, the rest is replaced.
 * @param {Element} el
 * @param {ParentNode & Node} wanted
 */
function morphChildren(el, wanted) {
  const [remaining, wantedNodes] = [[...el.childNodes], [...wanted.childNodes]];
  /** @param {(node: ChildNode) => boolean} matches */
  const takeFirst = (matches) => {
    const at = remaining.findIndex(matches);
    return at < 0 ? null : remaining.splice(at, 1)[0];
  };
  const equal = wantedNodes.map((each) => takeFirst((node) => node.isEqualNode(each)));
  const nodes = wantedNodes.map((each, i) => equal[i] ?? morphNode(takeFirst((node) => isSameKind(node, each)), each));
  for (const node of remaining) node.remove();
  nodes.forEach((node, i) => node === el.childNodes[i] || el.insertBefore(node, el.childNodes[i] ?? null));
}

/**
 * Whether one node may be morphed into another: two texts, or two elements with equal tag and `data-` attributes.
 * @param {Node} a
 * @param {Node} b
 */
const isSameKind = (a, b) => a.nodeName === b.nodeName && dataKey(a) === dataKey(b);

/** @param {Node} node */
const dataKey = (node) => (node instanceof Element ? [...node.attributes].filter(isDataAttribute).map(({ name, value }) => `${name}=${value}`).join(" ") : "");

/** @param {Attr} attribute */
const isDataAttribute = ({ name }) => name.startsWith("data-");

/**
 * Morph a node into the wanted one; return the wanted one if there is no node.
 * @param {ChildNode | null} node
 * @param {ChildNode} wanted
 */
function morphNode(node, wanted) {
  if (!node) return wanted;
  if (node instanceof Element && wanted instanceof Element) {
    for (const { name } of [...node.attributes]) if (!wanted.hasAttribute(name) && name !== "aria-busy") node.removeAttribute(name);
    for (const { name, value } of wanted.attributes) setAttribute(node, name, value);
    morphChildren(node, wanted);
  } else node.nodeValue = wanted.nodeValue;
  return node;
}

/**
 * Set the text of an element if it changed.
 * @param {Element} el
 * @param {string} text
 */
export function setText(el, text) {
  if (el.textContent !== text) el.textContent = text;
}

/**
 * Set an attribute if it changed.
 * @param {Element} el
 * @param {string} name
 * @param {string} value
 */
export function setAttribute(el, name, value) {
  if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}
