// The phone page: the one place where its parts are plugged together.

import { Board } from "../board/board.js";
import { CardPad } from "../components/card-pad.js";
import { MyHand } from "../components/my-hand.js";
import { PlayerNames } from "../components/player-names.js";
import { PlayerPhones } from "../components/player-phones.js";
import { SeatView } from "../components/seat-view.js";
import { findElement } from "../core/dom.js";
import { twoColumnQuery } from "../core/preferences.js";
import { AppFeatures, registerServiceWorker } from "../core/pwa.js";
import { findPart, openPage } from "../core/shell.js";
import { findGame } from "../games/index.js";

const query = twoColumnQuery();
const [told, things, foot] = findElement(document, "main").children;
const CROWDED = 0.55;
/** @type {Api.Snapshot | null} */
let newest = null;

/**
 * Tab goes where the eye goes. In one column the board's part with the pegs stands before the cards, or where the game
 * is played elsewhere, after them; the cards to tap are at the thumb. In two columns board and cards are beside.
 */
function arrange() {
  const isBefore = newest !== null && findGame(newest).isRace;
  if (query.matches) things.prepend(findPart("board"), findPart("deck")), told.append(foot);
  else {
    findElement(foot, "[data-part=error]").after(findPart("deck"));
    findElement(document, "main").append(foot);
    findElement(told, isBefore ? "[data-part=pegging]" : "[data-part=notices]").after(findPart("board"));
  }
}

/**
 * The board, in the place that this game has for it.
 * @type {import("../core/component.js").Component}
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
  const stuck = findElement(told, ".head").clientHeight + findPart("bar").clientHeight;
  document.body.classList.toggle("crowded", stuck > CROWDED * innerHeight);
}

query.addEventListener("change", arrange);
arrange();
const sizes = new ResizeObserver(leaveRoom);
for (const each of [findElement(told, ".head"), findPart("bar")]) sizes.observe(each);
openPage({ board: Placed, deck: (el, { actions }) => CardPad(el, actions.enterCard), phones: PlayerPhones, seats: SeatView, own: MyHand, names: PlayerNames, app: AppFeatures });
registerServiceWorker();
