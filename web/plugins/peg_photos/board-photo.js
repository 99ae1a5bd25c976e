// A photograph of a board whose four corners are dragged to the corners of the wood. It stays in memory. Shared by the pages that
// check pegs and that add a board; the part with the board is cut out on the phone before it is sent.

import { escapeHtml, findElement, setText } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { requestJson } from "../../core/requests.js";

/** @typedef {{ x: number, y: number }} Point fractions of the picture */

const MAX_SHOWN_PX = 1600, MAX_SENT_PX = 2000;
const JPEG_QUALITY = 0.9;
/** Part of the table around the board that is sent, as a share of the board. */
const MARGIN = 0.04;
const LOUPE_PX = 120, LOUPE_SCALE = 3;
const STEP = 0.001;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

/** Return the buttons that ask for a photograph, and their input. */
export const renderPhotoButtons = () => `<div class="choices"><button type="button" class="button" data-photo="camera">${escapeHtml(formatMessage("Take a photo"))}</button>
      <button type="button" class="button" data-photo="file">${escapeHtml(formatMessage("Choose a photo"))}</button></div>
    <input type="file" accept="image/*" hidden>`;

/** Return the frame of a photograph with its corners. */
export const renderBoardPhoto = () => `<div class="peg-picture"><canvas role="img" aria-label="${escapeHtml(formatMessage("Your photo"))}"></canvas><canvas class="peg-loupe" width="${LOUPE_PX}" height="${LOUPE_PX}" hidden aria-hidden="true"></canvas>${
  [0, 1, 2, 3].map((n) => `<button type="button" class="peg-corner" data-corner="${n}" aria-label="${escapeHtml(formatMessage("Corner {n}: move it with the arrow keys", { n: n + 1 }))}"><b aria-hidden="true">${n + 1}</b></button>`).join("")}</div>`;

/** The photograph in an element with `renderBoardPhoto()`. */
export class BoardPhoto {
  /** @type {Point[]} */
  corners = [];
  /** Whether the corners can be dragged now. */
  isOpen = true;
  /** Grows with each picture, corner and question. An answer to an earlier one is ignored. */
  attempt = 0;
  /** Length of the board in millimetres as printed markers give it; null without markers. @type {number | null} */
  lengthMm = null;
  /** @type {ImageBitmap | null} */
  #photo = null;
  #held = -1;
  #grip = { x: 0, y: 0 };

  /**
   * @param {HTMLElement} el
   * @param {() => void} onChange called when a file is chosen or a corner moves; it adds to `attempt`
   */
  constructor(el, onChange) {
    this.frame = findElement(el, ".peg-picture");
    this.canvas = /** @type {HTMLCanvasElement} */ (findElement(this.frame, "canvas"));
    this.loupe = /** @type {HTMLCanvasElement} */ (findElement(this.frame, ".peg-loupe"));
    this.handles = [...this.frame.querySelectorAll("[data-corner]")].map((each) => /** @type {HTMLElement} */ (each));
    this.onChange = onChange;
    this.frame.addEventListener("pointerdown", (event) => this.#grab(event));
    this.frame.addEventListener("pointermove", (event) => this.#drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.frame.addEventListener(end, () => (this.#held = -1, this.loupe.hidden = true));
    this.frame.addEventListener("keydown", (event) => this.#press(event));
    this.frame.addEventListener("focusout", () => (this.loupe.hidden = true));
  }

  /**
   * Show the file that was chosen, with the form if it is a picture, and look for markers. Return whether it is shown.
   * @param {HTMLInputElement} input
   * @param {HTMLElement} form
   * @param {HTMLElement} error
   */
  async openChosen(input, form, error) {
    const [file] = input.files ?? [];
    input.value = ""; // the same file may be chosen again
    if (!file) return false;
    this.onChange();
    const number = this.attempt, isOpen = await this.#open(file, () => number === this.attempt);
    if (!isOpen && number !== this.attempt) return false;
    form.hidden = !isOpen;
    if (isOpen) await this.#findMarkers();
    else setText(error, formatMessage("This phone cannot open that picture. Take another one."));
    return isOpen;
  }

  /**
   * Show a file. Return whether it is a picture.
   * @param {File} file
   * @param {() => boolean} isCurrent whether no other file was chosen meanwhile
   */
  async #open(file, isCurrent) {
    const opened = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
    if (!isCurrent()) return false;
    this.#photo?.close();
    this.#photo = opened;
    this.lengthMm = null;
    if (!opened) return false;
    const scale = Math.min(1, MAX_SHOWN_PX / Math.max(opened.width, opened.height));
    Object.assign(this.canvas, { width: Math.round(opened.width * scale), height: Math.round(opened.height * scale) });
    this.canvas.getContext("2d")?.drawImage(opened, 0, 0, this.canvas.width, this.canvas.height);
    this.#moveAll([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]);
    return true;
  }

  /** Move the corners to four printed markers, if the table sees them and nobody has moved a corner meanwhile. */
  async #findMarkers() {
    const photo = this.#photo, before = this.corners;
    if (!photo) return;
    const { left, top, width, height } = { left: 0, top: 0, width: photo.width, height: photo.height };
    const { body, scale } = await this.#cut(left, top, width, height);
    const { data } = await requestJson("/api/pegs/markers", { method: "POST", headers: { "Content-Type": "image/jpeg" }, body });
    const found = /** @type {{ corners: [number, number][] | null, length_mm: number | null } | null} */ (data);
    if (!found?.corners || this.#photo !== photo || this.corners !== before) return;
    this.lengthMm = found.length_mm;
    this.#moveAll(found.corners.map(([x, y]) => [x / scale / width, y / scale / height]));
  }

  /**
   * Send the part of the photograph that shows the board, with its corners in the query. Return the answer, and what maps its
   * pixels to the photograph. `lines` are places in the photograph.
   * @param {string} path
   * @param {Record<string, string>} query
   * @param {Point[][]} [lines]
   */
  async post(path, query, lines = []) {
    const photo = this.#photo;
    if (!photo) return { data: null, error: "", toPhoto: () => ({ x: 0, y: 0 }) };
    const { width, height } = photo, xs = this.corners.map(({ x }) => x * width), ys = this.corners.map(({ y }) => y * height);
    const margin = MARGIN * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
    const left = Math.max(0, Math.min(...xs) - margin), top = Math.max(0, Math.min(...ys) - margin);
    const wide = Math.max(1, Math.min(width, Math.max(...xs) + margin) - left), high = Math.max(1, Math.min(height, Math.max(...ys) + margin) - top);
    const { body, scale } = await this.#cut(left, top, wide, high);
    const numbers = (/** @type {number[]} */ values) => values.map((each) => each.toFixed(1)).join();
    const toCut = (/** @type {Point} */ { x, y }) => [(x * width - left) * scale, (y * height - top) * scale];
    const all = new URLSearchParams({
      corners: numbers(this.corners.flatMap(toCut)), whole: numbers([-left * scale, -top * scale, width * scale, height * scale]), ...query,
    });
    if (lines.length) all.set("lines", lines.map((line) => numbers(line.flatMap(toCut))).join(";"));
    const { data, error } = await requestJson(`${path}?${all}`, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body });
    return { data, error, toPhoto: (/** @type {number[]} */ [x, y]) => ({ x: (x / scale + left) / width, y: (y / scale + top) / height }) };
  }

  /** @param {number} left @param {number} top @param {number} width @param {number} height */
  async #cut(left, top, width, height) {
    const scale = Math.min(1, MAX_SENT_PX / Math.max(width, height));
    const cut = Object.assign(document.createElement("canvas"), { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    if (this.#photo) cut.getContext("2d")?.drawImage(this.#photo, left, top, width, height, 0, 0, width * scale, height * scale);
    return { body: await new Promise((resolve) => cut.toBlob(resolve, "image/jpeg", JPEG_QUALITY)), scale };
  }

  /** @param {number[][]} places */
  #moveAll(places) {
    places.forEach(([x, y], n) => this.#move(n, { x, y }));
  }

  /**
   * @param {number} n
   * @param {Point} to
   */
  #move(n, to) {
    const place = { x: Math.min(1, Math.max(0, to.x)), y: Math.min(1, Math.max(0, to.y)) };
    this.corners = Object.assign([...this.corners], { [n]: place });
    Object.assign(this.handles[n].style, { left: `${place.x * 100}%`, top: `${place.y * 100}%` });
    this.onChange();
  }

  /** Return the place of a pointer in the picture. @param {PointerEvent} event */
  placeOf({ clientX, clientY }) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  }

  /** @param {PointerEvent} event */
  #grab(event) {
    if (!this.isOpen) return;
    const at = this.placeOf(event), button = event.target instanceof Element ? event.target.closest("[data-corner]") : null;
    const distances = this.corners.map(({ x, y }) => Math.hypot((x - at.x) * this.canvas.clientWidth, (y - at.y) * this.canvas.clientHeight));
    this.#held = button ? Number(button.getAttribute("data-corner")) : distances.indexOf(Math.min(...distances));
    this.#grip = button ? { x: this.corners[this.#held].x - at.x, y: this.corners[this.#held].y - at.y } : { x: 0, y: 0 };
    this.frame.setPointerCapture(event.pointerId);
    this.#drag(event);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    if (this.#held < 0) return;
    const at = this.placeOf(event);
    this.#move(this.#held, { x: at.x + this.#grip.x, y: at.y + this.#grip.y });
    this.showLoupe(this.corners[this.#held]);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const n = this.handles.findIndex((each) => each === event.target), step = ARROWS[event.key];
    if (n < 0 || !step) return;
    event.preventDefault();
    const much = event.shiftKey ? 20 : 1;
    this.#move(n, { x: this.corners[n].x + step[0] * much, y: this.corners[n].y + step[1] * much });
    this.showLoupe(this.corners[n]);
  }

  /** Show a place of the picture enlarged, away from the finger. @param {Point} at */
  showLoupe({ x, y }) {
    const context = this.loupe.getContext("2d"), photo = this.#photo;
    if (!photo || !context) return;
    const width = (LOUPE_PX / LOUPE_SCALE) * (photo.width / this.canvas.clientWidth);
    context.fillStyle = "#000";
    context.fillRect(0, 0, LOUPE_PX, LOUPE_PX);
    context.drawImage(photo, x * photo.width - width / 2, y * photo.height - width / 2, width, width, 0, 0, LOUPE_PX, LOUPE_PX);
    context.strokeStyle = "#b3261e";
    context.strokeRect(LOUPE_PX / 2, 0, 0, LOUPE_PX);
    context.strokeRect(0, LOUPE_PX / 2, LOUPE_PX, 0);
    this.loupe.classList.toggle("right", x < 0.5);
    this.loupe.hidden = false;
  }
}

/**
 * Ask for a file when a button of `renderPhotoButtons()` is pressed: `kind` is its data-photo.
 * @param {HTMLElement} input
 * @param {string} kind
 */
export function askForPhoto(input, kind) {
  input.toggleAttribute("capture", kind === "camera");
  if (kind === "camera") input.setAttribute("capture", "environment"); // a phone then opens its camera
  input.click();
}
