// The workshop: how the devices are, which holes are not believed, where the pegs are known to be, what the journal says.

import { Picture } from "./board/picture.js";
import { stateOf } from "./board/state.js";
import { turning } from "./board/wood.js";
import { learn } from "./constants.js";
import { ask } from "./get.js";
import { fill, find, safe } from "./html.js";
import { Trying } from "./parts/trying.js";
import { inLanguage, learnWords, phrase, say } from "./say.js";
import { DEVICES, holeSpoken } from "./words.js";

const LOOK_MS = 2000;
const el = find(document, "[data-workshop]");
const [told, plank, doubted] = [".health", ".plank", ".doubted"].map((each) => find(el, each));
/** @type {ReturnType<typeof Picture> | null} */
let picture = null;
let drawn = "";
/** @type {string[]} */
let holes = [];

async function look() {
  const [snapshot, reply] = await Promise.all([ask("/api/state"), fetch(inLanguage("/api/health"), { cache: "no-store" }).catch(() => null)]);
  const health = reply && [200, 503].includes(reply.status) ? await reply.json() : null;
  if (health) fill(told, `<h2>${say("Devices")}</h2><table><tbody>${Object.entries(health.devices).map(device).join("")}
    ${device(["journal", health.journal])}</tbody></table><p>${safe(say("Version {version}", { version: health.version }))}</p>`);
  else fill(told, `<p>${say("The table does not answer just now.")}</p>`);
  if (snapshot) await show(snapshot);
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

/** @param {[string, any]} entry */
const device = ([name, { ok, say: told }]) =>
  `<tr><td>${safe(say(DEVICES[name] ?? phrase("Journal")))}</td><td data-device="${safe(name)}" data-ok="${ok}">${ok ? say("well") : say("not well")}</td><td>${safe(told)}</td></tr>`;

learnWords().then(async () => (learn(await ask("/api/constants")), look(), Trying(find(el, ".trying"), () => holes)));
