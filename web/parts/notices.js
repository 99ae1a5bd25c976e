// What was said to everybody lately, such as a card that was refused. It is news, and goes by itself.

import { fill, safe } from "../html.js";

const SHOWN = 3;
const NEWS_MS = 15000;

/**
 * The newest few, the newest first, each for a while after this page has learnt of it.
 * @type {import("../guard.js").Part}
 */
export function Notices(el) {
  /** @type {Map<number, number>} */
  const since = new Map();
  let run = "";
  let timer = 0;

  /** @param {Api.Notice[]} notices */
  function draw(notices) {
    clearTimeout(timer);
    const now = Date.now();
    /** @param {Api.Notice} notice */
    const left = ({ id }) => (since.get(id) ?? now) + NEWS_MS - now;
    for (const { id } of notices) if (!since.has(id)) since.set(id, now);
    const fresh = notices.filter((each) => left(each) > 0).slice(-SHOWN).reverse();
    fill(el, fresh.length ? `<ul>${fresh.map(notice).join("")}</ul>` : "");
    if (fresh.length) timer = setTimeout(draw, Math.min(...fresh.map(left)), notices);
  }

  return (snapshot) => {
    if (run !== snapshot.run) since.clear();
    run = snapshot.run;
    draw(snapshot.notices);
  };
}

/** @param {Api.Notice} notice */
const notice = ({ id, kind, say }) => `<li data-notice="${safe(id)}" data-kind="${safe(kind)}">${safe(say)}</li>`;
