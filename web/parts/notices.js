// What was said to everybody lately, such as a card that was refused. It is news, and goes by itself.

import { fill, safe } from "../html.js";

const SHOWN = 3;
const NEWS_MS = 15000;

/** The newest few, the newest first, each for a while after this page has learnt of it. */
export function Notices(el) {
  const since = new Map();
  let run = "";
  let timer = 0;

  function draw(notices) {
    clearTimeout(timer);
    const now = Date.now();
    for (const { id } of notices) if (!since.has(id)) since.set(id, now);
    const fresh = notices.filter(({ id }) => now - since.get(id) < NEWS_MS).slice(-SHOWN).reverse();
    fill(el, fresh.length ? `<ul>${fresh.map(notice).join("")}</ul>` : "");
    const next = Math.min(...fresh.map(({ id }) => since.get(id) + NEWS_MS - now));
    if (fresh.length) timer = setTimeout(draw, next, notices);
  }

  return (snapshot) => {
    if (run !== snapshot.run) since.clear();
    run = snapshot.run;
    draw(snapshot.notices ?? []);
  };
}

const notice = ({ id, kind, say }) => `<li data-notice="${safe(id)}" data-kind="${safe(kind)}">${safe(say)}</li>`;
