// The help of the current game in a dialog over the table; the same page is served at /help/KEY without scripts.

import { findElement } from "../core/dom.js";
import { formatMessage, withLanguage } from "../core/i18n.js";
import { createDialog } from "./dialog.js";

/** A dialog with the content of the help page, without its links. @type {import("../core/component.js").Component} */
export function Help(el, { actions }) {
  const { body, open } = createDialog(/** @type {HTMLDialogElement} */ (el), formatMessage("Help"));
  let key = "";
  findElement(document, "[data-open=help]").addEventListener("click", async () => {
    try {
      const reply = await fetch(withLanguage(`/help/${key}`), { cache: "no-cache" });
      if (!reply.ok) throw new Error(String(reply.status));
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      body.replaceChildren(...findElement(page, "main").children);
      for (const link of body.querySelectorAll("a")) link.parentElement?.remove();
      const heading = findElement(body, "h1");
      heading.outerHTML = `<h3 class="lead">${heading.innerHTML}</h3>`; // the page has its h1 already
      open();
    } catch {
      actions.showRefusal(formatMessage("Couldn't load the help. Try again."));
    }
  });
  return ({ game }) => {
    key = game.key;
  };
}
