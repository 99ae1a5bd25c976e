// The room's view: what is read at three metres, and nothing to press.

import { Board } from "../board/board.js";
import { openPage } from "../core/shell.js";

openPage({ board: (el, context) => Board(el, context, { whole: true }) });
