// The moves one makes all the time, under the thumb: undo, go, next, and the cards.

import { constants } from "../core/constants.js";
import { find, pressed, write } from "../core/dom.js";
import { seatName } from "../core/format.js";
import { say } from "../core/i18n.js";
import { Held } from "../games/dice-animation.js";
import { gameOf } from "../games/index.js";
import { hasFitting, own } from "./my-hand.js";

/**
 * A bar of buttons, written once; those that mean nothing now are not shown. The last opens the pad of cards, where the
 * page has one.
 * @type {import("../core/component.js").Part}
 */
export function Bar(el, { actions }) {
  const pad = document.getElementById("pad");
  el.innerHTML = `
    <button type="button" class="button" data-move="undo">${say("Undo")}</button>
    <button type="button" class="button" data-move="go" hidden></button>
    <button type="button" class="button" data-move="next" hidden></button>
    <button type="button" class="button" data-open="cards" aria-expanded="false" aria-controls="pad" hidden>${say("Cards")}</button>`;
  const [go, next, open] = ["[data-move=go]", "[data-move=next]", "[data-open]"].map((each) => find(el, each));

  pressed(el, ({ move, seat }) => {
    if (move === "go") actions.move({ type: "go", seat: Number(seat) });
    else if (move === "undo" || move === "next") actions.move({ type: move });
    else if (pad) unfold(pad, !pad.classList.contains("open"));
  });

  /**
   * @param {HTMLElement} pad
   * @param {boolean} opens
   */
  function unfold(pad, opens) {
    pad.classList.toggle("open", opens);
    open.setAttribute("aria-expanded", String(opens));
  }

  return Held((snapshot) => {
    const game = gameOf(snapshot);
    const asked = game.goes(snapshot);
    const goes = asked !== null && own.seat === asked && hasFitting(snapshot.count ?? 0, constants.count.most) ? null : asked;
    go.hidden = goes === null;
    if (goes !== null) {
      go.dataset.seat = String(goes);
      write(go, say("{name}: go", { name: seatName(snapshot, goes) }));
    }
    const called = game.next(snapshot);
    next.hidden = called === null;
    if (called) write(next, called);
    open.hidden = !pad || game.seen(snapshot) === null;
  });
}
