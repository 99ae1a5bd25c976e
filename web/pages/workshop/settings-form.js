// The settings that can be changed while the table runs.

import { postToWorkshop } from "../../core/api.js";
import { escapeHtml, morphHtml, onButtonClick } from "../../core/dom.js";
import { formatMessage, gettextNoop } from "../../core/i18n.js";

/** @typedef {Api.Workshop["settings"][number]} Setting */

/**
 * A number field for each setting and a button to set it. A field that is being edited keeps its content.
 * @param {HTMLElement} el
 * @param {(workshop: Api.Workshop) => void} onChange
 */
export function SettingsForm(el, onChange) {
  /** @type {Setting[]} */
  let shown = [];
  let refusal = "";
  onButtonClick(el, async ({ set, usual }) => {
    const key = set ?? usual ?? "";
    const setting = shown.find((each) => each.key === key);
    const input = /** @type {HTMLInputElement | null} */ (el.querySelector(`input[name="${CSS.escape(key)}"]`));
    if (!setting || !input) return;
    if (usual) input.value = String(setting.default);
    const answer = await postToWorkshop("/api/workshop/settings", { [key]: Number(input.value) });
    refusal = answer.error;
    if (answer.data) onChange(answer.data);
    else draw();
  });

  function draw() {
    morphHtml(el, `<h2>${formatMessage("Settings")}</h2><p>${escapeHtml(formatMessage("Changes apply at once and last until the program ends. To keep them, edit companion.toml."))}</p>
      <p class="sheet-error" role="alert">${escapeHtml(refusal)}</p>${shown.map(settingLine).join("")}`);
  }

  return (/** @type {Setting[]} */ settings) => {
    shown = settings;
    draw();
  };
}

/** @type {Record<string, string>} */
const SETTING_NAMES = {
  quiet_ms: gettextNoop("Peg settle time"), doubt_ms: gettextNoop("Time before a question"),
  missing_ms: gettextNoop("Time for a missing peg"), repeat_ms: gettextNoop("Time for a repeated scan"),
};

/** @param {Setting} setting */
const settingLine = ({ key, value, default: usual, least, most, say: does }) => `<div class="setting"><label><b>${escapeHtml(formatMessage(SETTING_NAMES[key] ?? key))}</b>
  <span>${escapeHtml(does)} <small>(${escapeHtml(key)})</small></span>
  <span><input type="number" inputmode="numeric" name="${escapeHtml(key)}" value="${value}" min="${least}" max="${most}"> ${formatMessage("{least} to {most} ms", { least, most })}</span></label>
  <div class="choices"><button type="button" class="button" data-set="${escapeHtml(key)}" aria-label="${escapeHtml(formatMessage("Set {key}", { key }))}">${formatMessage("Set")}</button>
    <button type="button" class="button" data-usual="${escapeHtml(key)}" aria-label="${escapeHtml(formatMessage("Reset to {usual}: {key}", { key, usual }))}" ${value === usual ? "disabled" : ""}>${formatMessage("Reset to {usual}", { usual })}</button></div></div>`;
