// Claims of points and muggins, for games in which the players count. A claim looks the same whether it is right or not
// until its window has closed; only then the table shows the true count.

import { claimablePoints } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml, onButtonClick, setText } from "../core/dom.js";
import { seatName, sideOf } from "../core/format.js";
import { formatMessage } from "../core/i18n.js";
import { numberKeys, openMore } from "./number-keys.js";

/** @import { CardSnapshot } from "./cribbage.js" */
/**
 * A seat that may claim points or call muggins.
 * @typedef {{ move: "claim" | "muggins", seat: number }} Speaker
 */

/** The pad, shown with counting=manual. The likely speaker is preselected. @type {import("../core/component.js").Component} */
export function Claims(el, { actions }) {
  el.innerHTML = `<p class="window" role="status"></p><div class="counted"></div>
    <div class="claiming players"><div class="choices who"></div><div></div></div>`;
  const [window_, countedLine, pad, who, numbers] =
    [".window", ".counted", ".claiming", ".who", ".who + div"].map((each) => findElement(el, each));
  /** @type {CardSnapshot | null} */
  let newest = null;
  /** @type {Speaker | null} */
  let chosen = null;

  onButtonClick(el, (data) => {
    const move = (data.who ?? data.more ?? data.move) === "muggins" ? "muggins" : "claim", seat = Number(data.seat);
    const say = (/** @type {number} */ points) => actions.makeMove({ type: move, seat, points });
    if (data.more) return newest && openMore(claimEntry(newest, { move, seat }), say);
    return data.who ? draw((chosen = { move, seat })) : say(Number(data.points));
  });

  /** @param {Speaker} speaker */
  function draw({ move, seat }) {
    const snapshot = newest;
    if (!snapshot) return;
    const isChosen = (/** @type {Speaker} */ each) => each.move === move && each.seat === seat;
    morphHtml(who, possibleSpeakers(snapshot).map((each) => speakerButton(snapshot, each, isChosen(each))).join(""));
    morphHtml(numbers, numberKeys(claimEntry(snapshot, { move, seat }), seatName(snapshot, seat)));
  }

  return (/** @type {CardSnapshot} */ snapshot) => {
    const isManual = snapshot.game.options.counting === "manual";
    el.hidden = !isManual;
    if (!isManual) return;
    if (newest?.run !== snapshot.run || newest?.moves !== snapshot.moves) chosen = likelySpeaker(snapshot);
    newest = snapshot;
    const open = snapshot.window ?? null;
    setText(window_, open === null ? "" : formatMessage("{name} has claimed. Muggins may be called now.", { name: seatName(snapshot, open) }));
    morphHtml(countedLine, open === null && snapshot.counted ? trueCountLine(snapshot, snapshot.counted) : "");
    pad.hidden = !chosen;
    if (chosen) draw(chosen);
  };
}

/**
 * Return who will most likely speak now: the seat that must claim, one that may call muggins, or the last to play.
 * @param {CardSnapshot} snapshot
 * @returns {Speaker | null}
 */
export function likelySpeaker(snapshot) {
  const { phase, turn, window: open, last } = snapshot;
  if (phase === "claim" && typeof turn === "number") return { move: "claim", seat: turn };
  if (phase === "play" && last?.move.type === "play") return { move: "claim", seat: last.move.seat };
  return possibleSpeakers(snapshot).find(({ seat, move }) => move === "muggins" || (open ?? null) === null && seat !== turn) ?? null;
}

/**
 * Return all who may claim or call muggins now, as far as the table knows.
 * @param {CardSnapshot} snapshot
 * @returns {Speaker[]}
 */
export function possibleSpeakers(snapshot) {
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
 * Return the button that chooses a speaker.
 * @param {CardSnapshot} snapshot
 * @param {Speaker} speaker
 * @param {boolean} isPressed
 */
const speakerButton = (snapshot, { move, seat }, isPressed) =>
  `<button type="button" class="button" data-who="${move}" data-seat="${seat}" aria-pressed="${isPressed}">
    ${escapeHtml((move === "claim" ? formatMessage("{name} claims", { name: seatName(snapshot, seat) }) : formatMessage("{name}: muggins", { name: seatName(snapshot, seat) })))}</button>`;

/**
 * Return what a speaker may claim or call.
 * @param {CardSnapshot} snapshot
 * @param {Speaker} speaker
 * @returns {import("./number-keys.js").Entry}
 */
function claimEntry(snapshot, { move, seat }) {
  const name = seatName(snapshot, seat);
  const label = (/** @type {number} */ n) => (move === "claim" ? formatMessage("{name} claims {n}", { name, n }) : formatMessage("{name} calls muggins for {n}", { name, n }));
  return { move, seat, points: claimablePoints(snapshot.phase, move), label };
}

/**
 * Return the line with the true count: "Blue claimed 6, 2 missed: fifteen two, and a run of three is five."
 * @param {CardSnapshot} snapshot
 * @param {Api.Counted} counted
 */
const trueCountLine = (snapshot, { seat, say: words }) =>
  `<p class="count-line"><span class="dot seat-${sideOf(snapshot, seat)}" aria-hidden="true"></span><span>${escapeHtml(words)}</span></p>`;
