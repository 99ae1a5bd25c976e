// Entry of the page that checks pegs: a photograph of the board, its four corners, and what the table sees there. The picture
// is cut to the board on the phone and stays in memory. The check changes nothing.

import { fetchApi, fetchApiOrNull } from "../core/api.js";
import { constants, setConstants } from "../core/constants.js";
import { escapeHtml, findElement, onButtonClick, setText } from "../core/dom.js";
import { formatMessage, loadCatalogue } from "../core/i18n.js";
import { requestJson } from "../core/requests.js";

/** @typedef {{ sides: { score: number, points: number | null, pegs: { at: number[] }[], say: string }[] }} PegCheck */
/** @typedef {{ x: number, y: number }} Point fractions of the picture */

const MAX_SHOWN_PX = 1600, MAX_SENT_PX = 2000;
const JPEG_QUALITY = 0.9;
/** Part of the table around the board that is sent, as a share of the board. */
const MARGIN = 0.04;
const LOUPE_PX = 120, LOUPE_SCALE = 3;
const STEP = 0.001;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

const el = findElement(document, "[data-checking]");
/** @type {ImageBitmap | null} */
let photo = null;
/** @type {Point[]} */
let corners = [];

const colourNames = () => ({
  red: formatMessage("red"), blue: formatMessage("blue"), green: formatMessage("green"), yellow: formatMessage("yellow"), white: formatMessage("white"),
  black: formatMessage("black"), wood: formatMessage("wood"), brass: formatMessage("brass"),
});

/**
 * Write the page once.
 * @param {Api.Snapshot} snapshot
 */
function writePage({ players, game }) {
  const sides = players.slice(0, game.sides);
  const choices = sides.map(({ name, colour }, side) => `<label>${escapeHtml(formatMessage("{name}'s pegs", { name }))}<select data-colour="${side}">${
    Object.entries(colourNames()).map(([key, word]) => `<option value="${key}"${key === colour ? " selected" : ""}>${escapeHtml(word)}</option>`).join("")}</select></label>`);
  el.innerHTML = `<p>${escapeHtml(formatMessage("Photograph the whole board from straight above, at least 60 cm away, so that it fills the picture. The pegs must be bright, and the board drilled by our template."))}</p>
    <div class="choices"><button type="button" class="button" data-photo="camera">${escapeHtml(formatMessage("Take a photo"))}</button>
      <button type="button" class="button" data-photo="file">${escapeHtml(formatMessage("Choose a photo"))}</button></div>
    <input type="file" accept="image/*" hidden>
    <form hidden>
      <p>${escapeHtml(formatMessage("Drag each number to a corner of the wood: the ring marks the place. Number 1 is the upper left corner of the drawing of the board."))}</p>
      <div class="peg-picture"><canvas role="img" aria-label="${escapeHtml(formatMessage("Your photo"))}"></canvas><canvas class="peg-loupe" width="${LOUPE_PX}" height="${LOUPE_PX}" hidden aria-hidden="true"></canvas>${
  [0, 1, 2, 3].map((n) => `<button type="button" class="peg-corner" data-corner="${n}" aria-label="${escapeHtml(formatMessage("Corner {n}: move it with the arrow keys", { n: n + 1 }))}"><b aria-hidden="true">${n + 1}</b></button>`).join("")}</div>
      <div class="peg-colours">${choices.join("")}</div>
      <div class="choices"><button class="button" data-check>${escapeHtml(formatMessage("Check the pegs"))}</button></div>
    </form>
    <p class="sheet-error" role="alert"></p>
    <div role="status"></div>`;
  const [form, frame, loupe, error, status] = ["form", ".peg-picture", ".peg-loupe", "[role=alert]", "[role=status]"].map((each) => findElement(el, each));
  const input = findElement(el, "input"), canvas = findElement(el, "canvas");
  const handles = [...el.querySelectorAll("[data-corner]")].map((each) => /** @type {HTMLElement} */ (each));
  let attempt = 0; // an answer to an older picture or other corners is ignored

  onButtonClick(el, ({ photo: kind }) => {
    if (!kind) return;
    input.toggleAttribute("capture", kind === "camera");
    if (kind === "camera") input.setAttribute("capture", "environment"); // a phone then opens its camera
    input.click();
  });

  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    input.value = ""; // the same file may be chosen again
    if (!file) return;
    forget();
    const number = attempt;
    const opened = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => null);
    if (number !== attempt) return;
    photo?.close();
    photo = opened;
    form.hidden = !photo;
    if (!photo) return setText(error, formatMessage("This phone cannot open that picture. Take another one."));
    const scale = Math.min(1, MAX_SHOWN_PX / Math.max(photo.width, photo.height));
    Object.assign(canvas, { width: Math.round(photo.width * scale), height: Math.round(photo.height * scale) });
    canvas.getContext("2d")?.drawImage(photo, 0, 0, canvas.width, canvas.height);
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]].map(([x, y]) => ({ x, y }));
    handles.forEach((_, n) => moveCorner(n, corners[n]));
  });

  /**
   * @param {number} n
   * @param {Point} to
   */
  function moveCorner(n, to) {
    corners[n] = { x: Math.min(1, Math.max(0, to.x)), y: Math.min(1, Math.max(0, to.y)) };
    Object.assign(handles[n].style, { left: `${corners[n].x * 100}%`, top: `${corners[n].y * 100}%` });
    forget();
  }

  /** Remove what an earlier check said. */
  function forget() {
    attempt += 1;
    setText(error, "");
    status.innerHTML = "";
    for (const mark of frame.querySelectorAll(".peg-found")) mark.remove();
  }

  /** @param {number} n */
  function showLoupe(n) {
    const context = loupe instanceof HTMLCanvasElement ? loupe.getContext("2d") : null;
    if (!photo || !context) return;
    const { x, y } = corners[n], width = (LOUPE_PX / LOUPE_SCALE) * (photo.width / canvas.clientWidth);
    context.fillStyle = "#000";
    context.fillRect(0, 0, LOUPE_PX, LOUPE_PX);
    context.drawImage(photo, x * photo.width - width / 2, y * photo.height - width / 2, width, width, 0, 0, LOUPE_PX, LOUPE_PX);
    context.strokeStyle = "#b3261e";
    context.strokeRect(LOUPE_PX / 2, 0, 0, LOUPE_PX);
    context.strokeRect(0, LOUPE_PX / 2, LOUPE_PX, 0);
    loupe.classList.toggle("right", x < 0.5);
    loupe.hidden = false;
  }

  let held = -1, grip = { x: 0, y: 0 };
  /** @param {PointerEvent} event */
  const placeOf = ({ clientX, clientY }) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  };
  frame.addEventListener("pointerdown", (event) => {
    const at = placeOf(event), button = event.target instanceof Element ? event.target.closest("[data-corner]") : null;
    const distances = corners.map(({ x, y }) => Math.hypot((x - at.x) * canvas.clientWidth, (y - at.y) * canvas.clientHeight));
    held = button ? Number(button.getAttribute("data-corner")) : distances.indexOf(Math.min(...distances));
    grip = button ? { x: corners[held].x - at.x, y: corners[held].y - at.y } : { x: 0, y: 0 };
    frame.setPointerCapture(event.pointerId);
    drag(event);
  });
  /** @param {PointerEvent} event */
  function drag(event) {
    if (held < 0) return;
    const at = placeOf(event);
    moveCorner(held, { x: at.x + grip.x, y: at.y + grip.y });
    showLoupe(held);
  }
  frame.addEventListener("pointermove", drag);
  for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, () => (held = -1, loupe.hidden = true));
  frame.addEventListener("keydown", (event) => {
    const n = handles.findIndex((each) => each === event.target), step = ARROWS[event.key];
    if (n < 0 || !step) return;
    event.preventDefault();
    const much = event.shiftKey ? 20 : 1;
    moveCorner(n, { x: corners[n].x + step[0] * much, y: corners[n].y + step[1] * much });
    showLoupe(n);
  });
  frame.addEventListener("focusout", () => (loupe.hidden = true));

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!photo) return;
    forget();
    const number = attempt, button = findElement(form, "[data-check]");
    const colours = [...el.querySelectorAll("select")].map((each) => each.value);
    button.toggleAttribute("disabled", true);
    setText(status, formatMessage("Looking for the pegs …"));
    const { data, error: refusal } = await postBoard(photo, colours).finally(() => button.toggleAttribute("disabled", false));
    if (number !== attempt) return;
    setText(error, refusal);
    status.innerHTML = data ? renderCheck(data.answer) : "";
    if (data) for (const at of data.marks) frame.append(createMark(at));
  });
}

/**
 * Send the part of the photograph that shows the board. Return the answer, and the pegs as places in the whole photograph.
 * @param {ImageBitmap} picture
 * @param {string[]} colours
 * @returns {Promise<{ data: { answer: PegCheck, marks: Point[] } | null, error: string }>}
 */
async function postBoard(picture, colours) {
  const { width, height } = picture, xs = corners.map(({ x }) => x * width), ys = corners.map(({ y }) => y * height);
  const margin = MARGIN * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const left = Math.max(0, Math.min(...xs) - margin), top = Math.max(0, Math.min(...ys) - margin);
  const wide = Math.max(1, Math.min(width, Math.max(...xs) + margin) - left), high = Math.max(1, Math.min(height, Math.max(...ys) + margin) - top);
  const scale = Math.min(1, MAX_SENT_PX / Math.max(wide, high));
  const cut = Object.assign(document.createElement("canvas"), { width: Math.ceil(wide * scale), height: Math.ceil(high * scale) });
  cut.getContext("2d")?.drawImage(picture, left, top, wide, high, 0, 0, wide * scale, high * scale);
  const body = await new Promise((resolve) => cut.toBlob(resolve, "image/jpeg", JPEG_QUALITY));
  const numbers = (/** @type {number[]} */ values) => values.map((each) => each.toFixed(1)).join();
  const query = new URLSearchParams({
    corners: numbers(corners.flatMap((_, n) => [(xs[n] - left) * scale, (ys[n] - top) * scale])),
    whole: numbers([-left * scale, -top * scale, width * scale, height * scale]),
    colours: colours.join(),
  });
  const { data, error } = await requestJson(`/api/pegs/photo?${query}`, { method: "POST", headers: { "Content-Type": "image/jpeg" }, body });
  if (!data) return { data, error };
  const answer = /** @type {PegCheck} */ (data);
  const marks = answer.sides.flatMap(({ pegs }) => pegs.map(({ at: [x, y] }) => ({ x: (x / scale + left) / width, y: (y / scale + top) / height })));
  return { data: { answer, marks }, error };
}

/**
 * Return what the check says, side by side.
 * @param {PegCheck} check
 */
const renderCheck = ({ sides }) => `<ul class="peg-results">${sides.map(({ say, points, score }) => `<li data-differs="${points !== null && points !== score}">${escapeHtml(say)}</li>`).join("")}</ul>
  <p>${escapeHtml(formatMessage("Nothing was changed. Look at the board before you move a peg or correct a score."))}</p>`;

/** @param {Point} at */
function createMark({ x, y }) {
  const mark = Object.assign(document.createElement("span"), { className: "peg-found" });
  Object.assign(mark.style, { left: `${x * 100}%`, top: `${y * 100}%` });
  return mark;
}

async function startPage() {
  await loadCatalogue();
  setConstants(await fetchApi("/api/constants"));
  const me = await fetchApiOrNull("/api/me");
  const why = !constants.reads_photos ? formatMessage("This table cannot read photos: it needs the extra [camera].")
    : me?.role === "player" ? "" : formatMessage("Only players of this table can send photos.");
  if (why) el.innerHTML = `<p>${escapeHtml(why)}</p>${constants.reads_photos ? `<p class="hint">${escapeHtml(me?.how_to_join)}</p>` : ""}`;
  else writePage(await fetchApi("/api/state"));
}

startPage();
