// The settings that can change while the table runs, each with what it does.

import { send } from "../core/api.js";
import { fill, pressed, safe } from "../core/dom.js";
import { say } from "../core/i18n.js";

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
    fill(el, `<h2>${say("Settings")}</h2><p>${safe(say("They hold at once, until the program ends; companion.toml keeps them for good."))}</p>
      <p class="sheet-error" role="alert">${safe(refused)}</p>${known.map(line).join("")}`);
  }

  return (/** @type {Setting[]} */ settings) => {
    known = settings;
    draw();
  };
}

/** @param {Setting} setting */
const line = ({ key, value, default: usual, least, most, say: does }) => `<div class="setting"><label><b>${safe(key)}</b> ${safe(does)}
  <span><input type="number" inputmode="numeric" name="${safe(key)}" value="${value}" min="${least}" max="${most}"> ${say("of {least} to {most} ms", { least, most })}</span></label>
  <div class="choices"><button type="button" class="button" data-set="${safe(key)}" aria-label="${safe(say("Set {key}", { key }))}">${say("Set")}</button>
    <button type="button" class="button" data-usual="${safe(key)}" aria-label="${safe(say("{key} as usual: {usual}", { key, usual }))}" ${value === usual ? "disabled" : ""}>${say("As usual: {usual}", { usual })}</button></div></div>`;
