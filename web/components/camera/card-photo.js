// Takes a photograph of cards, has the table read it, and shows the cards over the picture. Cards that are not certain are
// choices. The picture is scaled down on the phone and stays in memory.

import { escapeHtml, findElement, morphHtml, onButtonClick, replaceHtml, setText } from "../../core/dom.js";
import { rankLabel } from "../../core/format.js";
import { formatMessage, formatPlural } from "../../core/i18n.js";
import { isSecure } from "../../core/preferences.js";
import { requestJson } from "../../core/requests.js";
import { cardButton, suitClass } from "../cards/card.js";
import { AgreedCards, centreOf, listReadings, scaledSize } from "./readings.js";

/** @import { PhotoAnswer, Reading } from "./readings.js" */

const MAX_SIDE_PX = 1600;
const JPEG_QUALITY = 0.9;
const LIVE_PAUSE_MS = 200;
/** Height of the letters over the picture, as a share of its longer side. */
const LABEL_SHARE = 0.055;
/** @type {Record<string, string>} */
const SUIT_SYMBOLS = { S: "♠\uFE0E", H: "♥\uFE0E", C: "♣\uFE0E", D: "♦\uFE0E" };

/**
 * Write the buttons and the picture into an element. `onRead` gets the certain cards of a new photograph, from left to
 * right, and how many cards it shows; `onChoose` each card that is chosen for an unsure one. `seen` returns the cards that lie elsewhere.
 * While the live picture is open, `onAgreed` gets the cards once as many are sure as `countWhole` wants; 0 waits for a tap.
 * @param {HTMLElement} el
 * @param {{ onRead: (cards: string[], places: number) => void, onChoose: (card: string) => void, seen?: () => Set<unknown>,
 *   countWhole?: () => number, onAgreed?: (cards: string[]) => void }} handlers
 */
export function createCardPhoto(el, { onRead, onChoose, seen = () => new Set(), countWhole = () => 0, onAgreed }) {
  el.classList.add("card-photo");
  el.innerHTML = `<p>${escapeHtml(formatMessage("Lay the cards side by side, or fan them so that rank and suit of each show, and photograph them from above."))}</p>
    <div class="choices"><button type="button" class="button" data-photo="camera">${escapeHtml(formatMessage("Take a photo"))}</button>
      <button type="button" class="button" data-photo="file">${escapeHtml(formatMessage("Choose a photo"))}</button></div>
    <input type="file" accept="image/*" hidden>
    <video muted playsinline hidden aria-label="${escapeHtml(formatMessage("Live picture"))}"></video>
    <p class="sheet-error" role="alert"></p>
    <p role="status"></p>
    <div class="photo-frame" hidden><canvas role="img" aria-label="${escapeHtml(formatMessage("Your photo"))}"></canvas><div></div></div>
    <div class="photo-choices"></div>
    <p data-misread hidden><a class="button" download>${escapeHtml(formatMessage("Report a misread"))}</a></p>`;
  const [error, status, frame, overlay, choices] = [".sheet-error", "[role=status]", ".photo-frame", ".photo-frame div", ".photo-choices"].map((each) => findElement(el, each));
  const input = findElement(el, "input"), canvas = findElement(el, "canvas"), video = findElement(el, "video"), report = findElement(el, "[data-misread]");
  /** @type {Reading[]} */
  let readings = [];
  /** @type {string[]} */
  let chosen = [];
  /** @type {(() => void) | null} */
  let stopCamera = null;
  let photoNumber = 0; // an answer to an older photograph, or from before `clear`, is ignored
  let startingNumber = -1; // the photograph for which the camera is being started

  onButtonClick(el, ({ photo, card, none }, button) => {
    if (photo === "camera" && hasLiveCamera()) return void takePhoto();
    if (photo) {
      chooseFile(photo === "camera");
      return;
    }
    const reading = readings[Number(button.closest("[data-place]")?.getAttribute("data-place"))];
    if (!reading) return;
    if (none !== undefined) reading.isCard = false;
    if (card) reading.card = card, onChoose(card);
    draw(chosen);
    focusNext();
  });

  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    input.value = ""; // the same file may be chosen again
    if (file) await readNext(file);
  });

  /** @param {boolean} withCamera */
  function chooseFile(withCamera) {
    input.toggleAttribute("capture", withCamera); // a phone then opens its camera
    if (withCamera) input.setAttribute("capture", "environment");
    input.click();
  }

  /** Open the live picture; at the second tap, read it. Without a camera or permission, choose a file. */
  async function takePhoto() {
    if (stopCamera) return readNext(video);
    if (startingNumber === photoNumber) return undefined;
    if (await openCamera() === false) chooseFile(true);
    return undefined;
  }

  /** Open the live picture. Return false without a camera or permission. */
  async function openCamera() {
    const number = startingNumber = photoNumber;
    const stop = await startCamera(video);
    if (number !== photoNumber) return stop?.();
    startingNumber = -1;
    stopCamera = stop;
    video.hidden = !stop;
    if (stop) watchHand(number);
    return !!stop;
  }

  /** Read the live picture again and again until the cards of a whole hand are sure. @param {number} number */
  async function watchHand(number) {
    const live = document.createElement("canvas"), agreed = new AgreedCards();
    for (; countWhole() && stopCamera && number === photoNumber; await new Promise((resolve) => setTimeout(resolve, LIVE_PAUSE_MS))) {
      if (!await drawPicture(live, video).then(() => true, () => false)) continue;
      const { data } = await postPhoto(await encodePicture(live));
      if (!data || !stopCamera || number !== photoNumber) continue;
      const cards = agreed.addPicture(data).filter((card) => !seen().has(card)), due = countWhole();
      setText(status, formatMessage("{n} of {due} cards are sure. Move the phone a little, or tap again.", { n: cards.length, due }));
      if (cards.length !== due) continue;
      photoNumber += 1;
      closeCamera();
      setText(status, "");
      onAgreed?.(cards);
    }
  }

  function closeCamera() {
    stopCamera?.();
    stopCamera = null;
    video.hidden = true;
  }

  /** @param {Blob | HTMLVideoElement} source */
  async function readNext(source) {
    const number = ++photoNumber;
    setBusy(true);
    await readPicture(source, () => number === photoNumber).finally(() => number === photoNumber && setBusy(false));
  }

  /** @param {boolean} isBusy */
  function setBusy(isBusy) {
    for (const button of el.querySelectorAll("[data-photo]")) button.toggleAttribute("disabled", isBusy);
    if (isBusy) setText(status, formatMessage("Reading the cards …"));
  }

  /**
   * Show a picture and have it read.
   * @param {Blob | HTMLVideoElement} source
   * @param {() => boolean} isNewest
   */
  async function readPicture(source, isNewest) {
    setText(error, "");
    readings = [];
    report.hidden = true;
    draw(chosen);
    const isPicture = await drawPicture(canvas, source).then(() => true, () => false);
    if (!isNewest()) return;
    closeCamera();
    frame.hidden = !isPicture;
    const photo = isPicture ? await encodePicture(canvas) : null;
    const { data, error: refusal } = photo ? await postPhoto(photo) : { data: null, error: formatMessage("This phone cannot open that picture. Take another one.") };
    if (!isNewest()) return;
    setText(error, refusal);
    setText(status, "");
    if (!data) return;
    readings = listReadings(data, seen());
    if (photo) offerReport(photo);
    onRead(readings.flatMap(({ card }) => card ?? []), readings.length);
    draw(chosen);
    setText(status, describeReadings(readings));
  }

  /** Draw the boxes and the choices. Cards that are not among the chosen ones are crossed out in the picture. @param {string[]} cards */
  function draw(cards) {
    chosen = cards;
    const { width, height } = canvas, size = LABEL_SHARE * Math.max(width, height);
    replaceHtml(overlay, `<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="xMinYMid meet" aria-hidden="true">${
      readings.map((reading, i) => renderBox(reading, numberOf(i), size, chosen)).join("")}</svg>`);
    morphHtml(choices, readings.map((reading, i) => (isOpen(reading) ? renderChoice(reading, i, numberOf(i), chosen) : "")).join(""));
  }

  /** Offer the photograph as a file that the browser keeps if a person taps it. Its name says what was read. @param {Blob} photo */
  function offerReport(photo) {
    const link = findElement(report, "a");
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(photo);
    link.download = `misread-${readings.map(({ card, likely }) => card ?? `${likely.join("or")}?`).join("-") || "nothing"}.jpg`;
    report.hidden = false;
  }

  /** @param {number} i */
  const numberOf = (i) => readings.slice(0, i + 1).filter(isUnsure).length;

  /** After a choice, the keyboard goes on at the next one, or at the sentence above. */
  function focusNext() {
    const next = choices.querySelector("button");
    status.tabIndex = -1;
    (next ?? status).focus({ preventScroll: true });
  }

  return {
    draw,
    openCamera,
    clear: () => {
      photoNumber += 1;
      closeCamera();
      setBusy(false);
      readings = [];
      report.hidden = true;
      frame.hidden = true;
      setText(status, "");
      setText(error, "");
      draw([]);
    },
  };
}

/** @param {Reading} reading */
const isUnsure = ({ likely }) => likely.length > 0;

/** @param {Reading} reading */
const isOpen = ({ card, isCard }) => card === null && isCard;

/** Return what was read in a sentence, and what to do about unsure cards. @param {Reading[]} readings */
function describeReadings(readings) {
  const certain = readings.filter(({ card }) => card).length, unsure = readings.length - certain;
  if (!readings.length) return formatMessage("No card was found. Tap the cards, or take another photo.");
  const read = formatPlural("{n} card read.", "{n} cards read.", certain);
  return unsure ? `${read} ${formatPlural("{n} is unsure: tap what it is.", "{n} are unsure: tap what they are.", unsure)}` : read;
}

/**
 * Return the box of a card over the picture, with its name, or its number while it is unsure.
 * @param {Reading} reading
 * @param {number} number
 * @param {number} size
 * @param {string[]} chosen
 */
function renderBox(reading, number, size, chosen) {
  const { corners, card, isCard } = reading, [x, y] = centreOf(reading);
  const label = card ? rankLabel(card) + SUIT_SYMBOLS[card[1]] : isCard ? `? ${number}` : "–";
  const kind = isOpen(reading) ? "unsure" : card && chosen.includes(card) ? "sure" : "left-out";
  const width = size * (0.7 + 0.65 * label.replace("\uFE0E", "").length);
  return `<g class="${kind}"><polygon points="${corners.map((corner) => corner.join()).join(" ")}"/>
    <rect x="${x - width / 2}" y="${y - size * 0.75}" width="${width}" height="${size * 1.5}" rx="${size / 4}"/>
    <text class="${card ? suitClass(card) : ""}" x="${x}" y="${y}" font-size="${size}" text-anchor="middle" dominant-baseline="central">${label}</text></g>`;
}

/**
 * Return the choices for an unsure card.
 * @param {Reading} reading
 * @param {number} place
 * @param {number} number
 * @param {string[]} chosen
 */
const renderChoice = ({ likely }, place, number, chosen) => {
  const title = escapeHtml(formatMessage("Card {n} in the photo", { n: number }));
  return `<div class="choices" role="group" data-place="${place}" aria-label="${title}"><b aria-hidden="true">? ${number}</b>
    ${likely.map((card) => cardButton(card, chosen.includes(card))).join("")}
    <button type="button" class="button" data-none>${escapeHtml(formatMessage("None of these"))}</button></div>`;
};

/**
 * Draw a picture, upright and scaled down, on a canvas of its size. Rejected if the browser cannot decode it.
 * @param {HTMLCanvasElement} canvas
 * @param {Blob | HTMLVideoElement} source
 */
export async function drawPicture(canvas, source) {
  const picture = await createImageBitmap(source, source instanceof Blob ? { imageOrientation: "from-image" } : {});
  Object.assign(canvas, scaledSize(picture, MAX_SIDE_PX));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
}

/**
 * Return the picture of a canvas as a JPEG, which tells nothing of place and time.
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 */
export const encodePicture = (canvas) => new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no JPEG"))), "image/jpeg", JPEG_QUALITY));

const WIDTH_PX = 1600;

/** Whether the browser can show a live picture at this address. */
export const hasLiveCamera = () => isSecure() && typeof navigator.mediaDevices?.getUserMedia === "function";

/**
 * Show the camera in a video element. Return the function that stops it, or null without a camera or permission.
 * @param {HTMLVideoElement} video
 * @returns {Promise<(() => void) | null>}
 */
export async function startCamera(video) {
  const wanted = { video: { facingMode: "environment", width: { ideal: WIDTH_PX } }, audio: false };
  const stream = await navigator.mediaDevices.getUserMedia(wanted).catch(() => null);
  if (!stream) return null;
  video.srcObject = stream;
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
    if (video.srcObject === stream) video.srcObject = null;
  };
  return video.play().then(() => stop, () => (stop(), null));
}

/**
 * Have the cards in a photograph read. Return the reply or the error message.
 * @param {Blob} photo a JPEG
 * @returns {Promise<{ data: PhotoAnswer | null, error: string }>}
 */
export const postPhoto = (photo) => requestJson("/api/cards/photo", { method: "POST", headers: { "Content-Type": "image/jpeg" }, body: photo });
