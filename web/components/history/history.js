// The list of moves, newest first.

import { fetchApi } from "../../core/api.js";
import { escapeHtml, findElement, morphHtml, onButtonClick } from "../../core/dom.js";
import { momentKey } from "../../core/format.js";
import { formatMessage, gettextNoop } from "../../core/i18n.js";
import { twoColumnQuery } from "../../core/preferences.js";
import { deferDuringRoll } from "../../games/dice-animation.js";
import { HAND_SIZES } from "../../games/hand-sizes.js";

/** @type {Record<string, string>} */
const SOURCES = { phone: gettextNoop("by phone"), cards: gettextNoop("by card"), board: gettextNoop("by peg"), buttons: gettextNoop("by button") };
const RETRY_MS = 2000;
const FOLDED_LINES = 12; // lines shown on a wide screen while the list is folded; on a phone it is then closed

/** @typedef {{ table: number | null, moves: Api.Made[] }} MoveList */

/** @type {MoveList} */
export const NO_MOVES = { table: null, moves: [] };

/**
 * The list of accepted moves. While it is open, it is loaded after each move, and again after a failed request.
 * @type {import("../../core/component.js").Component}
 */
export function History(el, { actions, isPlayer }) {
  const section = /** @type {HTMLElement} */ (el.closest("section"));
  const foldButton = findElement(section, "button");
  /** @type {ReturnType<typeof import("./undo-dialog.js").createUndoDialog> | null} */
  let openUndoDialog = null;
  const wideScreen = twoColumnQuery();
  const isOpen = () => wideScreen.matches || section.classList.contains("whole");
  const drawNewest = () => newest && drawNext(newest);
  wideScreen.addEventListener("change", drawNewest);
  onButtonClick(section, ({ open, to }) => {
    if (open) foldButton.setAttribute("aria-expanded", String(section.classList.toggle("whole"))), drawNewest();
    if (to) undoTo(Number(to));
  });
  let played = NO_MOVES;
  let loadedMoment = "";
  let timer = 0;
  let queue = Promise.resolve();
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {string[]} */
  let shown = [];

  /** @param {number} n */
  async function undoTo(n) {
    const loaded = await import("./undo-dialog.js").catch(() => null);
    if (!loaded) return actions.showRefusal(formatMessage("The table could not be reached."));
    openUndoDialog ??= loaded.createUndoDialog(/** @type {HTMLDialogElement} */ (findElement(document, "[data-part=back]")), actions, () => newest);
    return openUndoDialog(played.moves, n);
  }

  /** Update the list. Unchanged lines are left alone, because an evening has hundreds of moves. */
  const updateLines = deferDuringRoll(() => {
    const { table, moves } = played;
    const canTap = moves.map((_, i) => isPlayer() && i < moves.length - 1);
    const keys = moves.map(({ n }, i) => `${table} ${n} ${canTap[i]}`);
    const differs = keys.findIndex((each, i) => each !== shown[i]);
    const same = differs < 0 ? keys.length : differs;
    while (el.children.length > same) el.children[0].remove();
    el.insertAdjacentHTML("afterbegin", moves.slice(same).map((made, i) => moveLine(made, canTap[same + i])).reverse().join(""));
    const changed = Math.max(shown.length, keys.length) - same;
    for (const [i, each] of [...el.children].slice(0, FOLDED_LINES + changed).entries()) each.classList.toggle("long-past", i >= FOLDED_LINES);
    shown = keys;
  });

  /** @param {Api.Snapshot} snapshot */
  async function draw(snapshot) {
    clearTimeout(timer);
    el.hidden = !isOpen();
    if (el.hidden) return;
    const now = momentKey(snapshot);
    try {
      if (loadedMoment !== now) played = extendHistory(played, await fetchApi("/api/history", historyQuery(played))) ?? (await fetchApi("/api/history"));
      loadedMoment = now;
    } catch {
      timer = setTimeout(() => drawNext(newest ?? snapshot), RETRY_MS);
    }
    updateLines(snapshot);
  }

  /**
   * Draw snapshots one after the other, because each load extends the last one; skip a snapshot that is out of date.
   * @param {Api.Snapshot} snapshot
   */
  function drawNext(snapshot) {
    newest = snapshot;
    return (queue = queue.then(() => (newest === snapshot ? draw(snapshot) : undefined)));
  }

  return drawNext;
}

/**
 * Return the line of a move; players may tap it to undo to it.
 * @param {Api.Made} made
 * @param {boolean} canTap
 */
function moveLine({ n, by, scores, say: [what, ...counts] }, canTap) {
  const words = `<span class="what">${escapeHtml(what)}</span> <small>${escapeHtml(formatMessage(SOURCES[by] ?? by))}</small>
    <b class="then">${scores.join(" – ")}</b>${counts.map((each) => `<em>${escapeHtml(each)}</em>`).join("")}`;
  return `<li data-history data-n="${n}">${canTap ? `<button type="button" class="line" data-to="${n}">${words}</button>` : words}</li>`;
}

/** Return the query for the newest known move and all later ones. If that move is missing in the answer, it was undone. @param {MoveList} played */
export const historyQuery = ({ moves }) => (moves.length ? `?after=${moves[moves.length - 1].n - 1}` : "");

/**
 * Extend the list by the answer to `historyQuery`. Return null if known moves were undone or another game is played; then the
 * whole list must be loaded.
 * @param {MoveList} played
 * @param {Api.Answers["/api/history"]} update
 * @returns {MoveList | null}
 */
export function extendHistory(played, update) {
  const newest = played.moves.at(-1);
  if (!newest) return update;
  if (update.table !== played.table || update.moves[0]?.n !== newest.n) return null;
  return { table: update.table, moves: [...played.moves.slice(0, -1), ...update.moves] };
}

/** Whether the coach can review this game. @param {Api.Snapshot} snapshot */
export const isReviewable = ({ game }) => game.key in HAND_SIZES && game.seats === 2;

/** @type {import("../../core/component.js").Component} */
export function ReviewLink(el) {
  return (snapshot) => {
    const isOpen = isReviewable(snapshot) && snapshot.phase !== "over" && snapshot.game.options.hints === "on";
    morphHtml(el, isOpen ? `<a class="button" href="/review">${formatMessage("Review this game")}</a>` : "");
  };
}
