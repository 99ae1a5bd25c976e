// What was played while this page was open, the newest first.

import { fill, safe } from "../html.js";
import { told } from "../saying.js";
import { Held } from "../tumble.js";
import { cardName, seatName } from "../words.js";

const KEPT = 200;
const BY = { phone: "by phone", cards: "by card", board: "by peg", buttons: "by button" };

/** A line for each move this page has received. */
export function History(el) {
  const past = [];
  let newest = "";
  const show = Held(() => fill(el, past.join("")));
  return (snapshot) => {
    const mark = `${snapshot.run} ${snapshot.moves}`;
    if (mark !== newest && snapshot.last?.move) {
      newest = mark;
      past.unshift(line(snapshot));
      past.length = Math.min(past.length, KEPT);
    }
    show(snapshot);
  };
}

function line(snapshot) {
  const { move, by, awards } = snapshot.last;
  const said = told(awards ?? []).map((group) => `${seatName(snapshot, group.seat)}: ${group.say}.`);
  const scores = snapshot.scores.join(" – ");
  return `<li><span class="what">${safe(done(snapshot, move))}</span> <small>${safe(BY[by] ?? by ?? "")}</small>
    <b class="then">${safe(scores)}</b>${said.map((each) => `<em>${safe(each)}</em>`).join("")}</li>`;
}

/** A move in the past tense. */
function done(snapshot, move) {
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
    adjust: () => `${who} was put right by ${move.points < 0 ? "−" : "+"}${Math.abs(move.points)}.`,
    undo: () => "Taken back.",
    next: () => "On with it.",
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
