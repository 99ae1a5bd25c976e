// The simulated board: a click lifts or places a peg, and the lights show what was last sent to the pixels.

import { viewRotation } from "../../board/layout.js";
import { countRacers, boardState, boardStateDuringRoll } from "../../board/state.js";
import { createBoardPicture } from "../../board/svg.js";
import { holesInFocus, ROOMY_FRAME } from "../../board/viewport.js";
import { fetchApi, fetchBoard } from "../../core/api.js";
import { escapeHtml, findElement, morphHtml, onButtonClick, setText } from "../../core/dom.js";
import { holeSpokenName, sideName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { SEAT, twoColumnQuery } from "../../core/preferences.js";
import { deferDuringRoll } from "../../games/dice-animation.js";
import { findGame } from "../../games/index.js";
import { createFaultPanel } from "./faults.js";
import { createHeldPegs } from "./held-pegs.js";
import { addPointerControls } from "./pointer.js";

/** @import { Peg } from "./held-pegs.js" */
/**
 * The picture of a board for a number of racers, and the pegs on it.
 * @typedef {{ board: Api.Board, seats: number, picture: ReturnType<typeof createBoardPicture>, hand: ReturnType<typeof createHeldPegs> }} BenchLayout
 */

const POLL_MS = 130;
const POLLS_PER_HOLE_POLL = 4;

/** The simulated board with its controls. A screen reader hears the hole under the cursor. @type {import("../../core/component.js").Component} */
export function BenchBoard(el, { actions, isPlayer }) {
  el.innerHTML = `<div class="plank"></div><p class="unseen" role="status"></p>
    <div class="below-board"><div class="hand-line" role="group" aria-label="${formatMessage("In the hand")}"></div>
      <button type="button" class="button" data-near aria-pressed="false">${formatMessage("Zoom to the pegs")}</button></div>`;
  const [plank, spoken, line, near] = [".plank", "[role=status]", ".hand-line", "[data-near]"].map((each) => findElement(el, each));
  const [slips, breaks, failing] = ["[data-slips]", "[data-breaks]", ".faults"].map((each) => findElement(document, `.mishaps ${each}`));
  const isOn = (/** @type {HTMLElement} */ button) => button.getAttribute("aria-pressed") === "true";
  for (const button of [near, slips, breaks]) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(!isOn(button)));
      if (button === breaks) faults.setActive(isOn(breaks));
      redraw();
    });
  }
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {BenchLayout | null} */
  let layout = null;
  let openPosts = 0;
  let touches = 0;
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();

  let toState = boardState;
  const showSnapshot = deferDuringRoll(() => ((toState = boardState), redraw()), () => ((toState = boardStateDuringRoll), redraw()));

  const faults = createFaultPanel(failing, {
    send: async (body) => (await actions.postToBench("fault", body), pollFaults()),
    onChange: () => layout?.picture.showFaults(faults.faultyHoles()),
    focusBoard: () => layout?.picture.svg.focus({ preventScroll: true }),
  });

  onButtonClick(line, ({ peg = "" }) => {
    layout?.hand.chooseNext(peg);
    redraw();
  });

  /**
   * Lift or place a peg at a hole, first in the picture, then on the simulated board.
   * @param {BenchLayout["hand"]} hand
   * @param {string} hole
   */
  function touch(hand, hole) {
    if (!isPlayer()) return actions.showRefusal(formatMessage("Only players move the pegs."));
    if (isOn(breaks)) return faults.chooseHole(hole);
    const lifts = hand.pegAt.has(hole);
    const due = newest?.dues.find(({ place, lift }) => place === hole && hand.pegAt.has(lift));
    if (!lifts && !hand.inHand.length && due) touch(hand, due.lift); // a tap on a target moves its peg there
    else if (!lifts && !hand.inHand.length) return actions.showRefusal(formatMessage("No peg in hand. Lift one first."));
    const at = !lifts && isOn(slips) ? neighbourOf(hole, hand) : hole;
    if (lifts) hand.lift(hole);
    else hand.place(at);
    redraw();
    touches += 1;
    openPosts += 1;
    queue = queue.then(() => actions.postToBench("holes", { [lifts ? "lift" : "place"]: at })).then(() => (openPosts -= 1));
    return undefined;
  }

  /**
   * Return the free hole next to the intended one.
   * @param {string} hole
   * @param {BenchLayout["hand"]} hand
   */
  function neighbourOf(hole, hand) {
    const holes = layout?.picture.holes ?? new Map();
    const { x_mm: x, y_mm: y } = holes.get(hole) ?? { x_mm: 0, y_mm: 0 };
    const free = [...holes.values()].filter(({ id }) => id !== hole && !hand.pegAt.has(id));
    const far = (/** @type {Api.Hole} */ each) => Math.hypot(each.x_mm - x, each.y_mm - y);
    return free.length ? free.reduce((a, b) => (far(b) < far(a) ? b : a)).id : hole;
  }

  /**
   * Draw a board.
   * @param {Api.Board} board
   * @param {Api.Snapshot} snapshot
   * @returns {BenchLayout}
   */
  function createLayout(board, snapshot) {
    const seats = countRacers(snapshot);
    const picture = createBoardPicture(plank, board, { seats, turn: viewRotation(board.holes, snapshot.game.seats, SEAT, twoColumnQuery().matches) });
    const seatAt = (/** @type {string} */ id) => likelySeat(newest ?? snapshot, id) ?? picture.holes.get(id)?.seat ?? null;
    const hand = layout?.board === board ? layout.hand : createHeldPegs(findGame(snapshot).pegCounts(snapshot), seatAt);
    const describeHole = (/** @type {string} */ hole) => `${holeSpokenName(hole)}, ${hand.pegAt.has(hole) ? formatMessage("has a peg") : formatMessage("empty")}${faults.describeFault(hole)}`;
    addPointerControls(picture, {
      touchHole: (hole) => touch(hand, hole),
      onHole: (hole) => setText(spoken, describeHole(hole)),
      hasPeg: (hole) => hand.pegAt.has(hole) && isPlayer(),
      getCarriedPeg: () => hand.inHand[hand.inHand.length - 1] ?? null,
    });
    picture.showFaults(faults.faultyHoles());
    return { board, seats, picture, hand };
  }

  function redraw() {
    if (!newest || !layout) return;
    const { picture, hand } = layout;
    for (const { seat, front, back } of newest.pegs) hand.setOwner(front, seat), hand.setOwner(back, seat);
    const pegs = [...hand.pegAt].map(([hole, peg]) => ({ hole, ...peg, front: true }));
    const state = { ...toState(newest), pegs, dice: null };
    picture.showState(state);
    picture.zoomTo(isOn(near) ? holesInFocus({ ...state, lift: [], pegs: newest.markers ? pegs : boardState(newest).pegs }) : [], picture.isUpright ? ROOMY_FRAME : undefined);
    const chips = hand.inHand.map((peg, i) => pegButton(peg, newest, i === hand.inHand.length - 1));
    morphHtml(line, chips.length ? `<span>${formatMessage("In the hand:")}</span>${chips.join("")}` : `<span>${formatMessage("Click a peg to lift it.")}</span>`);
  }

  /**
   * Load the state of the simulated board. Holes are loaded every few turns, and not while a request of the user is open;
   * an answer from before the newest touch is ignored.
   * @param {BenchLayout} now
   * @param {number} turn
   */
  async function pollOnce({ picture, hand, board }, turn) {
    try {
      if (openPosts === 0 && turn % POLLS_PER_HOLE_POLL === 0) {
        const touchesBefore = touches;
        const { occupied } = await fetchApi("/api/bench/holes");
        if (touches === touchesBefore) hand.setOccupied(occupied), redraw();
        await pollFaults();
      }
      picture.showLights(await fetchApi("/api/bench/lights"));
      if (board.dice) picture.showDiceLights((await fetchApi("/api/bench/dice")).pips);
    } catch {
      // The link status shows that the table cannot be reached.
    }
  }

  async function pollFaults() {
    faults.setFaults((await fetchApi("/api/bench/fault")).faults);
  }

  /** Poll while the page is visible and the table answers. */
  async function poll(turn = 0) {
    if (layout && document.visibilityState === "visible" && document.body.dataset.link !== "lost") await pollOnce(layout, turn);
    setTimeout(poll, POLL_MS, turn + 1);
  }

  poll();
  return async (snapshot) => {
    const another = newest?.run !== snapshot.run || layout?.seats !== countRacers(snapshot);
    newest = snapshot;
    const board = await fetchBoard(snapshot).catch(() => null);
    if (board && (another || board !== layout?.board)) await pollOnce((layout = createLayout(board, snapshot)), 0);
    if (board && newest === snapshot) showSnapshot(snapshot);
  };
}

/**
 * Return the seat whose peg probably stands in a hole according to the table, or null.
 * @param {Api.Snapshot} snapshot
 * @param {string} id
 */
const likelySeat = ({ pegs, advice }, id) =>
  pegs.find(({ front, back }) => front === id || back === id)?.seat
  ?? advice.find(({ lift, seat }) => lift === id && seat !== null)?.seat ?? null;

/**
 * Return the button of a peg in the hand.
 * @param {Peg} peg
 * @param {Api.Snapshot | null} snapshot
 * @param {boolean} isNext
 */
const pegButton = ({ seat, name }, snapshot, isNext) =>
  `<button type="button" class="button chip" data-peg="${escapeHtml(name)}" aria-pressed="${isNext}">
    <span class="dot seat-${seat ?? "none"}" aria-hidden="true"></span>${seat === null || !snapshot ? formatMessage("A peg") : escapeHtml(sideName(snapshot, seat))}</button>`;
