// The devices and how they are; a sick one is told at the top of the page.

import { fill, safe } from "../html.js";

const NAMES = { sensors: "Pegs", lights: "Lights", cards: "Card reader", buttons: "Buttons" };

/** A list of the devices, each with its state in words. */
export function Devices(el) {
  return ({ devices }) => {
    const all = Object.entries(devices ?? {});
    el.classList.toggle("sick", all.some(([, device]) => !device.ok));
    fill(el, `<ul aria-label="Devices">${all.map(device).join("")}</ul>`);
  };
}

const device = ([name, { ok, say }]) => `
  <li data-device="${safe(name)}" data-ok="${ok ? "true" : "false"}"><span class="lamp" aria-hidden="true"></span>
    <span>${safe(NAMES[name] ?? name)}${ok ? "" : `: ${safe(say || "not well")}`}</span>
    ${ok ? '<span class="unseen">: well</span>' : ""}</li>`;
