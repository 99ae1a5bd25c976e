// The last lines of the log. Pure.

import { escapeHtml } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";

const MAX_LINES = 30;

/** @param {Api.Workshop["log"]} log */
export const logTail = (log) => `<h2>${formatMessage("Latest log lines")}</h2>${log.length
  ? `<ol class="log">${log.slice(0, MAX_LINES).map(({ ms, level, say: said }) => `<li><small>${escapeHtml(formatTime(ms))}${level === "info" ? "" : ` ${escapeHtml(level)}`}</small> ${escapeHtml(said)}</li>`).join("")}</ol>`
  : `<p>${formatMessage("The log is empty.")}</p>`}`;

/** @param {number} ms */
const formatTime = (ms) => new Date(ms).toLocaleTimeString([], { hour12: false });
