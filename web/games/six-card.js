// Six-card cribbage: the starter, the play with its count, the hands it showed, the crib.

import { face, gap } from "../cards.js";
import { fill, safe } from "../html.js";
import { ANY_FITS } from "../parts/count.js";
import { seatName } from "../words.js";
import { any, ending } from "./any.js";

export const sixCard = {
  ...any,
  key: "six-card",
  turn: (snapshot) => (SENTENCES[snapshot.phase] ?? any.turn)(snapshot),
  Panel,
  seen: ({ phase, starter, played, crib }) => {
    if (phase === "over") return null;
    return new Set(phase === "play" || phase === "crib" ? [starter, ...played.flat(), ...crib] : []);
  },
  goes: ({ phase, turn }) => (phase === "play" ? turn : null),
  voids: ({ phase }) => phase === "play" || phase === "crib",
};

const SENTENCES = {
  cut: (snapshot) => `${seatName(snapshot, snapshot.dealer)} deals. Cut the starter.`,
  play: (snapshot) =>
    `${seatName(snapshot, snapshot.turn)} to play${snapshot.count > ANY_FITS ? ", or go" : ""}.`,
  crib: (snapshot) => {
    const lying = snapshot.crib.length;
    return `${seatName(snapshot, snapshot.turn)} turns up the crib${lying ? `: ${lying} of 4` : ""}.`;
  },
  show: (snapshot) => `${seatName(snapshot, snapshot.turn)} shows the hand.`,
  claim: (snapshot) => `${seatName(snapshot, snapshot.turn)} says what it counts.`,
  between: (snapshot) => `${seatName(snapshot, snapshot.dealer)} deals next.`,
  over: ending,
};

function Panel(el) {
  el.innerHTML = `<h2 class="unseen">The cards</h2>
    <div class="table"><div class="slot"><span class="starter"></span><small>starter</small></div>
      <div class="lying"><div class="series" role="group" aria-label="The series"></div><div class="hands"></div></div></div>`;
  const part = (name) => el.querySelector(`.${name}`);
  return (snapshot) => {
    fill(part("starter"), snapshot.starter ? face(snapshot.starter) : gap("No starter yet"));
    fill(part("series"), snapshot.series.map((card) => face(card)).join(""));
    fill(part("hands"), hands(snapshot).join(""));
  };
}

/** What each seat has shown, and the crib. */
function hands(snapshot) {
  const rows = snapshot.played.map((cards, seat) => {
    const gone = snapshot.gone.includes(seat) ? '<span class="tag">go</span>' : "";
    return cards.length || gone ? hand(seatName(snapshot, seat), cards, gone) : "";
  });
  const crib = snapshot.crib.length ? hand("Crib", snapshot.crib, "") : "";
  return [...rows, crib];
}

const hand = (name, cards, after) =>
  `<span class="whose">${safe(name)}</span>
    <span class="small-cards">${cards.map((card) => face(card)).join("")}${after}</span>`;
