// The simulated cables, which can be pulled and plugged in.

import { escapeHtml, onButtonClick } from "../../core/dom.js";
import { CABLE_NAMES } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";

/**
 * The switches. A switch shows the cable; the list of devices shows the device some moments later.
 * @type {import("../../core/component.js").Component}
 */
export function Cables(el, { actions }) {
  /** @type {Record<string, boolean>} */
  const plugged = {};
  el.innerHTML = Object.entries(CABLE_NAMES).map(cableSwitch).join("");
  onButtonClick(el, async ({ cable: device = "" }) => {
    plugged[device] = !plugged[device];
    drawSwitches();
    if (!(await actions.postToBench("cable", { device, plugged: plugged[device] }))) plugged[device] = !plugged[device];
    drawSwitches();
  });

  function drawSwitches() {
    for (const button of el.querySelectorAll("button")) {
      button.setAttribute("aria-checked", String(plugged[button.dataset.cable ?? ""] ?? true));
    }
  }

  return ({ devices }) => {
    for (const device of Object.keys(CABLE_NAMES)) plugged[device] ??= devices[device]?.ok ?? true;
    drawSwitches();
  };
}

/** @param {[device: string, name: string]} entry */
const cableSwitch = ([device, name]) =>
  `<button type="button" class="button cable" role="switch" aria-checked="true" data-cable="${device}">
    <span class="plug" aria-hidden="true"></span>${escapeHtml(formatMessage(name))}</button>`;
