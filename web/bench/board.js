// The simulated board, large: a click lifts a peg or sets one down, and the lights glow as they were last sent.

import { turning } from "../board/layout.js";
import { racing, stateOf, stateUntold } from "../board/state.js";
import { Picture } from "../board/svg.js";
import { looked, ROOMY } from "../board/viewport.js";
import { fetchApi, fetchBoard } from "../core/api.js";
import { escapeHtml, findElement, morphHtml, onButtonClick, setText } from "../core/dom.js";
import { holeSpokenName, sideName } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { SEAT, twoColumnQuery } from "../core/preferences.js";
import { Held } from "../games/dice-animation.js";
import { gameOf } from "../games/index.js";
import { Faults } from "./faults.js";
import { Hand } from "./held-pegs.js";
import { steer } from "./pointer.js";

/** @import { Peg } from "./held-pegs.js" */
/**
 * What is laid out for a table and a number of racers: the picture, and the pegs on it.
 * @typedef {{ board: Api.Board, seats: number, picture: ReturnType<typeof Picture>, hand: ReturnType<typeof Hand> }} Laid
 */

const LIGHTS_MS = 130;
const HOLES_EACH = 4;

/**
 * `el` has places for the picture, the hand and what is said of the hole one is at.
 * @type {import("../core/component.js").Component}
 */
export function BenchBoard(el, { actions, plays }) {
  el.innerHTML = `<div class="plank"></div><p class="unseen" role="status"></p>
    <div class="hand-line" role="group" aria-label="${formatMessage("In the hand")}"></div>
    <div class="choices"><button type="button" class="button" data-near aria-pressed="false">${formatMessage("Near the pegs")}</button>
      <button type="button" class="button" data-slips aria-pressed="false">${formatMessage("A hand that slips")}</button>
      <button type="button" class="button players" data-breaks aria-pressed="false">${formatMessage("Break a sensor")}</button></div>
    <div class="choices faults players" role="group" aria-label="${formatMessage("Sensors that fail")}"></div>`;
  const [plank, spoken, line, near, slips, breaks, failing] =
    [".plank", "[role=status]", ".hand-line", "[data-near]", "[data-slips]", "[data-breaks]", ".faults"].map((each) => findElement(el, each));
  const isOn = (/** @type {HTMLElement} */ button) => button.getAttribute("aria-pressed") === "true";
  for (const button of [near, slips, breaks]) {
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(!isOn(button)));
      if (button === breaks) faults.turn(isOn(breaks));
      show();
    });
  }
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {Laid | null} */
  let laid = null;
  let posts = 0;
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();

  let seen = stateOf;
  const settle = Held(() => ((seen = stateOf), show()), () => ((seen = stateUntold), show()));

  const faults = Faults(failing, {
    send: async (body) => (await actions.postToBench("fault", body), lookAtFaults()),
    changed: () => laid?.picture.fail(faults.broken()),
    back: () => laid?.picture.svg.focus({ preventScroll: true }),
  });

  onButtonClick(line, ({ peg = "" }) => {
    laid?.hand.choose(peg);
    show();
  });

  /**
   * Lift the peg of this hole, or set one down in it; first here, then on the board.
   * @param {Laid["hand"]} hand
   * @param {string} hole
   */
  function touch(hand, hole) {
    if (!plays()) return actions.showRefusal(formatMessage("Only players move the pegs."));
    if (isOn(breaks)) return faults.choose(hole);
    const lifts = hand.where.has(hole);
    const due = newest?.dues.find(({ place, lift }) => place === hole && hand.where.has(lift));
    if (!lifts && !hand.loose.length && due) touch(hand, due.lift); // the due itself is tapped: its peg comes here
    else if (!lifts && !hand.loose.length) return actions.showRefusal(formatMessage("The hand is empty: lift a peg first."));
    const at = !lifts && isOn(slips) ? slipped(hole, hand) : hole;
    if (lifts) hand.lift(hole);
    else hand.place(at);
    show();
    posts += 1;
    queue = queue.then(() => actions.postToBench("holes", { [lifts ? "lift" : "place"]: at })).then(() => (posts -= 1));
    return undefined;
  }

  /**
   * The free hole beside the one that was meant.
   * @param {string} hole
   * @param {Laid["hand"]} hand
   */
  function slipped(hole, hand) {
    const holes = laid?.picture.holes ?? new Map();
    const { x_mm: x, y_mm: y } = holes.get(hole) ?? { x_mm: 0, y_mm: 0 };
    const free = [...holes.values()].filter(({ id }) => id !== hole && !hand.where.has(id));
    const far = (/** @type {Api.Hole} */ each) => Math.hypot(each.x_mm - x, each.y_mm - y);
    return free.length ? free.reduce((a, b) => (far(b) < far(a) ? b : a)).id : hole;
  }

  /**
   * @param {Api.Board} board
   * @param {Api.Snapshot} snapshot
   * @returns {Laid}
   */
  function lay(board, snapshot) {
    const seats = racing(snapshot);
    const picture = Picture(plank, board, { seats, turn: turning(board.holes, snapshot.game.seats, SEAT, twoColumnQuery().matches) });
    const seatAt = (/** @type {string} */ id) => likely(newest ?? snapshot, id) ?? picture.holes.get(id)?.seat ?? null;
    const hand = laid?.board === board ? laid.hand : Hand(gameOf(snapshot).pegs(snapshot), seatAt);
    const told = (/** @type {string} */ hole) => `${holeSpokenName(hole)}, ${hand.where.has(hole) ? formatMessage("a peg in it") : formatMessage("empty")}${faults.told(hole)}`;
    steer(picture, {
      touch: (hole) => touch(hand, hole),
      at: (hole) => setText(spoken, told(hole)),
      holds: (hole) => hand.where.has(hole) && plays(),
      carried: () => hand.loose[hand.loose.length - 1] ?? null,
    });
    picture.fail(faults.broken());
    return { board, seats, picture, hand };
  }

  function show() {
    if (!newest || !laid) return;
    const { picture, hand } = laid;
    for (const { seat, front, back } of newest.pegs) hand.know(front, seat), hand.know(back, seat);
    const pegs = [...hand.where].map(([hole, peg]) => ({ hole, ...peg, front: true }));
    const state = { ...seen(newest), pegs, dice: null };
    picture.show(state);
    picture.look(isOn(near) ? looked({ ...state, lift: [], pegs: newest.markers ? pegs : stateOf(newest).pegs }) : [], picture.isUpright ? ROOMY : undefined);
    const chips = hand.loose.map((peg, i) => chip(peg, newest, i === hand.loose.length - 1));
    morphHtml(line, chips.length ? `<span>${formatMessage("In the hand:")}</span>${chips.join("")}` : `<span>${formatMessage("Click a peg to lift it.")}</span>`);
  }

  /**
   * How the simulated board is now; its holes not on every turn, and not while a hand is at them.
   * @param {Laid} now
   * @param {number} turn
   */
  async function look({ picture, hand, board }, turn) {
    try {
      if (posts === 0 && turn % HOLES_EACH === 0) {
        const { occupied } = await fetchApi("/api/bench/holes");
        if (posts === 0) hand.see(occupied), show();
        await lookAtFaults();
      }
      picture.glow(await fetchApi("/api/bench/lights"));
      if (board.dice) picture.pips((await fetchApi("/api/bench/dice")).pips);
    } catch {
      // The link tells when the table cannot be reached.
    }
  }

  async function lookAtFaults() {
    faults.see((await fetchApi("/api/bench/fault")).faults);
  }

  /** Look again and again, while somebody can see it and the table answers. */
  async function watch(turn = 0) {
    if (laid && document.visibilityState === "visible" && document.body.dataset.link !== "lost") await look(laid, turn);
    setTimeout(watch, LIGHTS_MS, turn + 1);
  }

  watch();
  return async (snapshot) => {
    const another = newest?.run !== snapshot.run || laid?.seats !== racing(snapshot);
    newest = snapshot;
    const board = await fetchBoard(snapshot).catch(() => null);
    if (board && (another || board !== laid?.board)) await look((laid = lay(board, snapshot)), 0);
    if (board && newest === snapshot) settle(snapshot);
  };
}

/**
 * Whose peg stands in a hole by what the table says of it; null where it says nothing.
 * @param {Api.Snapshot} snapshot
 * @param {string} id
 */
const likely = ({ pegs, advice }, id) =>
  pegs.find(({ front, back }) => front === id || back === id)?.seat
  ?? advice.find(({ lift, seat }) => lift === id && seat !== null)?.seat ?? null;

/**
 * @param {Peg} peg
 * @param {Api.Snapshot | null} snapshot
 * @param {boolean} isNext
 */
const chip = ({ seat, name }, snapshot, isNext) =>
  `<button type="button" class="button chip" data-peg="${escapeHtml(name)}" aria-pressed="${isNext}">
    <span class="dot seat-${seat ?? "none"}" aria-hidden="true"></span>${seat === null || !snapshot ? formatMessage("A peg") : escapeHtml(sideName(snapshot, seat))}</button>`;
