// What the phone page and the bench have in common: the link, the role, the parts, and what is drawn when.
// Data goes down as whole snapshots; what a player does goes up through `actions`.

import { Actions } from "./actions.js";
import { guarded, mounted } from "./guard.js";
import { say } from "./html.js";
import { follow } from "./link.js";
import { Count } from "./parts/count.js";
import { Devices } from "./parts/devices.js";
import { History } from "./parts/history.js";
import { Mending } from "./parts/mending.js";
import { Notices } from "./parts/notices.js";
import { Panel } from "./parts/panel.js";
import { Pegging } from "./parts/pegging.js";
import { Question } from "./parts/question.js";
import { Said } from "./parts/said.js";
import { Scores } from "./parts/scores.js";
import { Joining, Link, Refusal } from "./parts/status.js";
import { Turn } from "./parts/turn.js";
import { Held } from "./tumble.js";

const SHARED = {
  scores: Scores, turn: Turn, count: Count, question: Question, pegging: Pegging, said: Said, panel: Panel,
  mending: Mending, history: History, notices: Notices, devices: Devices,
};

/** The place in the page for a part. */
export const part = (name) => document.querySelector(`[data-part=${name}]`);

/** Mount the shared parts that the page has a place for, and `own`: [Part, its place, what else it is given]. For ever. */
export function open(own) {
  const refusal = Refusal(part("error"));
  const joining = Joining(part("joining"));
  const link = Link(part("link"));
  let drawn = null;

  const actions = Actions(take, (sentence, status) => {
    refusal(sentence);
    if (status === 403) learnRole();
  });
  const context = { actions, plays: () => document.body.dataset.role === "player" };
  const shared = Object.entries(SHARED).map(([name, Part]) => [Part, part(name)]).filter(([, place]) => place);
  const parts = [...shared, ...own(actions)];
  const draws = [Held(title), ...parts.map(([Part, place, more]) => mounted(Part, place, { ...context, ...more }))];

  /** Draw what is another run's, or newer; the body says what is drawn when all of it is. */
  async function take(snapshot) {
    const another = drawn?.run !== snapshot.run;
    if (!another && snapshot.number <= drawn.number) return;
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
      const reply = await fetch("/api/me", { cache: "no-store" });
      const me = await reply.json();
      const changed = document.body.dataset.role !== me.role;
      document.body.dataset.role = me.role;
      joining(me);
      if (changed && drawn) for (const draw of draws) draw(drawn);
    } catch {
      // The link says so; the role is asked again with the next run.
    }
  }

  follow(take, link);
}

/** The game's name in the heading, and the scores where a browser shows its tabs. */
function title(snapshot) {
  say(part("title"), snapshot.game.title);
  document.title = `${snapshot.scores.join(" – ")} · ${snapshot.game.title}`;
}
