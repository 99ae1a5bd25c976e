// The workshop: how the devices are, which holes are not believed, where the pegs are known to be, what reader, buttons
// and log tell; settings, a test of the lights, and what was read in the last ten minutes as a file.

import { turning } from "../board/layout.js";
import { stateOf } from "../board/state.js";
import { Picture } from "../board/svg.js";
import { Trying } from "../components/hardware-test.js";
import { tail } from "../components/log-tail.js";
import { Settings } from "../components/settings-form.js";
import { ask } from "../core/api.js";
import { learn } from "../core/constants.js";
import { fill, find, safe } from "../core/dom.js";
import { DEVICES, holeSpoken } from "../core/format.js";
import { inLanguage, learnWords, phrase, say } from "../core/i18n.js";

const LOOK_MS = 2000;
const el = find(document, "[data-workshop]");
const [told, plank, doubted, settings, log] =
  [".health", ".plank", ".doubted", ".settings", ".tail"].map((each) => find(el, each));
const drawSettings = Settings(settings, work);
/** @type {ReturnType<typeof Picture> | null} */
let picture = null;
let drawn = "";
/** @type {string[]} */
let holes = [];
let isPlayer = false;

async function look() {
  const [snapshot, reply] = await Promise.all([ask("/api/state"), fetch(inLanguage("/api/health"), { cache: "no-store" }).catch(() => null)]);
  const health = reply && [200, 503].includes(reply.status) ? await reply.json() : null;
  if (health) fill(told, `<h2>${say("Devices")}</h2><table><tbody>${Object.entries(health.devices).map(([name, each]) => device(name, each, isNone(snapshot, name))).join("")}
    ${device("journal", health.journal, false)}</tbody></table><p>${safe(say("Version {version}", { version: health.version }))}</p>`);
  else fill(told, `<p>${say("The table does not answer just now.")}</p>`);
  if (snapshot) await show(snapshot);
  if (isPlayer) work(await ask("/api/workshop"));
  setTimeout(look, LOOK_MS);
}

/** @param {Api.Snapshot} snapshot */
async function show(snapshot) {
  if (drawn !== snapshot.board + snapshot.run) {
    const board = await ask("/api/board");
    if (!board) return;
    drawn = snapshot.board + snapshot.run;
    holes = [...board.holes].sort((a, b) => a.pixel - b.pixel).map(({ id }) => id);
    picture = Picture(plank, board, { seats: snapshot.game.seats, turn: turning(board.holes, 2, null, true) });
  }
  picture?.show(stateOf(snapshot));
  fill(doubted, snapshot.quarantined.length
    ? `<p>${safe(say("Not believed for now, for the sensor errs: {holes}.", { holes: snapshot.quarantined.map(holeSpoken).join(", ") }))}</p>`
    : `<p>${say("Every sensor is believed.")}</p>`);
}

/**
 * What players alone may see and change.
 * @param {Api.Workshop | null} workshop
 */
function work(workshop) {
  if (!workshop) return;
  drawSettings(workshop.settings);
  fill(log, tail(workshop.log));
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
const device = (name, { ok, say: told }, none) => `<tr><td>${safe(say(DEVICES[name] ?? phrase("Journal")))}</td>
  <td data-device="${safe(name)}" data-ok="${ok}">${none ? say("none") : ok ? say("well") : say("not well")}</td><td>${safe(told)}</td></tr>`;

async function open() {
  const [names, me] = await Promise.all([ask("/api/constants"), ask("/api/me"), learnWords()]);
  if (names) learn(names);
  isPlayer = me?.role === "player";
  for (const each of el.querySelectorAll("[data-players]")) each.toggleAttribute("hidden", !isPlayer);
  await look();
  if (isPlayer) Trying(find(el, ".trying"), () => holes);
}

open();
