// 'Round the Bases: a deal, the diamond with its runners, and the dice.

import { fill, safe, together } from "../html.js";
import { Held } from "../tumble.js";
import { seatName, sideName, sideOf } from "../words.js";
import { ending } from "./any.js";
import { deal } from "./deal.js";
import { Diamond } from "./diamond.js";
import { Dice, Thrown } from "./dice.js";

const BASES = ["home", "first", "second", "third"];

export const bases = {
  ...deal,
  key: "bases",
  abandons: ({ phase }) => (phase === "over" ? "end" : null),
  turn: (snapshot) => (SENTENCES[snapshot.phase] ?? deal.turn)(snapshot),
  Panel: together(Thrown, Dice, Steals, Inning, deal.Panel),
  deals: "bats",
  pegs: () => [[0, 5], [1, 5], [null, 6]],
  way: () => null,
};

const SENTENCES = {
  cut: (snapshot) => `${cutJack(snapshot) ? "A home run! " : ""}${seatName(snapshot, snapshot.dealer)} bats. Cut the starter.`,
  between: (snapshot) => `${seatName(snapshot, snapshot.dealer)} bats next.`,
  roll: (snapshot) => ROLLS[snapshot.due.for](snapshot, seatName(snapshot, snapshot.turn)),
  over: ending,
};

/** A jack was cut: everybody has run home, and there is another cut. */
const cutJack = ({ last, plays }) => last?.move?.type === "starter" && plays.length > 0;

const runner = ({ due }) => (due.from ? `the runner from ${BASES[due.from]}` : "the batter");

const ROLLS = {
  bat: (_, who) => `${who} rolls one die: the higher bats first.`,
  must: (snapshot, who) => `${who} rolls: a ${snapshot.due.number} saves ${runner(snapshot)}.`,
  steal: ({ due }, who) => `${who} rolls: a ${due.number} steals ${BASES[(due.from + 1) % 4]}.`,
  pickle: (snapshot, who) => {
    const saves = sideOf(snapshot, snapshot.turn) === snapshot.batting;
    return `Pickle: ${who} rolls a die. A ${snapshot.due.number} ${saves ? "saves" : "catches"} ${runner(snapshot)}.`;
  },
};

/** Where the game stands, the diamond, and what the last hit did. */
function Inning(el) {
  el.innerHTML = `<h2 class="unseen">The inning</h2>
    <div class="inning"><div class="field"></div><div class="facts"></div></div>`;
  const draw = Diamond(el.querySelector(".field"));
  return Held((snapshot) => {
    const { phase, inning, half, outs, points, plays, batting } = snapshot;
    const scale = points.map((each, side) => `${sideName(snapshot, side)}\u00a0${each}`).join(", ");
    const net = phase === "roll" && batting !== null ? `: ${points[batting] - points[1 - batting]} spaces` : "";
    draw(snapshot);
    fill(el.querySelector(".facts"), `
      <p><b>Inning ${inning}</b>, ${half}${batting === null ? "" : `: ${safe(sideName(snapshot, batting))}\u00a0bats`}</p>
      <p><span class="outs" aria-hidden="true">${"●".repeat(outs)}${"○".repeat(3 - outs)}</span> ${outs} out</p>
      <p>This hand: ${safe(scale)}${net}</p>
      <ul>${plays.map((each) => `<li>${play(each)}</li>`).join("")}</ul>`);
  });
}

/** "The runner on first: a run." */
function play({ from, to, result }) {
  const who = from ? `The runner on ${BASES[from]}` : "The batter";
  return `${who}: ${{ safe: `safe on ${BASES[to % 4]}`, out: "out", run: "a run" }[result] ?? safe(result)}.`;
}

/** A button for each runner who may steal. */
function Steals(el, { actions }) {
  el.className = "choices players";
  let seat = 0;
  el.addEventListener("click", (event) => {
    const base = event.target.closest("button")?.dataset.base;
    if (base) actions.move({ type: "steal", seat, base: Number(base) });
  });
  return Held((snapshot) => {
    seat = snapshot.dealer ?? 0;
    fill(el, (snapshot.steals ?? []).map((base) => steal(base, snapshot.batting ?? 0)).join(""));
  });
}

const steal = (base, seat) =>
  `<button type="button" class="button" data-move="steal" data-seat="${seat}" data-base="${base}">
    Steal ${BASES[(base + 1) % 4]}</button>`;
