// What the phone page and the bench have in common: the link, the role, the parts, and what is drawn when.
// Data goes down as whole snapshots; what a player does goes up through `actions`.

import { Actions } from "./actions.js";
import { learn } from "./constants.js";
import { get } from "./get.js";
import { mounted } from "./guard.js";
import { find } from "./html.js";
import { Late } from "./late.js";
import { follow } from "./link.js";
import { Bar } from "./parts/bar.js";
import { Correct } from "./parts/correct.js";
import { Count } from "./parts/count.js";
import { Devices } from "./parts/devices.js";
import { History } from "./parts/history.js";
import { Mending } from "./parts/mending.js";
import { Notices } from "./parts/notices.js";
import { Panel } from "./parts/panel.js";
import { Pegging } from "./parts/pegging.js";
import { Question } from "./parts/question.js";
import { Review } from "./parts/review.js";
import { Said } from "./parts/said.js";
import { Scores } from "./parts/scores.js";
import { Joining, Link, Refusal, Terms, Title } from "./parts/status.js";
import { Sound } from "./parts/sound.js";
import { please, Tastes } from "./parts/tastes.js";
import { Turn } from "./parts/turn.js";
import { learnWords } from "./say.js";

/** @import { Part } from "./guard.js" */

/** @type {Record<string, Part>} */
const SHARED = {
  title: Title, scores: Scores, turn: Turn, count: Count, question: Question, pegging: Pegging, said: Said, panel: Panel,
  notices: Notices, bar: Bar, mending: Mending, history: History, devices: Devices, tastes: Tastes,
  terms: Terms, correct: Correct, sound: Sound, review: Review,
  help: Late("[data-open=help]", async () => (await import("./parts/help.js")).Help),
  "new-game": Late("[data-open=new-game]", async () => (await import("./parts/new-game.js")).NewGame),
};

const AGAIN_MS = 1000;

/**
 * The place in the page for a part.
 * @param {string} name
 */
export const part = (name) => find(document, `[data-part=${name}]`);

/**
 * Mount the parts that the page has a place for, the shared ones and its `own`; then follow the table for ever.
 * @param {Record<string, Part>} own
 */
export async function open(own) {
  please();
  const has = (/** @type {string} */ name) => document.querySelector(`[data-part=${name}]`) !== null;
  const refusal = has("error") ? Refusal(part("error")) : () => {};
  const joining = has("joining") ? Joining(part("joining")) : () => {};
  /** @type {Api.Snapshot | null} */
  let drawn = null;

  const actions = Actions(take, (sentence, status) => {
    refusal(sentence);
    if (status === 403) learnRole();
  });
  const context = { actions, plays: () => document.body.dataset.role === "player" };

  const link = Link(part("link"));
  await learnWords();
  learn(await told(() => link("lost")));
  please(); // what packs bring is known now
  const parts = Object.entries({ ...SHARED, ...own }).filter(([name]) => has(name));
  const draws = parts.map(([name, Part]) => mounted(Part, part(name), context));
  follow(take, link);

  /**
   * Draw what is another run's, or newer; the body says what is drawn when all of it is.
   * @param {Api.Snapshot} snapshot
   */
  async function take(snapshot) {
    const another = drawn?.run !== snapshot.run;
    if (!another && drawn && snapshot.number <= drawn.number) return;
    if (drawn && drawn.moves !== snapshot.moves) refusal(""); // what was refused is past once a move was made
    drawn = snapshot;
    if (another) learnRole();
    await Promise.all(draws.map((draw) => draw(snapshot)));
    if (drawn !== snapshot) return;
    Object.assign(document.body.dataset, {
      phase: snapshot.phase, run: snapshot.run, snapshot: String(snapshot.number),
    });
  }

  async function learnRole() {
    try {
      const me = await get("/api/me");
      const changed = document.body.dataset.role !== me.role;
      document.body.dataset.role = me.role;
      joining(me);
      if (changed && drawn) for (const draw of draws) draw(drawn);
    } catch {
      // The link says so; the role is asked again with the next run.
    }
  }
}

/**
 * Names and numbers; a page that was opened where no table answers asks until there is one, and says so.
 * @param {() => void} away
 * @returns {Promise<Api.Constants>}
 */
async function told(away) {
  try {
    return await get("/api/constants");
  } catch {
    away();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    return told(away);
  }
}
