// The settings that can change while the table runs, each with what it does.

import { fill, pressed, safe } from "../html.js";
import { send } from "./send.js";

/** @typedef {Api.Workshop["settings"][number]} Setting */

/**
 * A number to write for each, and one tap to set it. What somebody is writing stays.
 * @param {HTMLElement} el
 * @param {(told: Api.Workshop) => void} changed
 */
export function Settings(el, changed) {
  /** @type {Setting[]} */
  let known = [];
  let refused = "";
  pressed(el, async ({ set, usual }) => {
    const key = set ?? usual ?? "";
    const setting = known.find((each) => each.key === key);
    const input = /** @type {HTMLInputElement | null} */ (el.querySelector(`input[name="${CSS.escape(key)}"]`));
    if (!setting || !input) return;
    if (usual) input.value = String(setting.default);
    const answer = await send("/api/workshop/settings", { [key]: Number(input.value) });
    refused = answer.error;
    if (answer.told) changed(answer.told);
    else draw();
  });

  function draw() {
    fill(el, `<h2>Settings</h2><p>They hold at once, until the program ends; <code>companion.toml</code> keeps them for good.</p>
      <p class="sheet-error" role="alert">${safe(refused)}</p>${known.map(line).join("")}`);
  }

  return (/** @type {Setting[]} */ settings) => {
    known = settings;
    draw();
  };
}

/** @param {Setting} setting */
const line = ({ key, value, default: usual, least, most, say }) => `<div class="setting"><label><b>${safe(key)}</b> ${safe(say)}
  <span><input type="number" inputmode="numeric" name="${safe(key)}" value="${value}" min="${least}" max="${most}"> of ${least} to ${most} ms</span></label>
  <div class="choices"><button type="button" class="button" data-set="${safe(key)}" aria-label="Set ${safe(key)}">Set</button>
    <button type="button" class="button" data-usual="${safe(key)}" aria-label="${safe(key)} as usual: ${usual}" ${value === usual ? "disabled" : ""}>As usual: ${usual}</button></div></div>`;
