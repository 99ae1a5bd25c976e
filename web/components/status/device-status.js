// The status of the table's devices, and the holes with a quarantined sensor.

import { escapeHtml, morphHtml } from "../../core/dom.js";
import { DEVICE_NAMES, holeSpokenName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";

/**
 * A list of the devices with their states. A failed device moves the list to the top of the page. With a board of the
 * players' own, simulated devices that work are hidden: nothing seems to be connected that is not. The
 * Wi-Fi is shown among the notices.
 * @type {import("../../core/component.js").Component}
 */
export function DeviceStatus(el) {
  return ({ game, devices, quarantined }) => {
    const all = Object.entries(devices).filter(([name, { url }]) => url !== "none:" && name !== "wifi");
    el.classList.toggle("has-fault", all.some(([, device]) => !device.ok));
    const isHidden = game.pegs === "plain" && all.every(([, { url, ok }]) => ok && url.startsWith("sim:"));
    morphHtml(el, `${all.length ? `<ul ${isHidden ? "hidden" : ""} aria-label="${formatMessage("Devices")}">${all.map(deviceLine).join("")}</ul>` : ""}${quarantinedLine(quarantined)}`);
  };
}

/** @param {string[]} holes */
const quarantinedLine = (holes) =>
  holes.length ? `<p class="quarantined">${escapeHtml(formatMessage("Ignored because of a faulty sensor: {holes}.", { holes: holes.map(holeSpokenName).join(", ") }))}</p>` : "";

/**
 * Return the line of a device. A working device may have a message too, for example that its firmware is outdated.
 * @param {[string, Api.Device]} device
 */
const deviceLine = ([name, { ok, say: message }]) => `
  <li data-device="${escapeHtml(name)}" data-ok="${ok ? "true" : "false"}"><span class="lamp" aria-hidden="true"></span>
    <span>${escapeHtml(formatMessage(DEVICE_NAMES[name] ?? name))}${ok && !message ? "" : `: ${escapeHtml(message || formatMessage("not working"))}`}</span>
    ${ok && !message ? `<span class="unseen">: ${formatMessage("OK")}</span>` : ""}</li>`;
