// The phone page: the one place where its parts are plugged together.

import { Board } from "./board/board.js";
import { Bar } from "./parts/bar.js";
import { Deck } from "./parts/deck.js";
import { open, part } from "./open.js";
import { Seats } from "./parts/seats.js";

open((context) => {
  const pad = document.getElementById("pad");
  return [
    Board(part("board")),
    Bar(part("bar"), { ...context, pad }),
    Deck(pad, { tapped: context.actions.card }),
    Seats(part("seats")),
  ];
});
