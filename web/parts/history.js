// What was played while this page was open, the newest first.

import { gameOf } from "../games/index.js";
import { fill, safe } from "../html.js";
import { told } from "../saying.js";
import { Held } from "../tumble.js";
import { cardName, seatName } from "../words.js";

const KEPT = 200;
const PLAIN = ["adjust", "claim", "pegged"]; // the move says it already
const BY = { phone: "by phone", cards: "by card", board: "by peg", buttons: "by button" };

/** A line for each move this page has received. */
export function History(el) {
  const past = [];
  let newest = "";
  let next = null;
  const show = Held(() => fill(el, past.join("")));
  return (snapshot) => {
    const mark = `${snapshot.run} ${snapshot.moves}`;
    if (mark !== newest && snapshot.last?.move) {
      newest = mark;
      past.unshift(line(snapshot, next));
      past.length = Math.min(past.length, KEPT);
    }
    next = gameOf(snapshot).next(snapshot);
    show(snapshot);
  };
}

function line(snapshot, next) {
  const { move, by, awards } = snapshot.last;
  const earned = (awards ?? []).filter(({ reason, points }) => !(PLAIN.includes(reason) && points === move.points));
  const said = told(earned).map((group) => `${seatName(snapshot, group.seat)}: ${group.say}.`);
  const scores = snapshot.scores.join(" – ");
  return `<li><span class="what">${safe(done(snapshot, move, next))}</span> <small>${safe(BY[by] ?? by ?? "")}</small>
    <b class="then">${safe(scores)}</b>${said.map((each) => `<em>${safe(each)}</em>`).join("")}</li>`;
}

/** A move in the past tense; going on is called what its button was: "Next hand." */
function done(snapshot, move, next) {
  const who = "seat" in move ? seatName(snapshot, move.seat) : "";
  const words = {
    starter: () => `The ${cardName(move.card)} was cut.`,
    play: () => `${who} played the ${cardName(move.card)}.`,
    go: () => `${who} said go.`,
    crib: () => `The crib: ${move.cards.map(cardName).join(", ")}.`,
    hand: () => `${who} showed ${move.cards.map(cardName).join(", ")}.`,
    claim: () => `${who} claimed ${move.points}.`,
    muggins: () => `${who} called muggins for ${move.points}.`,
    misdeal: () => "Misdeal.",
    adjust: () => `${who}'s score was corrected by ${move.points < 0 ? "−" : "+"}${Math.abs(move.points)}.`,
    undo: () => "Taken back.",
    next: () => `${next ?? "On to the next"}.`,
    peg: () => `${who} pegged ${move.points}.`,
    roll: () => `${who} rolled ${move.dice.join(" and ")}.`,
    steal: () => `${who} let a runner steal.`,
    take: () => `${who} took ${move.chips.join(" and ")}.`,
    exchange: () => `${who} exchanged two markers.`,
    return: () => `${who} gave ${move.chip} back.`,
    lay: () => (move.colours ? "The markers were laid." : "The cards were laid."),
    swap: () => "Two cards were swapped.",
    place: () => `The ${cardName(move.card)} was placed.`,
  };
  return words[move.type]?.() ?? `${who} ${move.type}`.trim();
}
