// The phone page: the one place where its parts are plugged together.

import { Board } from "./board/board.js";
import { Bar } from "./parts/bar.js";
import { Deck } from "./parts/deck.js";
import { open } from "./open.js";

const part = (name) => document.querySelector(`[data-part=${name}]`);

open((context) => [
  Board(part("board")),
  Bar(part("bar"), context),
  Deck(document.getElementById("pad"), { tapped: context.actions.card }),
]);
