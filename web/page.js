// The phone page: the one place where its parts are plugged together.

import { Board } from "./board/board.js";
import { Bar } from "./parts/bar.js";
import { Deck } from "./parts/deck.js";
import { open, part } from "./open.js";
import { Seats } from "./parts/seats.js";

const pad = document.getElementById("pad");

open((actions) => [
  [Board, part("board")],
  [Bar, part("bar"), { pad }],
  [Deck, pad, { tapped: actions.card }],
  [Seats, part("seats")],
]);
