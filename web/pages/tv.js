// Entry of the TV page, which is read from a distance and has no controls.

import { Board } from "../board/board.js";
import { openPage } from "../core/shell.js";

openPage({ board: (el, context) => Board(el, context, { whole: true }) });
