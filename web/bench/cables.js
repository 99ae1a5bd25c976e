// The cables: each can be pulled and plugged in again.

import { safe } from "../html.js";

const NAMES = { sensors: "Pegs", lights: "Lights", cards: "Card reader", buttons: "Buttons" };

/** A switch shows what the hand did; how the device is, the list of devices tells some moments later. */
export function Cables(el, { actions }) {
  const plugged = {};
  el.innerHTML = Object.entries(NAMES).map(cable).join("");
  el.addEventListener("click", async (event) => {
    const device = event.target.closest("button")?.dataset.cable;
    if (!device) return;
    plugged[device] = !plugged[device];
    show();
    if (!(await actions.bench("cable", { device, plugged: plugged[device] }))) plugged[device] = !plugged[device];
    show();
  });

  function show() {
    for (const button of el.querySelectorAll("button")) {
      button.setAttribute("aria-checked", String(plugged[button.dataset.cable] ?? true));
    }
  }

  return ({ devices }) => {
    for (const device of Object.keys(NAMES)) plugged[device] ??= devices?.[device]?.ok ?? true;
    show();
  };
}

const cable = ([device, name]) =>
  `<button type="button" class="button cable" role="switch" aria-checked="true" data-cable="${device}">
    <span class="plug" aria-hidden="true"></span>${safe(name)}</button>`;
