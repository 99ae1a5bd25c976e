// The workshop: how the devices are, which holes are not believed, where the pegs are known to be, what reader, buttons
// and log tell; settings, a test of the lights, and what was read in the last ten minutes as a file.

import { viewRotation } from "../board/layout.js";
import { boardState } from "../board/state.js";
import { createBoardPicture } from "../board/svg.js";
import { HardwareTest } from "../components/hardware-test.js";
import { logTail } from "../components/log-tail.js";
import { SettingsForm } from "../components/settings-form.js";
import { fetchApiOrNull } from "../core/api.js";
import { setConstants } from "../core/constants.js";
import { escapeHtml, findElement, morphHtml } from "../core/dom.js";
import { DEVICE_NAMES, holeSpokenName } from "../core/format.js";
import { formatMessage, gettextNoop, loadCatalogue, withLanguage } from "../core/i18n.js";

const LOOK_MS = 2000;
const el = findElement(document, "[data-workshop]");
const [told, plank, doubted, settings, log] =
  [".health", ".plank", ".doubted", ".settings", ".tail"].map((each) => findElement(el, each));
const drawSettings = SettingsForm(settings, work);
/** @type {ReturnType<typeof createBoardPicture> | null} */
let picture = null;
let drawn = "";
/** @type {string[]} */
let holes = [];
let isPlayer = false;

async function look() {
  const [snapshot, reply] = await Promise.all([fetchApiOrNull("/api/state"), fetch(withLanguage("/api/health"), { cache: "no-store" }).catch(() => null)]);
  const health = reply && [200, 503].includes(reply.status) ? await reply.json() : null;
  if (health) morphHtml(told, `<h2>${formatMessage("Devices")}</h2><table><tbody>${Object.entries(health.devices).map(([name, each]) => device(name, each, isNone(snapshot, name))).join("")}
    ${device("journal", health.journal, false)}</tbody></table><p>${escapeHtml(formatMessage("Version {version}", { version: health.version }))}</p>`);
  else morphHtml(told, `<p>${formatMessage("The table does not answer just now.")}</p>`);
  if (snapshot) await show(snapshot);
  if (isPlayer) work(await fetchApiOrNull("/api/workshop"));
  setTimeout(look, LOOK_MS);
}

/** @param {Api.Snapshot} snapshot */
async function show(snapshot) {
  if (drawn !== snapshot.board + snapshot.run) {
    const board = await fetchApiOrNull("/api/board");
    if (!board) return;
    drawn = snapshot.board + snapshot.run;
    holes = [...board.holes].sort((a, b) => a.pixel - b.pixel).map(({ id }) => id);
    picture = createBoardPicture(plank, board, { seats: snapshot.game.seats, turn: viewRotation(board.holes, 2, null, true) });
  }
  picture?.showState(boardState(snapshot));
  morphHtml(doubted, snapshot.quarantined.length
    ? `<p>${escapeHtml(formatMessage("Not believed for now, for the sensor errs: {holes}.", { holes: snapshot.quarantined.map(holeSpokenName).join(", ") }))}</p>`
    : `<p>${formatMessage("Every sensor is believed.")}</p>`);
}

/**
 * What players alone may see and change.
 * @param {Api.Workshop | null} workshop
 */
function work(workshop) {
  if (!workshop) return;
  drawSettings(workshop.settings);
  morphHtml(log, logTail(workshop.log));
}

/**
 * Whether this table has no such device, which is no fault.
 * @param {Api.Snapshot | null} snapshot
 * @param {string} name
 */
const isNone = (snapshot, name) => snapshot?.devices[name]?.url === "none:";

/**
 * @param {string} name
 * @param {{ ok: boolean, say: string }} device
 * @param {boolean} none
 */
const device = (name, { ok, say: told }, none) => `<tr><td>${escapeHtml(formatMessage(DEVICE_NAMES[name] ?? gettextNoop("Journal")))}</td>
  <td data-device="${escapeHtml(name)}" data-ok="${ok}">${none ? formatMessage("none") : ok ? formatMessage("well") : formatMessage("not well")}</td><td>${escapeHtml(told)}</td></tr>`;

async function open() {
  const [names, me] = await Promise.all([fetchApiOrNull("/api/constants"), fetchApiOrNull("/api/me"), loadCatalogue()]);
  if (names) setConstants(names);
  isPlayer = me?.role === "player";
  for (const each of el.querySelectorAll("[data-players]")) each.toggleAttribute("hidden", !isPlayer);
  await look();
  if (isPlayer) HardwareTest(findElement(el, ".trying"), () => holes);
}

open();
