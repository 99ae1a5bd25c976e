// The phone page: the one place where its parts are plugged together.

import { Board } from "./board/board.js";
import { WIDE } from "./board/turning.js";
import { Bar } from "./parts/bar.js";
import { Deck } from "./parts/deck.js";
import { open, part } from "./open.js";
import { Seats } from "./parts/seats.js";

const pad = document.getElementById("pad");

/** Tab goes where the eye goes: in one column the cards lie under the scores and the bar is last, in two they are not. */
function arrange() {
  const [told, things] = document.querySelector("main").children;
  if (WIDE.matches) part("board").after(pad);
  else told.querySelector(".head").after(pad);
  (WIDE.matches ? told : things).append(part("error"), part("bar"));
}

WIDE.addEventListener("change", arrange);
arrange();

open((actions) => [
  [Board, part("board")],
  [Bar, part("bar"), { pad }],
  [Deck, pad, { tapped: actions.card }],
  [Seats, part("seats")],
]);
