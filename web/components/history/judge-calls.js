// What players can call the judge for now, as buttons: loaded when they ask for it in a tournament.

import { fetchApiOrNull } from "../../core/api.js";
import { escapeHtml, morphHtml } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";

/** @import { Actions } from "../../core/api.js" */

/**
 * Show what can be called now. One tap calls it.
 * @param {HTMLElement} el
 * @param {Actions} actions
 */
export async function showCalls(el, actions) {
  /** @type {{ rule: string, say: string, move: Api.Move }[]} */
  const calls = (await fetchApiOrNull("/api/judge"))?.calls ?? [];
  morphHtml(el, calls.length ? calls.map(callButton).join("") : `<p class="hint">${formatMessage("There is nothing to call now.")}</p>`);
  el.onclick = ({ target }) => {
    const call = calls[Number(/** @type {HTMLElement} */ (target).closest("button")?.dataset.call ?? -1)];
    if (call) actions.makeMove(call.move);
  };
  el.hidden = false;
}

/**
 * @param {{ rule: string, say: string }} call
 * @param {number} index
 */
const callButton = ({ rule, say }, index) =>
  `<button type="button" class="button" data-call="${index}">${escapeHtml(formatMessage("Rule {rule}: {say}", { rule, say }))}</button>`;
