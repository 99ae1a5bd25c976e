// What the phone page and the bench have in common: the link, the role, the parts, and what is drawn when.
// Data goes down as whole snapshots; what a player does goes up through `actions`.

import { Bar } from "../components/action-bar.js";
import { Correct } from "../components/correct-card.js";
import { Mending } from "../components/corrections.js";
import { Count } from "../components/count.js";
import { Devices } from "../components/device-status.js";
import { Panel } from "../components/game-panel.js";
import { Joining, Link, Refusal, Terms, Title } from "../components/header.js";
import { History } from "../components/history.js";
import { Said } from "../components/last-count.js";
import { Notices } from "../components/notices.js";
import { Pegging } from "../components/pegging-advice.js";
import { please, Tastes } from "../components/preferences.js";
import { Question } from "../components/question.js";
import { Review } from "../components/review-link.js";
import { Scores } from "../components/scores.js";
import { Sound } from "../components/sound.js";
import { Turn } from "../components/turn.js";
import { Actions, get } from "./api.js";
import { Late, mounted } from "./component.js";
import { follow } from "./connection.js";
import { learn } from "./constants.js";
import { find } from "./dom.js";
import { learnWords } from "./i18n.js";

/** @import { Part } from "./component.js" */

/** @type {Record<string, Part>} */
const SHARED = {
  title: Title, scores: Scores, turn: Turn, count: Count, question: Question, pegging: Pegging, said: Said, panel: Panel,
  notices: Notices, bar: Bar, mending: Mending, history: History, devices: Devices, tastes: Tastes,
  terms: Terms, correct: Correct, sound: Sound, review: Review,
  help: Late("[data-open=help]", async () => (await import("../components/help.js")).Help),
  "new-game": Late("[data-open=new-game]", async () => (await import("../components/new-game.js")).NewGame),
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
