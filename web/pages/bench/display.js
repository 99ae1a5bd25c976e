// The small display at the simulated board, as its firmware has drawn it.

import { fetchApi } from "../../core/api.js";
import { formatMessage } from "../../core/i18n.js";

const POLL_MS = 500;
const WIDTH = 128;
const HEIGHT = 64;
const LIT = [190, 225, 255, 255];

/** The picture. It is hidden while the board is a real one, or has no display. @type {import("../../core/component.js").Component} */
export function BoardDisplay(el) {
  el.innerHTML = `<canvas class="display" width="${WIDTH}" height="${HEIGHT}" role="img"></canvas>`;
  const canvas = /** @type {HTMLCanvasElement} */ (el.firstElementChild);
  canvas.setAttribute("aria-label", formatMessage("The display at the board"));
  let isSimulated = false;

  /** @param {string[]} rows */
  function draw(rows) {
    el.hidden = !rows.length;
    const context = canvas.getContext("2d");
    if (!context || el.hidden) return;
    const picture = context.createImageData(WIDTH, HEIGHT);
    rows.forEach((digits, y) => {
      for (let x = 0; x < WIDTH; x++) {
        const digit = Number.parseInt(digits[x >> 2] ?? "0", 16);
        picture.data.set((digit >> (3 - (x & 3))) & 1 ? LIT : [0, 0, 0, 255], 4 * (y * WIDTH + x));
      }
    });
    context.putImageData(picture, 0, 0);
  }

  async function poll() {
    if (isSimulated && document.visibilityState === "visible" && document.body.dataset.link !== "lost") {
      await fetchApi("/api/bench/display").then(({ rows }) => draw(rows), () => {});
    }
    setTimeout(poll, POLL_MS);
  }

  poll();
  return ({ devices }) => {
    isSimulated = devices.sensors?.url.startsWith("sim:") ?? false;
    if (!isSimulated) el.hidden = true;
  };
}
