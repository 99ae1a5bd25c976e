// Where the players count: a pad to claim points on, or to call muggins. Every claim, short or full, looks the same
// until its window has closed; only then the table tells the true count.

import { constants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick, setText } from "../core/dom.js";
import { seatName, sideOf } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";

/** @import { Dealt } from "./cribbage.js" */
/**
 * Somebody who may speak: to claim, or to call muggins.
 * @typedef {{ move: "claim" | "muggins", seat: number }} Speaker
 */

/**
 * Shown with counting=manual. Who claims is chosen for the players, and can be chosen anew.
 * @type {import("../core/component.js").Component}
 */
export function Claims(el, { actions }) {
  el.innerHTML = `<p class="window" role="status"></p><div class="counted"></div>
    <div class="claiming players"><div class="choices who"></div><div class="numbers"></div></div>`;
  const [window_, told, pad, who, numbers] =
    [".window", ".counted", ".claiming", ".who", ".numbers"].map((each) => findElement(el, each));
  /** @type {Dealt | null} */
  let newest = null;
  /** @type {Speaker | null} */
  let chosen = null;

  onButtonClick(el, (data) => {
    const move = (data.who ?? data.move) === "muggins" ? "muggins" : "claim";
    if (data.who) draw((chosen = { move, seat: Number(data.seat) }));
    else actions.makeMove({ type: move, seat: Number(data.seat), points: Number(data.points) });
  });

  /** @param {Speaker} speaker */
  function draw({ move, seat }) {
    const snapshot = newest;
    if (!snapshot) return;
    const isChosen = (/** @type {Speaker} */ each) => each.move === move && each.seat === seat;
    morphHtml(who, speakers(snapshot).map((each) => button(snapshot, each, isChosen(each))).join(""));
    morphHtml(numbers, points(snapshot.phase, move).map((n) => key(seatName(snapshot, seat), move, seat, n)).join(""));
  }

  return (/** @type {Dealt} */ snapshot) => {
    const isManual = snapshot.game.options.counting === "manual";
    el.hidden = !isManual;
    if (!isManual) return;
    if (newest?.run !== snapshot.run || newest?.moves !== snapshot.moves) chosen = likely(snapshot);
    newest = snapshot;
    const open = snapshot.window ?? null;
    setText(window_, open === null ? "" : formatMessage("{name} has claimed. Muggins may be called now.", { name: seatName(snapshot, open) }));
    morphHtml(told, open === null && snapshot.counted ? truth(snapshot, snapshot.counted) : "");
    pad.hidden = !chosen;
    if (chosen) draw(chosen);
  };
}

/**
 * Who will most likely speak now: who must claim, whose side may call, or who played last.
 * @param {Dealt} snapshot
 * @returns {Speaker | null}
 */
export function likely(snapshot) {
  const { phase, turn, window: open, last } = snapshot;
  if (phase === "claim" && typeof turn === "number") return { move: "claim", seat: turn };
  if (phase === "play" && last?.move.type === "play") return { move: "claim", seat: last.move.seat };
  return speakers(snapshot).find(({ seat, move }) => move === "muggins" || (open ?? null) === null && seat !== turn) ?? null;
}

/**
 * Everybody who may claim or call now, as far as anybody but the players knows.
 * @param {Dealt} snapshot
 * @returns {Speaker[]}
 */
export function speakers(snapshot) {
  const { phase, turn, window: open, game, players, alive, played, last } = snapshot;
  const seats = players.map(({ seat }) => seat).filter((seat) => alive?.includes(seat) ?? true);
  const claims = seats.filter((seat) => phase === "claim" ? seat === turn : phase === "play" && seat !== open && played[seat].length);
  const against = open ?? (last?.move.type === "play" ? last.move.seat : null);
  const isOther = (/** @type {number} */ seat) => against === null || sideOf(snapshot, seat) !== sideOf(snapshot, against);
  const isCalled = game.options.muggins === "on" && (typeof open === "number" || ["play", "go"].includes(last?.move.type ?? ""));
  const calls = isCalled ? seats.filter(isOther) : [];
  return [.../** @type {Speaker[]} */ (claims.map((seat) => ({ move: "claim", seat }))),
    .../** @type {Speaker[]} */ (calls.map((seat) => ({ move: "muggins", seat })))];
}

/**
 * @param {Dealt} snapshot
 * @param {Speaker} speaker
 * @param {boolean} isPressed
 */
const button = (snapshot, { move, seat }, isPressed) =>
  `<button type="button" class="button" data-who="${move}" data-seat="${seat}" aria-pressed="${isPressed}">
    ${escapeHtml((move === "claim" ? formatMessage("{name} claims", { name: seatName(snapshot, seat) }) : formatMessage("{name}: muggins", { name: seatName(snapshot, seat) })))}</button>`;

/**
 * The points that may be claimed or called: none that no hand can have, and 0 only of oneself.
 * @param {string} phase
 * @param {string} move
 */
export function points(phase, move) {
  const { most, most_in_play: mostInPlay, impossible } = constants.claims;
  const all = Array.from({ length: (move === "claim" && phase === "play" ? mostInPlay : most) + 1 }, (_, n) => n);
  return all.filter((n) => (n || move === "claim") && !impossible.includes(n));
}

/**
 * @param {string} name
 * @param {string} move
 * @param {number} seat
 * @param {number} n
 */
const key = (name, move, seat, n) =>
  `<button type="button" class="key" data-move="${move}" data-seat="${seat}" data-points="${n}"
    aria-label="${escapeHtml(move === "claim" ? formatMessage("{name} claims {n}", { name, n }) : formatMessage("{name} calls muggins for {n}", { name, n }))}">${n}</button>`;

/**
 * "Blue claimed 6, 2 missed: fifteen two, and a run of three is five."
 * @param {Dealt} snapshot
 * @param {Api.Counted} counted
 */
const truth = (snapshot, { seat, say: words }) =>
  `<p class="said-line"><span class="dot seat-${sideOf(snapshot, seat)}" aria-hidden="true"></span><span>${escapeHtml(words)}</span></p>`;
