// The devices that this table has, and how they are; a sick one is told at the top of the page. And the holes whose sensor is not believed.

import { fill, safe } from "../core/dom.js";
import { DEVICES, holeSpoken } from "../core/format.js";
import { say } from "../core/i18n.js";

/**
 * A list of the devices, each with its state in words.
 * @type {import("../core/component.js").Part}
 */
export function Devices(el) {
  return ({ devices, quarantined }) => {
    const all = Object.entries(devices).filter(([, { url }]) => url !== "none:");
    el.classList.toggle("sick", all.some(([, device]) => !device.ok));
    fill(el, `${all.length ? `<ul aria-label="${say("Devices")}">${all.map(line).join("")}</ul>` : ""}${doubted(quarantined)}`);
  };
}

/**
 * "Not believed for now, for the sensor errs: red 33."
 * @param {string[]} holes
 */
const doubted = (holes) =>
  holes.length ? `<p class="doubted">${safe(say("Not believed for now, for the sensor errs: {holes}.", { holes: holes.map(holeSpoken).join(", ") }))}</p>` : "";

/**
 * A device that is well may have something to say too, such as a board whose program is an older one.
 * @param {[string, Api.Device]} device
 */
const line = ([name, { ok, say: told }]) => `
  <li data-device="${safe(name)}" data-ok="${ok ? "true" : "false"}"><span class="lamp" aria-hidden="true"></span>
    <span>${safe(say(DEVICES[name] ?? name))}${ok && !told ? "" : `: ${safe(told || say("not well"))}`}</span>
    ${ok && !told ? `<span class="unseen">: ${say("well")}</span>` : ""}</li>`;
