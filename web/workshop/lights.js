// A test of the lights: all of them, or one hole after the other along a track, so that a dark one is found by eye.

import { fill, pressed, safe } from "../html.js";
import { send } from "./send.js";

const STEP_MS = 250;

/**
 * A button for all holes, and one for each track, which then runs along it.
 * @param {HTMLElement} el
 */
export function Lights(el) {
  /** @type {Api.Board | null} */
  let board = null;
  let said = "";
  let run = 0;
  pressed(el, async ({ light, track }) => {
    run += 1;
    if (light) await tell({}, "Every hole is lit for three seconds. Is one dark?");
    else if (track) await along(track, run);
  });

  /**
   * @param {object} body
   * @param {string} words
   */
  async function tell(body, words) {
    const { error } = await send("/api/workshop/lights", body);
    said = error || words;
    draw();
    return !error;
  }

  /**
   * Until another is pressed.
   * @param {string} track
   * @param {number} own
   */
  async function along(track, own) {
    const holes = (board?.holes ?? []).filter((hole) => hole.track === track);
    for (const { id } of holes) {
      if (run !== own || !(await tell({ holes: [id] }, `Lit now: ${id.replaceAll("-", " ")}.`))) return;
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }

  function draw() {
    const tracks = [...new Set(board?.holes.map(({ track }) => track))];
    fill(el, `<h2>Test the lights</h2><div class="choices"><button type="button" class="button" data-light="all">All holes</button>
      ${tracks.map((track) => `<button type="button" class="button" data-track="${safe(track)}">Along ${safe(track.replaceAll("-", " "))}</button>`).join("")}</div>
      <p role="status">${safe(said)}</p>`);
  }

  return (/** @type {Api.Board} */ now) => {
    board = now;
    draw();
  };
}
