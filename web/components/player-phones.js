// The players' phones: who has joined, and one tap, and another to be sure, that makes a phone a watcher's again.

import { get } from "../core/api.js";
import { fill, find, pressed, safe } from "../core/dom.js";
import { phrase, say, sayMany } from "../core/i18n.js";

/** What is told of a time, with how long ago it was. */
const SEEN = phrase("seen {ago}");
export const BEGAN = phrase("began {ago}");
export const ENDED = phrase("ended {ago}");
/** @type {Record<string, (n: number) => string>} */
const AGO = {
  minute: (n) => sayMany("{n} minute ago", "{n} minutes ago", n),
  hour: (n) => sayMany("{n} hour ago", "{n} hours ago", n),
  day: (n) => sayMany("{n} day ago", "{n} days ago", n),
};
const SECONDS = { minute: 60, hour: 3600, day: 86400 };

/**
 * A list that unfolds, asked for when it does.
 * @type {import("../core/component.js").Part}
 */
export function Phones(el, { actions }) {
  el.innerHTML = `<details><summary>${say("Players' phones")}</summary><ul></ul></details>`;
  const [folded, list] = [/** @type {HTMLDetailsElement} */ (find(el, "details")), find(el, "ul")];
  /** @type {Api.Phones["phones"]} */
  let known = [];
  let sure = 0;

  const show = () => fill(list, known.map((each) => line(each, each.id === sure, Date.now())).join(""));

  folded.addEventListener("toggle", async () => {
    if (!folded.open) return;
    sure = 0;
    try {
      known = (await get("/api/phones")).phones;
    } catch {
      known = []; // the link says that the table is away; a watcher sees no list at all
    }
    show();
  });

  pressed(el, async ({ phone }) => {
    const asked = Number(phone);
    if (sure !== asked) sure = asked;
    else {
      sure = 0;
      known = (await actions.end(asked))?.phones ?? known;
    }
    show();
  });

  return () => {};
}

/**
 * @param {Api.Phones["phones"][number]} phone
 * @param {boolean} isSure
 * @param {number} now
 */
const line = ({ id, name, seen, you }, isSure, now) => `<li><span>${safe(name)}${you ? ` (${say("this one")})` : ""}</span>
  <small>${safe(ago(Date.parse(seen), now))}</small>
  <button type="button" class="button" data-phone="${id}" aria-pressed="${isSure}">
    ${isSure ? say("Tap again to end it") : say("End")}</button></li>`;

/**
 * "seen 3 hours ago": in the largest unit that fits.
 * @param {number} then
 * @param {number} now
 * @param {string} did
 */
export function ago(then, now, did = SEEN) {
  const past = Math.max(0, now - then) / 1000;
  const [unit, size] = Object.entries(SECONDS).findLast(([, size]) => past >= size) ?? ["", 1];
  if (!unit) return say(did, { ago: say("just now") });
  return say(did, { ago: AGO[unit](Math.floor(past / size)) });
}
