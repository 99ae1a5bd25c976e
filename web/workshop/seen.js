// What reader and buttons have told of late, and the end of the log: put a card there, press a button, and look. Pure.

import { safe } from "../html.js";

const SHOWN = 30;

/**
 * The newest first: "5H", "the button go:0".
 * @param {Api.Workshop["seen"]} seen
 */
export const echo = (seen) => `<h2>What reader and buttons tell</h2>${seen.length
  ? `<ol class="log">${seen.map((each) => `<li>${safe(told(each))}</li>`).join("")}</ol>`
  : "<p>Nothing yet: put a card to the reader, or press a button.</p>"}`;

/** @param {{ [key: string]: unknown }} line */
const told = ({ scan, press }) => (scan === undefined ? `The button ${press}` : `The card ${scan}`);

/** @param {Api.Workshop["log"]} log */
export const tail = (log) => `<h2>The end of the log</h2>${log.length
  ? `<ol class="log">${log.slice(0, SHOWN).map(({ ms, level, say }) => `<li><small>${safe(time(ms))}${level === "info" ? "" : ` ${safe(level)}`}</small> ${safe(say)}</li>`).join("")}</ol>`
  : "<p>Nothing was logged yet.</p>"}`;

/** @param {number} ms */
const time = (ms) => new Date(ms).toLocaleTimeString([], { hour12: false });
