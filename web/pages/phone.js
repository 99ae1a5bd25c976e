// The phone page: the one place where its parts are plugged together.

import { Board } from "../board/board.js";
import { Deck } from "../components/card-pad.js";
import { Own } from "../components/my-hand.js";
import { Names } from "../components/player-names.js";
import { Phones } from "../components/player-phones.js";
import { Seats } from "../components/seat-view.js";
import { find } from "../core/dom.js";
import { wide } from "../core/preferences.js";
import { App, keepPage } from "../core/pwa.js";
import { open, part } from "../core/shell.js";
import { gameOf } from "../games/index.js";

const query = wide();
const [told, things, foot] = find(document, "main").children;
const CROWDED = 0.55;
/** @type {Api.Snapshot | null} */
let newest = null;

/**
 * Tab goes where the eye goes. In one column the board's part with the pegs stands before the cards, or where the game
 * is played elsewhere, after them; the cards to tap are at the thumb. In two columns board and cards are beside.
 */
function arrange() {
  const isBefore = newest !== null && gameOf(newest).races;
  if (query.matches) things.prepend(part("board"), part("deck")), told.append(foot);
  else {
    find(foot, "[data-part=error]").after(part("deck"));
    find(document, "main").append(foot);
    find(told, isBefore ? "[data-part=pegging]" : "[data-part=notices]").after(part("board"));
  }
}

/**
 * The board, in the place that this game has for it.
 * @type {import("../core/component.js").Part}
 */
function Placed(el, context) {
  const draw = Board(el, context);
  return (snapshot) => {
    const another = newest?.game.key !== snapshot.game.key;
    newest = snapshot;
    if (another) arrange();
    return draw(snapshot);
  };
}

/** Where letters are large, what sticks to the edges must leave room between. */
function leaveRoom() {
  const stuck = find(told, ".head").clientHeight + part("bar").clientHeight;
  document.body.classList.toggle("crowded", stuck > CROWDED * innerHeight);
}

query.addEventListener("change", arrange);
arrange();
const sizes = new ResizeObserver(leaveRoom);
for (const each of [find(told, ".head"), part("bar")]) sizes.observe(each);
open({ board: Placed, deck: (el, { actions }) => Deck(el, actions.card), phones: Phones, seats: Seats, own: Own, names: Names, app: App });
keepPage();
