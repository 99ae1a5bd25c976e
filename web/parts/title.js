// The game's name in the heading, and the scores where a browser shows its tabs.

import { say } from "../html.js";
import { Held } from "../tumble.js";

/** @type {import("../guard.js").Part} */
export function Title(el) {
  return Held(({ game, scores }) => {
    say(el, game.title);
    document.title = `${scores.join(" – ")} · ${game.title}`;
  });
}
