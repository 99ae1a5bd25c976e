// The bench: the simulated table with its board, its reader, its buttons and its cables, plugged together.

import { BenchBoard } from "./bench/board.js";
import { Buttons } from "./bench/buttons.js";
import { Cables } from "./bench/cables.js";
import { open } from "./open.js";
import { Deck } from "./parts/deck.js";

open({
  board: BenchBoard,
  deck: (el, { actions }) => Deck(el, (card) => actions.bench("scan", { card })),
  buttons: Buttons,
  cables: Cables,
});
