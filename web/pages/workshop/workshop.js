// Entry of the workshop page: device status, quarantined sensors, known pegs, recent inputs, the log, settings, hardware
// tests, and the recording of the last ten minutes.

import { viewRotation } from "../../board/layout.js";
import { boardState } from "../../board/state.js";
import { createBoardPicture } from "../../board/svg.js";
import { fetchApiOrNull } from "../../core/api.js";
import { setConstants } from "../../core/constants.js";
import { escapeHtml, findElement, morphHtml } from "../../core/dom.js";
import { DEVICE_NAMES, holeSpokenName } from "../../core/format.js";
import { formatMessage, gettextNoop, loadCatalogue, withLanguage } from "../../core/i18n.js";
import { HardwareTest } from "./hardware-test.js";
import { SettingsForm } from "./settings-form.js";

const POLL_MS = 2000;
const el = findElement(document, "[data-workshop]");
const [healthSection, plank, quarantineSection, settings, log] =
  [".health", ".plank", ".quarantined", ".settings", ".tail"].map((each) => findElement(el, each));
const drawSettings = SettingsForm(settings, drawWorkshop);
/** @type {ReturnType<typeof createBoardPicture> | null} */
let picture = null;
let drawnBoard = "";
/** @type {string[]} */
let holes = [];
let isPlayer = false;
let hasCameras = false;

async function poll() {
  const [snapshot, reply] = await Promise.all([fetchApiOrNull("/api/state"), fetch(withLanguage("/api/health"), { cache: "no-store" }).catch(() => null)]);
  const health = reply && [200, 503].includes(reply.status) ? await reply.json() : null;
  if (health) morphHtml(healthSection, `<h2>${formatMessage("Devices")}</h2><table><tbody>${Object.entries(health.devices).map(([name, each]) => deviceRow(name, each, isNotConfigured(snapshot, name))).join("")}
    ${deviceRow("journal", health.journal, false)}</tbody></table><p>${escapeHtml(formatMessage("Version {version}", { version: health.version }))}</p>`);
  else morphHtml(healthSection, `<p>${formatMessage("The table does not answer. Try again later.")}</p>`);
  if (snapshot) await drawBoard(snapshot);
  if (isPlayer) drawWorkshop(await fetchApiOrNull("/api/workshop"));
  setTimeout(poll, POLL_MS);
}

/** @param {Api.Snapshot} snapshot */
async function drawBoard(snapshot) {
  if (drawnBoard !== snapshot.board + snapshot.run) {
    const board = await fetchApiOrNull("/api/board");
    if (!board) return;
    drawnBoard = snapshot.board + snapshot.run;
    holes = [...board.holes].sort((a, b) => a.pixel - b.pixel).map(({ id }) => id);
    picture = createBoardPicture(plank, board, { seats: snapshot.game.seats, turn: viewRotation(board.holes, 2, null, true) });
  }
  picture?.showState(boardState(snapshot));
  morphHtml(quarantineSection, snapshot.quarantined.length
    ? `<p>${escapeHtml(formatMessage("Ignored because of a faulty sensor: {holes}.", { holes: snapshot.quarantined.map(holeSpokenName).join(", ") }))}</p>`
    : `<p>${formatMessage("All sensors working.")}</p>`);
}

/** Draw what only players may see and change. @param {Api.Workshop | null} workshop */
function drawWorkshop(workshop) {
  if (!workshop) return;
  showCameras(workshop.cameras);
  drawSettings(workshop.settings);
  morphHtml(log, logTail(workshop.log));
}

/** Show the cameras' pictures, from when a table has any. @param {number} count */
async function showCameras(count) {
  if (!count || hasCameras) return;
  hasCameras = true;
  const view = await import("./camera-view.js").catch(() => null);
  if (view) view.CameraView(findElement(el, ".cameras"), count);
  else hasCameras = false;
}

/**
 * Whether the table is configured without this device.
 * @param {Api.Snapshot | null} snapshot
 * @param {string} name
 */
const isNotConfigured = (snapshot, name) => snapshot?.devices[name]?.url === "none:";

/**
 * Return the row of a device.
 * @param {string} name
 * @param {{ ok: boolean, say: string }} device
 * @param {boolean} none
 */
const deviceRow = (name, { ok, say: message }, none) => `<tr><td>${escapeHtml(formatMessage(DEVICE_NAMES[name] ?? gettextNoop("Journal")))}</td>
  <td data-device="${escapeHtml(name)}" data-ok="${ok}">${none ? formatMessage("none") : ok ? formatMessage("OK") : formatMessage("not working")}</td><td>${escapeHtml(message)}</td></tr>`;

async function startPage() {
  const [names, me] = await Promise.all([fetchApiOrNull("/api/constants"), fetchApiOrNull("/api/me"), loadCatalogue()]);
  if (names) setConstants(names);
  isPlayer = me?.role === "player";
  for (const each of el.querySelectorAll("[data-players]")) each.toggleAttribute("hidden", !isPlayer);
  await poll();
  if (isPlayer) HardwareTest(findElement(el, ".trying"), () => holes);
}

startPage();

const MAX_LINES = 30;

/** @param {Api.Workshop["log"]} log */
export const logTail = (log) => `<h2>${formatMessage("Latest log lines")}</h2>${log.length
  ? `<ol class="log">${log.slice(0, MAX_LINES).map(({ ms, level, say: said }) => `<li><small>${escapeHtml(formatTime(ms))}${level === "info" ? "" : ` ${escapeHtml(level)}`}</small> ${escapeHtml(said)}</li>`).join("")}</ol>`
  : `<p>${formatMessage("The log is empty.")}</p>`}`;

/** @param {number} ms */
const formatTime = (ms) => new Date(ms).toLocaleTimeString([], { hour12: false });
