// What was said to everybody lately, such as a card that was refused. It goes with the next move, or by itself; but what
// is wrong with the disk stays until that is over, and so does what the companion says as a player.

import { fill, safe } from "../core/dom.js";

const SHOWN = 2;
const NEWS_MS = 15000;

/**
 * The newest few, the newest first, each for a while after this page has learnt of it. What another part says in the
 * same words is not said again.
 * @type {import("../core/component.js").Part}
 */
export function Notices(el) {
  /** @type {Map<number, number>} */
  const since = new Map();
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let timer = 0;

  function draw() {
    clearTimeout(timer);
    if (!newest) return;
    const now = Date.now();
    const fresh = news(newest, since, now);
    const lines = fresh.map(notice);
    const fault = newest.trouble;
    if (newest.remark) lines.unshift(notice({ id: 0, kind: "remark", from: "companion", say: newest.remark }));
    if (fault) lines.unshift(notice({ id: 0, kind: "fault", from: "journal", say: fault }));
    fill(el, lines.length ? `<ul>${lines.join("")}</ul>` : "");
    const ends = fresh.map(({ id }) => (since.get(id) ?? now) + NEWS_MS - now);
    if (ends.length) timer = setTimeout(draw, Math.max(50, Math.min(...ends)));
  }

  return (snapshot) => {
    if (newest?.run !== snapshot.run) since.clear();
    for (const { id } of snapshot.notices) {
      if (newest?.run === snapshot.run && newest.moves !== snapshot.moves && since.has(id)) since.set(id, -NEWS_MS);
      if (!since.has(id)) since.set(id, Date.now());
    }
    newest = snapshot;
    draw();
  };
}

/**
 * Those that are still news and that nothing else on the page says.
 * @param {Api.Snapshot} snapshot
 * @param {Map<number, number>} since
 * @param {number} now
 */
export function news({ notices, advice, question, trouble }, since, now) {
  const said = new Set([question?.why, trouble, ...advice.map(({ say }) => say)]);
  const fresh = notices.filter(({ id, say }) => (since.get(id) ?? now) + NEWS_MS > now && !said.has(say));
  return fresh.filter(({ say }, i) => fresh.findLastIndex((each) => each.say === say) === i).slice(-SHOWN).reverse();
}

/** @param {Api.Notice} notice */
const notice = ({ id, kind, say }) => `<li data-notice="${safe(id)}" data-kind="${safe(kind)}">${safe(say)}</li>`;
