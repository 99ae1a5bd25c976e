// The phone page: the one place where its parts are plugged together.

import { Board } from "./board/board.js";
import { find } from "./html.js";
import { open, part } from "./open.js";
import { Deck } from "./parts/deck.js";
import { Phones } from "./parts/phones.js";
import { Seats } from "./parts/seats.js";
import { wide } from "./screen.js";

const query = wide();

/** Tab goes where the eye goes: in one column the cards lie under the scores and the bar is last, in two they are not. */
function arrange() {
  const [told, things] = find(document, "main").children;
  if (query.matches) part("board").after(part("deck"));
  else find(told, ".head").after(part("deck"));
  (query.matches ? told : things).append(part("error"), part("bar"));
}

query.addEventListener("change", arrange);
arrange();
open({ board: Board, deck: (el, { actions }) => Deck(el, actions.card), phones: Phones, seats: Seats });
