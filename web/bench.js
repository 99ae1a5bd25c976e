// The bench: the simulated table with its board, its reader, its buttons and its cables, plugged together.

import { BenchBoard } from "./bench/board.js";
import { Buttons } from "./bench/buttons.js";
import { Cables } from "./bench/cables.js";
import { open, part } from "./open.js";
import { Bar } from "./parts/bar.js";
import { Deck } from "./parts/deck.js";

open((actions) => [
  [BenchBoard, part("bench-board")],
  [Deck, part("deck"), { tapped: (card) => actions.bench("scan", { card }) }],
  [Buttons, part("buttons")],
  [Cables, part("cables")],
  [Bar, part("bar")],
]);
