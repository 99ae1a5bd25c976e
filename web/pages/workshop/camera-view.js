// The workshop's view of the cameras' marked spots: the picture, what is read in it, and how bright it is.

import { escapeHtml, findElement, replaceHtml, setText } from "../../core/dom.js";
import { cardName } from "../../core/format.js";
import { formatMessage, withLanguage } from "../../core/i18n.js";

const POLL_MS = 400;
/** White paper between these brightnesses shows all of its print. */
const [LEAST_BRIGHT, MOST_BRIGHT] = [0.55, 0.97];

/** @typedef {{ size: number[], cards: { card: string, corners: number[][] }[], unsure: { corners: number[][], likely: string[] }[], brightest: number }} Spot */

/**
 * Show the spots of this many cameras, as long as the page is open.
 * @param {HTMLElement} el
 * @param {number} count
 */
export function CameraView(el, count) {
  el.innerHTML = `<h2>${escapeHtml(formatMessage("Camera"))}</h2>${Array.from({ length: count }, () => `<div class="spot-view" data-spot>
    <div class="photo-frame" hidden><canvas role="img" aria-label="${escapeHtml(formatMessage("What the camera sees"))}"></canvas><div></div></div>
    <p data-spot-read></p><p data-spot-light></p></div>`).join("")}`;
  [...el.querySelectorAll("[data-spot]")].forEach((spot, number) => poll(/** @type {HTMLElement} */ (spot), number));
}

/**
 * Show the newest picture of a camera, then the next one.
 * @param {HTMLElement} el
 * @param {number} number
 */
async function poll(el, number) {
  if (!document.hidden) await showSpot(el, number).catch(() => setText(findElement(el, "[data-spot-read]"), formatMessage("The table does not answer. Try again later.")));
  setTimeout(poll, POLL_MS, el, number);
}

/**
 * @param {HTMLElement} el
 * @param {number} number
 */
async function showSpot(el, number) {
  const [frame, canvas, overlay, read, light] = [".photo-frame", "canvas", ".photo-frame div", "[data-spot-read]", "[data-spot-light]"].map((each) => findElement(el, each));
  const reply = await fetch(withLanguage(`/api/workshop/cameras/${number}`), { cache: "no-store" });
  frame.hidden = !reply.ok;
  if (!reply.ok) {
    setText(read, (await reply.json()).error);
    setText(light, "");
    return;
  }
  /** @type {Spot} */
  const spot = JSON.parse(reply.headers.get("Spot") ?? "");
  const picture = await createImageBitmap(await reply.blob());
  const drawing = /** @type {HTMLCanvasElement} */ (canvas);
  [drawing.width, drawing.height] = spot.size;
  drawing.getContext("2d")?.drawImage(picture, 0, 0);
  picture.close();
  replaceHtml(overlay, `<svg viewBox="0 0 ${spot.size.join(" ")}" preserveAspectRatio="xMinYMid meet" aria-hidden="true">
    ${spot.cards.map(({ corners }) => outline(corners, "sure")).join("")}${spot.unsure.map(({ corners }) => outline(corners, "unsure")).join("")}</svg>`);
  setText(read, describeReadings(spot));
  setText(light, describeLight(spot.brightest));
}

/**
 * @param {number[][]} corners
 * @param {string} kind
 */
const outline = (corners, kind) => `<g class="${kind}"><polygon points="${corners.map((corner) => corner.join()).join(" ")}"/></g>`;

/** @param {Spot} spot */
function describeReadings({ cards, unsure }) {
  const sentences = cards.map(({ card }) => formatMessage("Read: {card}.", { card: cardName(card) }));
  for (const { likely } of unsure) sentences.push(formatMessage("Unsure: {cards}.", { cards: likely.map(cardName).join(", ") }));
  return sentences.join(" ") || formatMessage("No card is read.");
}

/** @param {number} brightest */
function describeLight(brightest) {
  const percent = `${Math.round(100 * brightest)}\u00a0%`;
  if (brightest > MOST_BRIGHT) return formatMessage("Brightest part: {percent}. Too bright for a card: less light, or a shorter exposure.", { percent });
  if (brightest < LEAST_BRIGHT) return formatMessage("Brightest part: {percent}. If a card lies there, it is too dark: more light, or a longer exposure.", { percent });
  return formatMessage("Brightest part: {percent}.", { percent });
}
