// Entry of the phone page.

import { Board } from "../../board/board.js";
import { loadScan, mayWatchAgain } from "../../components/camera/scan-button.js";
import { CardPad, enterCard } from "../../components/cards/card-pad.js";
import { MyHand } from "../../components/cards/my-hand.js";
import { Menu, menu } from "../../components/setup/menu.js";
import { loadedWhen } from "../../core/component.js";
import { findElement } from "../../core/dom.js";
import { registerServiceWorker, twoColumnQuery } from "../../core/preferences.js";
import { applySeatColours } from "../../core/seat-colours.js";
import { findGame } from "../../games/index.js";
import { keepsScore } from "../../games/pegs-only.js";
import { findPart, openPage } from "../shell.js";
import { AppFeatures } from "./pwa.js";

const query = twoColumnQuery();
const [statusColumn, contentColumn, footer] = [".status-column", ".content-column", ".foot"].map((each) => findElement(document, each));
const MAX_STICKY_FRACTION = 0.55;
const MAX_COVERED_FRACTION = 0.85; // with the cards or keys of this phone
/** @type {Api.Snapshot | null} */
let newest = null;

/**
 * Arrange the page so that the tab order follows the layout. In one column the board comes above the cards in a race and
 * below the panel in other games, and the card pad is within reach of the thumb; in two columns they are side by side.
 * The cards of this phone stand at the bottom, above the bar, and so do the keys where a score is kept by phone; in two
 * columns the cards stand below the board.
 */
function arrangePage() {
  const isKept = newest !== null && keepsScore(newest);
  findPart("pegging").after(findPart("said"));
  if (query.matches || !isKept) findPart("review").after(findPart("panel"));
  if (query.matches) contentColumn.prepend(findPart("board"), findPart("own"), findPart("deck")), statusColumn.append(footer);
  else {
    findElement(document, "main").append(footer);
    footer.before(findPart("own"));
    placePad();
    if (isKept) findPart("error").after(findPart("panel"));
    placeBoard();
  }
}

/** Whether a question or wrong pegs wait for an answer. */
const isAnswerDue = () => document.querySelector(".question:not([hidden]), .problem") !== null;

/** Place the card pad of a phone: within reach of the thumb, but below an answer that is due, and the page scrolls. */
function placePad() {
  const deck = findPart("deck"), pegging = findPart("pegging"), focused = document.activeElement;
  const isBelow = deck.classList.contains("open") && isAnswerDue();
  if (query.matches || deck === (isBelow ? pegging.nextElementSibling : footer.previousElementSibling)) return;
  if (isBelow) pegging.after(deck);
  else footer.before(deck);
  if (focused instanceof HTMLElement && deck.contains(focused)) focused.focus({ preventScroll: true });
}

/** Whether the players count, and tap their claims here. */
const isCounted = (/** @type {Api.Snapshot | null} */ snapshot) => snapshot?.game.options.counting === "manual";

/** Whether cards or claims of a deal are entered here: claims and a board of the players' own always ask for them, else the open card pad. */
const entersCards = (/** @type {Api.Snapshot} */ snapshot) => !keepsScore(snapshot)
  && (isCounted(snapshot) || (!snapshot.game.against && (snapshot.game.pegs === "plain" || document.body.classList.contains("pad-used"))));

/** Place the board of a phone: above the cards in a race, but below what is entered. */
function placeBoard() {
  if (newest) document.body.classList.toggle("enters-cards", entersCards(newest));
  if (query.matches) return;
  const isKept = newest !== null && keepsScore(newest);
  const isBefore = newest !== null && findGame(newest).isRace && !isKept && !entersCards(newest);
  findPart(isBefore ? "pegging" : isKept ? "said" : "panel").after(findPart("board"));
}

/** The board at the place that suits the game. @type {import("../../core/component.js").Component} */
function PlacedBoard(el, context) {
  const draw = Board(el, context);
  /** @type {import("../../games/game.js").Game | null} */
  let arrangedFor = null; // another one once the module of the game is loaded
  return (snapshot) => {
    const isOtherGame = findGame(snapshot) !== arrangedFor || newest?.game.pegs !== snapshot.game.pegs || !newest?.game.against !== !snapshot.game.against || isCounted(newest) !== isCounted(snapshot);
    newest = snapshot;
    arrangedFor = findGame(snapshot);
    applySeatColours(snapshot);
    document.body.classList.toggle("reads-pegs", snapshot.game.pegs !== "plain" && findGame(snapshot).isRace);
    if (isOtherGame) arrangePage();
    return draw(snapshot);
  };
}

/** The card pad of this table. @type {import("../../core/component.js").Component} */
function PlayedCards(el, { actions, isPlayer }) {
  /** @type {import("../../components/camera/scan.js").EnterCard} */
  const enter = (card, snapshot) => enterCard(actions, card, snapshot);
  const draw = CardPad(el, enter, async (newest) => (await loadScan(actions))?.scanForTable(actions, newest, enter));
  let isFirst = true;
  return async (snapshot) => {
    const wasFirst = isFirst;
    isFirst &&= !isPlayer();
    draw(snapshot);
    if (wasFirst && !isFirst && await mayWatchAgain()) (await loadScan(actions))?.watchForTable(() => newest, enter);
  };
}

const FirstChoice = loadedWhen(({ moves }, isPlayer) => moves === 0 && isPlayer, async () => (await import("../../components/setup/ways-to-play.js")).FirstChoice);
const PegPlaces = loadedWhen(({ game }) => game.pegs === "plain", async () => (await import("../../components/cards/peg-places.js")).PegPlaces);
const GameEnd = loadedWhen(({ phase }) => phase === "over", async () => (await import("../../components/history/game-end.js")).GameEnd);

/** Parts of the menu that are loaded when it is opened. */
const MENU_PARTS = {
  mending: loadedWhen(() => menu.wasOpened, async () => (await import("../../components/history/corrections.js")).Corrections),
  names: loadedWhen(() => menu.wasOpened, async () => (await import("../../components/setup/players.js")).PlayerNames),
  phones: loadedWhen(() => menu.wasOpened, async () => (await import("../../components/setup/players.js")).PlayerPhones),
  seats: loadedWhen(() => menu.wasOpened, async () => (await import("../../components/setup/players.js")).SeatView),
};

/** With large letters, sticky elements may cover most of the screen: then they scroll with the page. The last count sticks below the head. */
function updateCrowded() {
  const [head, bar, foot, own, pad] = [findElement(statusColumn, ".head"), findPart("bar"), footer, findPart("own"), findPart("deck")].map((each) => each.offsetHeight);
  document.body.style.setProperty("--head-height", `${head}px`);
  document.body.style.setProperty("--bar-height", `${foot}px`);
  document.body.style.setProperty("--foot-height", `${query.matches ? 0 : foot + own + pad}px`);
  document.body.classList.toggle("crowded", head + bar > MAX_STICKY_FRACTION * innerHeight || head + foot + own > MAX_COVERED_FRACTION * innerHeight);
}

query.addEventListener("change", arrangePage);
arrangePage();
new MutationObserver(() => { // the bar has opened or closed the pad
  const { classList: pad } = findPart("deck"), { classList: body } = document.body, isOpen = pad.contains("open");
  const wasUsed = body.contains("pad-used"), isUsed = isOpen || pad.contains("paused");
  body.toggle("pad-open", isOpen && !pad.contains("idle"));
  body.toggle("pad-used", isUsed);
  placeBoard();
  placePad();
  if (isUsed && !wasUsed && !isAnswerDue()) findElement(document, "main").scrollIntoView(); // there it stays from deal to deal
}).observe(findPart("deck"), { attributeFilter: ["class"] });
const answers = new MutationObserver(placePad);
for (const each of [findPart("question"), findPart("pegging")]) answers.observe(each, { attributeFilter: ["hidden"], childList: true, subtree: true });
const sizes = new ResizeObserver(updateCrowded);
for (const each of [findElement(statusColumn, ".head"), findPart("bar"), findPart("deck"), findPart("own"), footer]) sizes.observe(each);
openPage({ board: PlacedBoard, deck: PlayedCards, ...MENU_PARTS, own: MyHand, places: PegPlaces, app: AppFeatures, ways: FirstChoice, end: GameEnd, menu: Menu });
registerServiceWorker();
