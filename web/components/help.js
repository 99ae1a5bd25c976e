// The help of this game, opened over the table: the same page that can be read at /help/KEY without scripts.

import { find } from "../core/dom.js";
import { inLanguage, say } from "../core/i18n.js";
import { Sheet } from "./dialog.js";

/**
 * A dialogue with what that page says, but for its links.
 * @type {import("../core/component.js").Part}
 */
export function Help(el, { actions }) {
  const { body, open } = Sheet(/** @type {HTMLDialogElement} */ (el), say("Help"));
  let key = "";
  find(document, "[data-open=help]").addEventListener("click", async () => {
    try {
      const reply = await fetch(inLanguage(`/help/${key}`), { cache: "no-cache" });
      if (!reply.ok) throw new Error(String(reply.status));
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      body.replaceChildren(...find(page, "main").children);
      for (const link of body.querySelectorAll("a")) link.parentElement?.remove();
      const heading = find(body, "h1");
      heading.outerHTML = `<h3 class="lead">${heading.innerHTML}</h3>`; // a page has one h1
      open();
    } catch {
      actions.refused(say("There is no help on this game just now."));
    }
  });
  return ({ game }) => {
    key = game.key;
  };
}
