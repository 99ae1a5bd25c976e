// Enters the cards that are laid below this phone's camera, one after another, without a tap. The pictures stay in memory.

import { escapeHtml, findElement, onButtonClick, setText } from "../../core/dom.js";
import { cardName } from "../../core/format.js";
import { formatMessage } from "../../core/i18n.js";
import { WATCHING_SETTING, saveSetting } from "../../core/preferences.js";
import { drawPicture, encodePicture, postPhoto, startCamera } from "./card-photo.js";
import { RestingCard } from "./readings.js";

const PAUSE_MS = 250;
/** A picture is unchanged if no cell of this grid becomes lighter or darker by more than that, of 255 levels. */
const [GRID_WIDTH, GRID_HEIGHT] = [64, 48], MAX_STILL_CHANGE = 12;

const layText = () => formatMessage("Lay each card below the camera, by itself.");

/** @type {(() => void) | null} */
let stopWatching = null;

/**
 * Show the live picture at the top of the page and call `enter` with each card that is laid, until *Stop* is tapped. `enter`
 * returns whether the table took the card.
 * @param {(card: string) => Promise<boolean>} enter
 * @returns {Promise<boolean>} false without a camera or permission
 */
export async function watchCards(enter) {
  stopWatching?.();
  const el = document.createElement("section");
  el.className = "panel card-watch";
  el.innerHTML = `<video muted playsinline aria-label="${escapeHtml(formatMessage("Live picture"))}"></video>
    <div><p role="status">${escapeHtml(layText())}</p>
    <button type="button" class="button" data-stop>${escapeHtml(formatMessage("Stop the camera"))}</button></div>`;
  findElement(document, "main").prepend(el);
  const video = findElement(el, "video"), status = findElement(el, "[role=status]");
  const stop = await startCamera(video);
  if (!stop) return el.remove(), false;
  let isOn = true;
  stopWatching = () => {
    isOn = false;
    stop();
    el.remove();
    stopWatching = null;
  };
  saveSetting(WATCHING_SETTING, "yes"); // the page goes on when it is opened again
  onButtonClick(el, () => (saveSetting(WATCHING_SETTING, ""), stopWatching?.()));
  el.scrollIntoView({ block: "center" });
  watch(video, () => isOn, enter, (sentence) => setText(status, sentence));
  return true;
}

/**
 * @param {HTMLVideoElement} video
 * @param {() => boolean} isOn
 * @param {(card: string) => Promise<boolean>} enter
 * @param {(sentence: string) => void} say
 */
async function watch(video, isOn, enter, say) {
  const canvas = document.createElement("canvas"), resting = new RestingCard(), isStill = createStillness(canvas);
  for (; isOn(); await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))) {
    if (document.hidden || !await drawPicture(canvas, video).then(() => true, () => false)) continue;
    const side = Math.max(canvas.width, canvas.height);
    if (isStill() && resting.isSettled(side)) continue;
    const { data, error } = await postPhoto(await encodePicture(canvas));
    if (!isOn()) return;
    if (!data) {
      say(error);
      continue;
    }
    const card = resting.addPicture(data, side);
    if (resting.isSettled(side) && !data.cards.length) say(layText());
    if (card === null) continue;
    say(cardName(card));
    if (!await enter(card)) resting.refuse();
  }
}

/** Return a function that tells whether the canvas shows the same as when it last did not. @param {HTMLCanvasElement} canvas */
function createStillness(canvas) {
  const small = Object.assign(document.createElement("canvas"), { width: GRID_WIDTH, height: GRID_HEIGHT });
  const context = small.getContext("2d", { willReadFrequently: true });
  /** @type {Uint8ClampedArray | null} */
  let before = null;
  return () => {
    context?.drawImage(canvas, 0, 0, GRID_WIDTH, GRID_HEIGHT);
    const now = context?.getImageData(0, 0, GRID_WIDTH, GRID_HEIGHT).data ?? null;
    const isSame = before !== null && now !== null && before.every((value, i) => Math.abs(value - now[i]) <= MAX_STILL_CHANGE);
    if (!isSame) before = now;
    return isSame;
  };
}
