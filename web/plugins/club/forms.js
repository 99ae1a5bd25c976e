// What the organiser's and the director's dialogs share: posting, fields, and the submission of a form.

import { escapeHtml, findElement } from "../../core/dom.js";
import { formatMessage, withLanguage } from "../../core/i18n.js";
import { loadSetting } from "../../core/preferences.js";

/** The setting with the name of the person who last entered results on this phone. */
export const ENTERED_BY_SETTING = "club-by";

/**
 * Post a change to the archive. Return its answer or the message of its refusal.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<{ data?: any, refusal?: string }>}
 */
export async function postChange(path, body) {
  try {
    const reply = await fetch(withLanguage(path), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const data = await reply.json();
    return reply.ok ? { data } : { refusal: data.error };
  } catch {
    return { refusal: formatMessage("The archive could not be reached. Nothing was changed.") };
  }
}

/** Return a dialog element. @param {string} name */
export const findDialog = (name) => /** @type {HTMLDialogElement} */ (findElement(document, `[data-sheet="${name}"]`));

/**
 * Close the dialog unless there is a refusal.
 * @param {{ close: () => void }} sheet
 * @param {string} [refusal]
 */
export function closeUnlessRefused(sheet, refusal) {
  if (!refusal) sheet.close();
  return refusal ?? "";
}

/**
 * Return the text of a field.
 * @param {HTMLFormElement} form
 * @param {string} name
 */
export const fieldText = (form, name) => String(new FormData(form).get(name) ?? "").trim();

/**
 * Handle the submission of a form, not twice at the same time. `send` returns the message of a refusal, or "".
 * @param {HTMLElement} within
 * @param {(form: HTMLFormElement, button: HTMLButtonElement | null) => Promise<string>} send
 */
export function onSubmit(within, send) {
  const form = /** @type {HTMLFormElement} */ (findElement(within, "form"));
  let isSending = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    const refusal = await send(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
    findElement(form, "[role=alert]").textContent = refusal;
    isSending = false;
  });
}

/** Return the field for the name of the person who enters something. It is remembered on this phone. */
export const enteredByField = () => `<label>${formatMessage("Entered by")}<input name="by" required maxlength="24" autocomplete="name" value="${
  escapeHtml(loadSetting(ENTERED_BY_SETTING) ?? "")}"></label>`;
