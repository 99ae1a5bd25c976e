// The frame of a dialog over the page. It is closed by its button, by Escape or by a tap outside.

import { findElement } from "../core/dom.js";
import { formatMessage } from "../core/i18n.js";

/**
 * Write the frame into a dialog element. Return the element for the content and the functions that control the dialog.
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 */
export function createDialog(dialog, title) {
  dialog.classList.add("sheet");
  dialog.setAttribute("aria-label", title);
  dialog.innerHTML = `<div class="sheet-in"><div class="sheet-top"><h2></h2>
    <button type="button" class="button" data-close aria-label="${formatMessage("Close")}">✕</button></div><div class="sheet-body"></div></div>`;
  const heading = findElement(dialog, "h2");
  heading.textContent = title;
  const close = () => dialog.close();
  findElement(dialog, "[data-close]").addEventListener("click", close);
  dialog.addEventListener("click", ({ target }) => target === dialog && close());
  return {
    body: findElement(dialog, ".sheet-body"),
    open: () => dialog.open || dialog.showModal(),
    close,
    /** @param {string} text */
    setTitle: (text) => {
      heading.textContent = text;
      dialog.setAttribute("aria-label", text);
    },
  };
}
