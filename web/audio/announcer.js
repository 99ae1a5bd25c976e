// What a listener hears of a change: the sentences to speak and the chime to play, and the functions that do so. Loaded
// when sound is turned on.

import { isCorrection, sideName } from "../core/format.js";
import { findGame } from "../games/index.js";
import { playChime, unlockAudio } from "./chimes.js";

const SILENT_ADVICE = ["peg_forward", "peg_back", "waiting"];

/**
 * Return the sentences to speak for the newer of two snapshots of one run.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 * @returns {string[]}
 */
export function sentencesFor(before, now) {
  const moves = before.moves === now.moves ? [] : describeLastMove(before, now);
  const turns = moves.length && (before.phase !== now.phase || before.turn !== now.turn) ? [findGame(now).turnSentence(now)] : [];
  const questions = now.question && now.question.why !== before.question?.why ? [now.question.why] : [];
  if (now.ruling && now.ruling.say !== before.ruling?.say) questions.push(now.ruling.say);
  const known = new Set([...before.advice.map(({ say }) => say), ...questions]);
  const problems = now.advice.filter(({ kind, say }) => !SILENT_ADVICE.includes(kind) && !known.has(say)).map(({ say }) => say);
  return [...moves, ...turns, ...questions, ...problems];
}

/**
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
function describeLastMove(before, now) {
  if (!now.last) return [];
  if (!isCorrection(now.last.move)) return now.last.said; // of a correction only the result is spoken
  const changed = now.scores.flatMap((score, side) => (score === before.scores[side] ? [] : [`${sideName(now, side)}: ${score}.`]));
  return changed.length ? changed : now.last.said.slice(0, 1);
}

/**
 * Return the name of the chime for a change, or "". The rarest event comes first.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
export function chimeFor(before, now) {
  const isMove = before.moves !== now.moves && !(now.last && isCorrection(now.last.move));
  const countProblems = (/** @type {Api.Snapshot} */ { advice, question }) =>
    Number(question !== null) + advice.filter(({ kind }) => !SILENT_ADVICE.includes(kind) && kind !== "ask").length;
  const isUndone = now.last?.move.type === "undo";
  if (before.moves !== now.moves && !isUndone && now.winner !== null && before.winner === null) return "win"; // when the lights celebrate
  if (isMove && now.last?.knocked_out?.length) return "capture";
  if (isMove && now.plays?.some(({ result }) => result === "run") && String(now.scores) !== String(before.scores)) return "home-run";
  if (countProblems(now) > countProblems(before)) return "wrong";
  if (isMove && now.last?.move.type === "go") return "go";
  return now.dues.length < before.dues.length && !isMove ? "right" : "";
}

/** Unlock audio. Browsers play no sound before the page has been touched: call this from an event handler. */
export const unlockSound = () => unlockAudio();

/**
 * Play the chime and speak the sentences of a change. New speech replaces speech that is still in progress.
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
export function announceChange(before, now) {
  const [sound, sentences] = [chimeFor(before, now), sentencesFor(before, now)];
  if (sound) playChime(sound);
  if (!sentences.length || !globalThis.speechSynthesis) return;
  const speech = new SpeechSynthesisUtterance(sentences.join(" "));
  speech.lang = document.documentElement.lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(speech);
}
