// Entry of the page that checks pegs: a photograph of the board, its four corners, and what the table sees there. The picture
// is cut to the board on the phone and stays in memory. The check changes nothing.

import { fetchApi, fetchApiOrNull } from "../../core/api.js";
import { constants, setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, onButtonClick, setText } from "../../core/dom.js";
import { formatMessage, loadCatalogue } from "../../core/i18n.js";
import { BoardPhoto, askForPhoto, renderBoardPhoto, renderPhotoButtons } from "./board-photo.js";

/** @typedef {{ sides: { score: number, points: number | null, pegs: { at: number[] }[], say: string }[] }} PegCheck */
/** @typedef {{ can_keep: boolean, seats: number[], holes: number | null }} OwnBoard */

const el = findElement(document, "[data-checking]");

const colourNames = () => ({
  red: formatMessage("red"), blue: formatMessage("blue"), green: formatMessage("green"), yellow: formatMessage("yellow"), white: formatMessage("white"),
  black: formatMessage("black"), wood: formatMessage("wood"), brass: formatMessage("brass"),
});

/**
 * Write the page.
 * @param {Api.Snapshot} snapshot
 * @param {OwnBoard} own the players' own board
 * @param {boolean} isOwn whether that is chosen
 */
function writePage(snapshot, own, isOwn) {
  const { players, game } = snapshot, sides = players.slice(0, game.sides), section = document.createElement("div");
  const choices = sides.map(({ name, colour }, side) => `<label>${escapeHtml(formatMessage("{name}'s pegs", { name }))}<select data-colour="${side}">${
    Object.entries(colourNames()).map(([key, word]) => `<option value="${key}"${key === colour ? " selected" : ""}>${escapeHtml(word)}</option>`).join("")}</select></label>`);
  section.className = "peg-part";
  section.innerHTML = `<p>${escapeHtml(formatMessage("Photograph the whole board from straight above, at least 60 cm away, so that it fills the picture. The pegs must be bright."))}</p>
    ${own.seats.length ? `<label>${escapeHtml(formatMessage("Board"))}<select data-board><option value="">${escapeHtml(formatMessage("The board of this game"))}</option><option value="own"${isOwn ? " selected" : ""}>${escapeHtml(formatMessage("My own board"))}</option></select></label>` : ""}
    ${renderPhotoButtons()}
    <form hidden>
      <p>${escapeHtml(formatMessage("Drag each number to a corner of the wood: the ring marks the place. Number 1 is the upper left corner of the drawing of the board."))}</p>
      ${renderBoardPhoto()}
      <div class="peg-colours">${choices.join("")}</div>
      <div class="choices"><button class="button" data-check>${escapeHtml(formatMessage("Check the pegs"))}</button></div>
    </form>
    <p class="sheet-error" role="alert"></p>
    <div role="status"></div>
    <div class="choices">${own.can_keep ? `<button type="button" class="button" data-own>${escapeHtml(own.seats.length ? formatMessage("Add my own board again") : formatMessage("Add my own board"))}</button>` : ""}</div>
    <p><a href="/check/markers">${escapeHtml(formatMessage("Print markers for the corners"))}</a></p>`;
  el.replaceChildren(section);
  const [form, error, status] = ["form", "[role=alert]", "[role=status]"].map((each) => findElement(section, each));
  const input = /** @type {HTMLInputElement} */ (findElement(section, "input"));
  const board = /** @type {HTMLSelectElement | null} */ (section.querySelector("[data-board]"));
  const photo = new BoardPhoto(section, forget);
  board?.addEventListener("change", forget);

  onButtonClick(section, ({ photo: kind, own: opens }) => {
    if (kind) askForPhoto(input, kind);
    if (opens !== undefined) openOwnBoard(snapshot, own);
  });

  input.addEventListener("change", () => photo.openChosen(input, form, error));

  /** Remove what an earlier check said. */
  function forget() {
    photo.attempt += 1;
    setText(error, "");
    status.innerHTML = "";
    for (const mark of section.querySelectorAll(".peg-found")) mark.remove();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    forget();
    const number = photo.attempt, button = findElement(form, "[data-check]");
    const colours = [...form.querySelectorAll("select")].map((each) => each.value).join();
    button.toggleAttribute("disabled", true);
    setText(status, formatMessage("Looking for the pegs …"));
    const query = { colours, ...(board?.value ? { board: board.value } : {}) };
    const { data, error: refusal, toPhoto } = await photo.post("/api/pegs/photo", query).finally(() => button.toggleAttribute("disabled", false));
    if (number !== photo.attempt) return;
    const answer = /** @type {PegCheck | null} */ (data);
    setText(error, refusal);
    status.innerHTML = answer ? renderCheck(answer) : "";
    for (const { pegs } of answer?.sides ?? []) for (const { at } of pegs) photo.frame.append(createMark(toPhoto(at)));
  });
}

/**
 * Let the player add a board, then return to the check.
 * @param {Api.Snapshot} snapshot
 * @param {OwnBoard} own
 */
async function openOwnBoard(snapshot, own) {
  const { writeOwnBoard } = await import("./own-board.js");
  writeOwnBoard(el, async (isKept) => writePage(snapshot, isKept ? await fetchApi("/api/pegs/board") : own, isKept));
}

/** Return what the check says, side by side. @param {PegCheck} check */
const renderCheck = ({ sides }) => `<ul class="peg-results">${sides.map(({ say, points, score }) => `<li data-differs="${points !== null && points !== score}">${escapeHtml(say)}</li>`).join("")}</ul>
  <p>${escapeHtml(formatMessage("Nothing was changed. Look at the board before you move a peg or correct a score."))}</p>`;

/** @param {{ x: number, y: number }} at */
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
  else writePage(await fetchApi("/api/state"), await fetchApi("/api/pegs/board"), false);
}

startPage();
