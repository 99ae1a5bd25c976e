// The end of the log. Pure.

import { safe } from "../core/dom.js";
import { say } from "../core/i18n.js";

const SHOWN = 30;

/** @param {Api.Workshop["log"]} log */
export const tail = (log) => `<h2>${say("The end of the log")}</h2>${log.length
  ? `<ol class="log">${log.slice(0, SHOWN).map(({ ms, level, say: said }) => `<li><small>${safe(time(ms))}${level === "info" ? "" : ` ${safe(level)}`}</small> ${safe(said)}</li>`).join("")}</ol>`
  : `<p>${say("Nothing was logged yet.")}</p>`}`;

/** @param {number} ms */
const time = (ms) => new Date(ms).toLocaleTimeString([], { hour12: false });
