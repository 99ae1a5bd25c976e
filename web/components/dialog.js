// A sheet: a dialogue over the page, which is opened by a button and closed by another, by Escape or by a tap beside it.

import { find } from "../core/dom.js";
import { say } from "../core/i18n.js";

/**
 * Write the frame of a sheet into a dialogue. What comes back is the place for what it holds, and what opens and closes it.
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 */
export function Sheet(dialog, title) {
  dialog.classList.add("sheet");
  dialog.setAttribute("aria-label", title);
  dialog.innerHTML = `<div class="sheet-in"><div class="sheet-top"><h2></h2>
    <button type="button" class="button" data-close aria-label="${say("Close")}">✕</button></div><div class="sheet-body"></div></div>`;
  const heading = find(dialog, "h2");
  heading.textContent = title;
  const close = () => dialog.close();
  find(dialog, "[data-close]").addEventListener("click", close);
  dialog.addEventListener("click", ({ target }) => target === dialog && close());
  return {
    body: find(dialog, ".sheet-body"),
    open: () => dialog.open || dialog.showModal(),
    close,
    /** @param {string} words */
    name: (words) => {
      heading.textContent = words;
      dialog.setAttribute("aria-label", words);
    },
  };
}
