// What the pages of the club share: their parts, questions to the archive, and the polling that shows when it does not answer.

import { findElement } from "../../core/dom.js";
import { formatMessage, withLanguage } from "../../core/i18n.js";

/** Return the element of a part of the page. @param {string} name */
export const findPart = (name) => findElement(document, `[data-part="${name}"]`);

/** Show an error message; "" clears it. @param {string} sentence */
export const showError = (sentence) => void (findElement(document, "[data-error]").textContent = sentence);

/**
 * Get a JSON answer. Throws an Error with the message of a refusal.
 * @param {string} path
 * @param {number} timeoutMs
 */
export async function fetchArchive(path, timeoutMs) {
  const reply = await fetch(withLanguage(path), { cache: "no-cache", signal: AbortSignal.timeout(timeoutMs) });
  const data = await reply.json();
  if (!reply.ok) throw new Error(data.error);
  return data;
}

/**
 * Draw the page now and then again at this interval, but not while it is hidden. Before, the role of this browser is set as
 * `body[data-role]`; after each attempt, `body[data-link]` is `polling` or `lost`.
 * @param {() => Promise<void>} draw
 * @param {number} intervalMs
 */
export async function pollArchive(draw, intervalMs) {
  const me = await fetch(withLanguage("/api/me")).then((reply) => reply.json()).catch(() => null);
  const { dataset } = document.body;
  dataset.role = me?.role ?? "watcher";

  async function poll() {
    try {
      if (!document.hidden) {
        await draw();
        if (dataset.link === "lost") showError("");
        dataset.link = "polling";
      }
    } catch (error) {
      dataset.link = "lost";
      const isRefusal = error instanceof Error && error.constructor === Error;
      showError(isRefusal ? error.message : formatMessage("No answer from the archive. Trying again."));
    }
    setTimeout(poll, intervalMs);
  }

  return poll();
}
