// A deal of cribbage, in whatever game: the starter, the play, the hands it showed, the crib, and what players claim.

import { face, gap } from "../cards.js";
import { fill, safe, together } from "../html.js";
import { ANY_FITS } from "../parts/count.js";
import { seatName } from "../words.js";
import { any, ending } from "./any.js";
import { Claims } from "./claims.js";

/** What the games of cards have in common. */
export const deal = {
  ...any,
  turn: (snapshot) => (SENTENCES[snapshot.phase] ?? any.turn)(snapshot),
  Panel: together(Cards, Claims),
  seen: ({ phase, starter, played, hands = [], crib, lying = [] }) => {
    if (phase === "cut" || phase === "between") return new Set();
    return ["play", "show", "crib"].includes(phase)
      ? new Set([starter, ...played.flat(), ...hands.flat(), ...crib, ...lying])
      : null;
  },
  goes: ({ phase, turn }) => (phase === "play" ? turn : null),
  voids: ({ phase }) => ["play", "show", "claim", "crib"].includes(phase),
};

const SENTENCES = {
  cut: (snapshot) => `${seatName(snapshot, snapshot.dealer)} deals. Cut the starter.`,
  play: (snapshot) =>
    `${seatName(snapshot, snapshot.turn)} to play${snapshot.count > ANY_FITS ? ", or go" : ""}.`,
  show: (snapshot) => `${seatName(snapshot, snapshot.turn)} shows the hand: ${missing(snapshot)} more.`,
  claim: (snapshot) => `${seatName(snapshot, snapshot.turn)} says the count.`,
  crib: (snapshot) => {
    const lying = snapshot.crib.length;
    return `${seatName(snapshot, snapshot.turn)} turns up the crib${lying ? `: ${lying} of 4` : ""}.`;
  },
  between: (snapshot) => `${seatName(snapshot, snapshot.dealer)} deals next.`,
  over: ending,
};

/** How many cards of a hand are still to be seen. */
function missing({ game, turn, played, lying = [] }) {
  const left = (game.key === "five-card" ? 3 : 4) - played[turn].length - lying.length;
  return left === 1 ? "1 card" : `${left} cards`;
}

function Cards(el) {
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

/** What each seat has shown, as played or as laid open, and the crib. */
function hands({ phase, turn, played, hands: whole = [], lying = [], gone, crib, ...snapshot }) {
  const rows = played.map((cards, seat) => {
    const shown = whole[seat]?.length ? whole[seat] : [...cards, ...(phase === "show" && seat === turn ? lying : [])];
    const after = gone.includes(seat) ? '<span class="tag">go</span>' : "";
    return shown.length || after ? hand(seatName(snapshot, seat), shown, after) : "";
  });
  return [...rows, crib.length ? hand("Crib", crib, "") : ""];
}

const hand = (name, cards, after) =>
  `<span class="whose">${safe(name)}</span>
    <span class="small-cards">${cards.map((card) => face(card)).join("")}${after}</span>`;
