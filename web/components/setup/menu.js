// The menu: everything that is not needed during the play. Its content is in the page; the list of moves stands in it
// wherever the page has no room for two columns.

import { constants } from "../../core/constants.js";
import { findElement, onButtonClick } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { twoColumnQuery } from "../../core/preferences.js";
import { createDialog } from "../dialog.js";

/** Whether the menu has been opened: then its parts are loaded. */
export const menu = { wasOpened: false };

/** A dialog around the content of the element. While it is open, refusals are shown in it. @type {import("../../core/component.js").Component} */
export function Menu(el, { redraw }) {
  const dialog = /** @type {HTMLDialogElement} */ (el);
  const content = [...dialog.childNodes];
  const { body, open, close } = createDialog(dialog, formatMessage("Menu"));
  body.append(...content);

  const [main, history, error] = ["main", ".history", "[data-error]"].map((each) => findElement(document, each));
  const [pages, footer, devices] = [findElement(body, ".menu-pages"), findElement(main, ".foot"), findElement(main, ".devices")];
  const query = twoColumnQuery();
  const placeHistory = () => (query.matches ? devices.before(history) : pages.after(history));
  query.addEventListener("change", placeHistory);
  placeHistory();

  findElement(document, "[data-open=menu]").addEventListener("click", () => {
    body.prepend(error);
    open();
    if (!menu.wasOpened) menu.wasOpened = true, redraw();
  });
  onButtonClick(body, ({ sit, move, call }) => (sit !== undefined || call !== undefined || move === "misdeal") && close());
  dialog.addEventListener("close", () => {
    footer.prepend(error);
    if (body.contains(history) && history.classList.contains("whole")) findElement(history, "button").click(); // loaded only while it is seen
  });

  const links = constants.menu.map(({ path, name }) => {
    const link = Object.assign(document.createElement("a"), { className: "players", href: path, textContent: name });
    pages.append(link);
    return link;
  });
  let drawnPhase = "";
  return ({ phase, game }) => {
    const isPlain = game.pegs === "plain" && game.against === null;
    constants.menu.forEach(({ games, plain_only: plainOnly }, at) => {
      links[at].hidden = !games.includes(game.key) || (plainOnly && !isPlain);
    });
    if (phase === "over" && drawnPhase && drawnPhase !== phase) close(); // for the end of the game
    drawnPhase = phase;
  };
}
