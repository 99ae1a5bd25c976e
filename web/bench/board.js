// The simulated board, large: a click lifts a peg or sets one down, and the lights glow as they were last sent.

import { Picture } from "../board/picture.js";
import { boardOf } from "../board/source.js";
import { racing, stateOf, stateUntold } from "../board/state.js";
import { turning } from "../board/turning.js";
import { gameOf } from "../games/index.js";
import { fill, safe, say } from "../html.js";
import { Held } from "../tumble.js";
import { holeSpoken, sideName } from "../words.js";
import { Hand } from "./hand.js";
import { steer } from "./steer.js";

const LIGHTS_MS = 130;
const HOLES_EACH = 4;

/** `el` has places for the picture, the hand and what is said of the hole one is at. */
export function BenchBoard(el, { actions }) {
  el.innerHTML = `<div class="plank"></div><p class="unseen" role="status"></p>
    <div class="hand-line" role="group" aria-label="In the hand"></div>`;
  const [plank, spoken, line] = el.children;
  let newest = null;
  let laid = null;
  let drawn = 0;
  let picture = null;
  let hand = null;
  let posts = 0;
  let queue = Promise.resolve();

  let seen = stateOf;
  const settle = Held(() => ((seen = stateOf), show()), () => ((seen = stateUntold), show()));

  const mine = () => document.body.dataset.role === "player";
  line.addEventListener("click", (event) => {
    const name = event.target.closest("button")?.dataset.peg;
    if (name) hand.choose(name), show();
  });

  /** Lift the peg of this hole, or set one down in it; first here, then on the board. */
  function touch(hole) {
    if (!mine()) return actions.refused("Only players move the pegs.");
    const lifts = hand.where.has(hole);
    if (!lifts && !hand.loose.length) return actions.refused("The hand is empty: lift a peg first.");
    if (lifts) hand.lift(hole);
    else hand.place(hole);
    show();
    posts += 1;
    queue = queue.then(() => actions.bench("holes", { [lifts ? "lift" : "place"]: hole })).then(() => (posts -= 1));
  }

  const seatAt = (id) =>
    newest.pegs.find((peg) => peg.front === id || peg.back === id)?.seat
    ?? newest.advice.find(({ lift, seat }) => lift === id && seat !== null)?.seat ?? picture.holes.get(id)?.seat ?? null;

  function lay(board, snapshot) {
    if (board !== laid) hand = Hand(gameOf(snapshot).pegs(snapshot), seatAt);
    laid = board;
    drawn = racing(snapshot);
    picture = Picture(plank, board, { seats: drawn, turn: turning(board.holes, newest) });
    steer(picture, { touch, at: (hole) => say(spoken, hole ? told(hole) : ""), carried: () => hand.loose.at(-1) ?? null });
  }

  const told = (hole) => `${holeSpoken(hole)}, ${hand.where.has(hole) ? "a peg in it" : "empty"}`;

  function show() {
    for (const { seat, front, back } of newest.pegs) hand.know(front, seat), hand.know(back, seat);
    const pegs = [...hand.where].map(([hole, peg]) => ({ hole, ...peg, front: true }));
    picture.show({ ...seen(newest), pegs, dice: null });
    const chips = hand.loose.map((peg, i) => chip(newest, peg, i === hand.loose.length - 1));
    fill(line, chips.length ? `<span>In the hand:</span>${chips.join("")}` : "<span>Click a peg to lift it.</span>");
  }

  async function look(turn) {
    try {
      if (picture && posts === 0 && turn % HOLES_EACH === 0) {
        const { occupied } = await read("holes");
        if (posts === 0) hand.see(occupied), show();
      }
      if (picture) picture.glow(await read("lights"));
      if (laid?.dice) picture.pips((await read("dice")).pips);
    } catch {
      // The link tells when the table cannot be reached.
    }
  }

  /** Look again and again, while somebody can see it and the table answers. */
  async function watch(turn = 0) {
    if (document.visibilityState === "visible" && document.body.dataset.link !== "lost") await look(turn);
    setTimeout(watch, LIGHTS_MS, turn + 1);
  }

  watch();
  return async (snapshot) => {
    const another = newest?.run !== snapshot.run || drawn !== racing(snapshot);
    newest = snapshot;
    const board = await boardOf(snapshot).catch(() => null);
    if (board && (another || board !== laid)) lay(board, snapshot), await look(0);
    if (board && newest === snapshot) settle(snapshot);
  };
}

const chip = (snapshot, { seat, name }, next) =>
  `<button type="button" class="button chip" data-peg="${safe(name)}" aria-pressed="${next}">
    <span class="dot seat-${seat ?? "none"}" aria-hidden="true"></span>${seat === null ? "A peg" : safe(sideName(snapshot, seat))}</button>`;

async function read(what) {
  const reply = await fetch(`/api/bench/${what}`, { cache: "no-store" });
  if (!reply.ok) throw new Error(reply.statusText);
  return reply.json();
}
