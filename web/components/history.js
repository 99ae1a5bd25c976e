// What was played, as the journal has it, the newest first.

import { get } from "../core/api.js";
import { find, pressed, safe } from "../core/dom.js";
import { momentOf } from "../core/format.js";
import { phrase, say } from "../core/i18n.js";
import { Held } from "../games/dice-animation.js";

/** @type {Record<string, string>} */
const BY = { phone: phrase("by phone"), cards: phrase("by card"), board: phrase("by peg"), buttons: phrase("by button") };
const AGAIN_MS = 2000;
const [NARROW, WIDE] = [3, 12]; // so many lines are shown of a list that is not unfolded

/** @typedef {{ table: number | null, moves: Api.Made[] }} Played */

/** @type {Played} */
export const UNTOLD = { table: null, moves: [] };

/**
 * A line for each move that stands: asked for when moves were made, and again where there was no answer.
 * @type {import("../core/component.js").Part}
 */
export function History(el, { actions, plays }) {
  const section = /** @type {HTMLElement} */ (el.closest("section"));
  const opens = find(section, "button");
  /** @type {ReturnType<typeof import("./undo-dialog.js").Back> | null} */
  let back = null;
  pressed(section, ({ open, to }) => {
    if (open) opens.setAttribute("aria-expanded", String(section.classList.toggle("whole")));
    if (to) goBack(Number(to));
  });
  let played = UNTOLD;
  let upTo = "";
  let timer = 0;
  let last = Promise.resolve();
  /** @type {Api.Snapshot | null} */
  let newest = null;
  /** @type {string[]} */
  let shown = [];

  /** @param {number} n */
  async function goBack(n) {
    const loaded = await import("./undo-dialog.js").catch(() => null);
    if (!loaded) return actions.refused(say("The table could not be reached."));
    back ??= loaded.Back(/** @type {HTMLDialogElement} */ (find(document, "[data-part=back]")), actions, () => newest);
    return back(played.moves, n);
  }

  /** Lines that stay are not touched: an evening has hundreds. */
  const show = Held(() => {
    const { table, moves } = played;
    const taps = moves.map((_, i) => plays() && i < moves.length - 1);
    const wanted = moves.map(({ n }, i) => `${table} ${n} ${taps[i]}`);
    const differs = wanted.findIndex((each, i) => each !== shown[i]);
    const same = differs < 0 ? wanted.length : differs;
    while (el.children.length > same) el.children[0].remove();
    el.insertAdjacentHTML("afterbegin", moves.slice(same).map((made, i) => line(made, taps[same + i])).reverse().join(""));
    const changed = Math.max(shown.length, wanted.length) - same;
    for (const [i, each] of [...el.children].slice(0, WIDE + changed).entries()) {
      each.classList.toggle("past", i >= NARROW);
      each.classList.toggle("long-past", i >= WIDE);
    }
    shown = wanted;
  });

  /** @param {Api.Snapshot} snapshot */
  async function draw(snapshot) {
    clearTimeout(timer);
    const now = momentOf(snapshot);
    try {
      if (upTo !== now) played = joined(played, await get("/api/history", query(played))) ?? (await get("/api/history"));
      upTo = now;
    } catch {
      timer = setTimeout(() => take(newest ?? snapshot), AGAIN_MS);
    }
    show(snapshot);
  }

  /**
   * One after the other, for each adds to what is known; but none that another has overtaken.
   * @param {Api.Snapshot} snapshot
   */
  function take(snapshot) {
    newest = snapshot;
    return (last = last.then(() => (newest === snapshot ? draw(snapshot) : undefined)));
  }

  return take;
}

/**
 * A line, which a player may tap to go back to it.
 * @param {Api.Made} made
 * @param {boolean} taps
 */
function line({ n, by, scores, say: [what, ...counts] }, taps) {
  const words = `<span class="what">${safe(what)}</span> <small>${safe(say(BY[by] ?? by))}</small>
    <b class="then">${scores.join(" – ")}</b>${counts.map((each) => `<em>${safe(each)}</em>`).join("")}`;
  return `<li data-history data-n="${n}">${taps ? `<button type="button" class="line" data-to="${n}">${words}</button>` : words}</li>`;
}

/**
 * What to ask for: the newest move known and all after it. If that move is missing then, it was taken back.
 * @param {Played} played
 */
export const query = ({ moves }) => (moves.length ? `?after=${moves[moves.length - 1].n - 1}` : "");

/**
 * The list with the answer to `query` in it; null where moves known were taken back, or another table is played: then
 * the whole is to be asked for.
 * @param {Played} played
 * @param {Api.Answers["/api/history"]} told
 * @returns {Played | null}
 */
export function joined(played, told) {
  const newest = played.moves.at(-1);
  if (!newest) return told;
  if (told.table !== played.table || told.moves[0]?.n !== newest.n) return null;
  return { table: told.table, moves: [...played.moves.slice(0, -1), ...told.moves] };
}
