// What is heard of a snapshot: sentences to be spoken, and a chime. Pure.

import { sideName } from "../core/format.js";
import { gameOf } from "../games/index.js";
import { chime, wake } from "./chimes.js";

const QUIET = ["peg_forward", "peg_back", "waiting"];
/** Moves that put something right: of these only what stands then is said. */
const MENDING = ["undo", "adjust", "correct", "misdeal"];

/**
 * What is to be said of the newer of two snapshots of one run, sentence by sentence.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 * @returns {string[]}
 */
export function spoken(before, now) {
  const said = before.moves === now.moves ? [] : moved(before, now);
  const turns = said.length && (before.phase !== now.phase || before.turn !== now.turn) ? [gameOf(now).turn(now)] : [];
  const asks = now.question && now.question.why !== before.question?.why ? [now.question.why] : [];
  const known = new Set([...before.advice.map(({ say }) => say), ...asks]);
  const amiss = now.advice.filter(({ kind, say }) => !QUIET.includes(kind) && !known.has(say)).map(({ say }) => say);
  return [...said, ...turns, ...asks, ...amiss];
}

/**
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
function moved(before, now) {
  if (!now.last) return [];
  if (!MENDING.includes(now.last.move.type)) return now.last.said;
  const changed = now.scores.flatMap((score, side) => (score === before.scores[side] ? [] : [`${sideName(now, side)}: ${score}.`]));
  return changed.length ? changed : now.last.said.slice(0, 1);
}

/**
 * The chime for what happened, if anything did: the rarest comes first.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
export function chimeOf(before, now) {
  const isMove = before.moves !== now.moves && !MENDING.includes(now.last?.move.type ?? "");
  const amiss = (/** @type {Api.Snapshot} */ { advice, question }) =>
    Number(question !== null) + advice.filter(({ kind }) => !QUIET.includes(kind) && kind !== "ask").length;
  if (isMove && now.winner !== null && before.winner === null) return "win";
  if (isMove && now.last?.knocked_out?.length) return "capture";
  if (isMove && now.plays?.some(({ result }) => result === "run") && String(now.scores) !== String(before.scores)) return "home-run";
  if (amiss(now) > amiss(before)) return "wrong";
  if (isMove && now.last?.move.type === "go") return "go";
  return now.dues.length < before.dues.length && !isMove ? "right" : "";
}

// How a table is heard: what happened between two snapshots, as a chime and in speech. Comes when sound is turned on.

/** A browser makes no sound before somebody has touched the page: call this when somebody does. */
export const listen = () => wake();

/**
 * What is newer ends what is still being said.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
export function tell(before, now) {
  const [sound, words] = [chimeOf(before, now), spoken(before, now)];
  if (sound) chime(sound);
  if (!words.length || !globalThis.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(words.join(" "));
  speech.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}
