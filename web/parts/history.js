// What was played, as the journal has it, the newest first.

import { get } from "../get.js";
import { fill, safe } from "../html.js";
import { joined, query, UNTOLD } from "../played.js";
import { Held } from "../tumble.js";

/** @type {Record<string, string>} */
const BY = { phone: "by phone", cards: "by card", board: "by peg", buttons: "by button" };
const AGAIN_MS = 2000;

/**
 * A line for each move that stands: asked for when moves were made, and again where there was no answer.
 * @type {import("../guard.js").Part}
 */
export function History(el) {
  let played = UNTOLD;
  let upTo = "";
  let timer = 0;
  let last = Promise.resolve();
  /** @type {Api.Snapshot | null} */
  let newest = null;
  const show = Held(() => fill(el, played.moves.map(line).reverse().join("")));

  /** @param {Api.Snapshot} snapshot */
  async function draw(snapshot) {
    clearTimeout(timer);
    const now = `${snapshot.run} ${snapshot.moves}`;
    try {
      if (upTo !== now) played = joined(played, await get("/api/history", query(played))) ?? (await get("/api/history"));
      upTo = now;
    } catch {
      timer = setTimeout(draw, AGAIN_MS, snapshot);
    }
    show(snapshot);
  }

  return (snapshot) => {
    newest = snapshot; // one after the other, for each adds to what is known; but none that another has overtaken
    return (last = last.then(() => (newest === snapshot ? draw(snapshot) : undefined)));
  };
}

/** @param {Api.Made} made */
function line({ n, by, scores, say: [what, ...counts] }) {
  return `<li data-history data-n="${n}"><span class="what">${safe(what)}</span> <small>${safe(BY[by] ?? by)}</small>
    <b class="then">${scores.join(" – ")}</b>${counts.map((each) => `<em>${safe(each)}</em>`).join("")}</li>`;
}
