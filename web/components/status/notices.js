// Recent messages for everybody, such as a refused card. They disappear with the next move or after some time. A disk
// problem stays until it is solved, and so do one of the Wi-Fi and a remark of the companion as a player.

import { escapeHtml, morphHtml } from "../../core/dom.js";
import { isMyDiscard } from "../cards/my-hand.js";

const MAX_SHOWN = 2;
const SHOWN_MS = 15000;

/**
 * The newest notices, newest first, each for some time after this page received it. Texts that another component shows
 * are left out.
 * @type {import("../../core/component.js").Component}
 */
export function Notices(el) {
  /** @type {Map<number, number>} */
  const shownSince = new Map();
  /** @type {Api.Snapshot | null} */
  let newest = null;
  let timer = 0;

  function draw() {
    clearTimeout(timer);
    if (!newest) return;
    const now = Date.now();
    const fresh = recentNotices(newest, shownSince, now);
    const lines = fresh.map(noticeLine);
    const [fault, { wifi }] = [newest.trouble, newest.devices];
    if (newest.remark && !isMyDiscard(newest)) lines.unshift(noticeLine({ id: 0, kind: "remark", from: "companion", say: newest.remark }));
    if (wifi && !wifi.ok) lines.unshift(noticeLine({ id: 0, kind: "fault", from: "wifi", say: wifi.say }));
    if (fault) lines.unshift(noticeLine({ id: 0, kind: "fault", from: "journal", say: fault }));
    morphHtml(el, lines.length ? `<ul>${lines.join("")}</ul>` : "");
    const ends = fresh.map(({ id }) => (shownSince.get(id) ?? now) + SHOWN_MS - now);
    if (ends.length) timer = setTimeout(draw, Math.max(50, Math.min(...ends)));
  }

  return (snapshot) => {
    if (newest?.run !== snapshot.run) shownSince.clear();
    for (const { id } of snapshot.notices) {
      if (newest?.run === snapshot.run && newest.moves !== snapshot.moves && shownSince.has(id)) shownSince.set(id, -SHOWN_MS);
      if (!shownSince.has(id)) shownSince.set(id, Date.now());
    }
    newest = snapshot;
    draw();
  };
}

/**
 * Return the notices that are still recent and not shown elsewhere on the page.
 * @param {Api.Snapshot} snapshot
 * @param {Map<number, number>} since
 * @param {number} now
 */
export function recentNotices({ notices, advice, question, trouble }, since, now) {
  const shownElsewhere = new Set([question?.why, trouble, ...advice.map(({ say }) => say)]);
  const fresh = notices.filter(({ id, say }) => (since.get(id) ?? now) + SHOWN_MS > now && !shownElsewhere.has(say));
  return fresh.filter(({ say }, i) => fresh.findLastIndex((each) => each.say === say) === i).slice(-MAX_SHOWN).reverse();
}

/** @param {Api.Notice} notice */
const noticeLine = ({ id, kind, say }) => `<li data-notice="${escapeHtml(id)}" data-kind="${escapeHtml(kind)}">${escapeHtml(say)}</li>`;
