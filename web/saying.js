// Counts as players say them: "fifteen two, fifteen four, and a double run of three makes twelve".
// The same words as companion/rules/saying.py; tests/browser compares the two. Pure.

import { cardName } from "./words.js";

const WORDS = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six twenty-seven
twenty-eight twenty-nine thirty thirty-one`.split(/\s+/);
const RUNS = { 1: "a run of", 2: "a double run of", 3: "a triple run of", 4: "a double double run of" };
const ALIKE = { 1: "a pair", 3: "three alike", 6: "four alike" };
const NAMES = { pair: "a pair", run: "a run", flush: "a flush", line: "a line", plus: "a plus", cross: "a cross", zigzag: "a zig-zag" };
const FOR = { "his heels": "his heels", "his nobs": "his nobs", "last card": "last" };
const ORDER = ["fifteen", "thirty-one", "pair", "three alike", "four alike", "run", "flush", "his nobs"];

/** A number in words up to thirty-one, in digits beyond. */
export const word = (number) => WORDS[number] ?? String(number);

/** The items of one hand or one card, each with the running total. */
export function count(items) {
  const parts = [];
  let total = 0;
  const all = gathered(items);
  for (const [name, points] of all) {
    total += points;
    if (name === "fifteen") parts.push(`fifteen ${word(total)}`);
    else if (name === "thirty-one") parts.push(`thirty-one for ${word(total)}`);
    else if (all.length === 1 && FOR[name]) parts.push(`${word(total)} for ${FOR[name]}`);
    else parts.push(`${name} ${/^a (double|triple)/.test(name) ? "makes" : "is"} ${word(total)}`);
  }
  if (parts.length > 1 && !parts.at(-1).startsWith("fifteen")) parts.push(`and ${parts.pop()}`);
  return parts.join(", ") || "nothing";
}

/** A group of awards for each hand or card that earned something: {seat, points, awards, say}. */
export function told(awards) {
  const groups = [];
  for (const award of awards) {
    if (groups.length && goesOn(groups.at(-1), award)) groups.at(-1).push(award);
    else groups.push([award]);
  }
  return groups.map((group) => ({
    seat: group[0].seat,
    points: group.reduce((sum, award) => sum + award.points, 0),
    awards: group,
    say: alone(group[0]) ?? count(group),
  }));
}

function gathered(items) {
  const runs = items.filter((item) => item.reason === "run");
  const inRuns = new Set(runs.flatMap((run) => run.cards.map((card) => card[0])));
  const pairs = new Map();
  for (const { cards } of items.filter((item) => item.reason === "pair")) {
    pairs.set(cards[0][0], (pairs.get(cards[0][0]) ?? 0) + 1);
  }
  const of = (reason) => items.filter((item) => item.reason === reason).map((item) => [reason, item.points]);
  const names = [...of("fifteen"), ...of("thirty-one")];
  for (const [rank, n] of pairs) if (!inRuns.has(rank)) names.push([ALIKE[n], 2 * n]);
  if (runs.length) {
    const shared = [...pairs].filter(([rank]) => inRuns.has(rank)).reduce((sum, [, n]) => sum + 2 * n, 0);
    const length = runs[0].cards.length;
    names.push([`${RUNS[runs.length]} ${word(length)}`, length * runs.length + shared]);
  }
  const others = items.filter((item) => !["fifteen", "thirty-one", "pair", "run"].includes(item.reason));
  return [...names, ...others.map((item) => [NAMES[item.reason] ?? item.reason, item.points])];
}

/** Whether the award belongs to the same card or hand as the group's. */
function goesOn(group, award) {
  if (award.seat !== group[0].seat || !ORDER.includes(group[0].reason) || !ORDER.includes(award.reason)) return false;
  const isOther = (each) => each.reason === "thirty-one" && !award.cards.every((card) => each.cards.includes(card));
  return !group.some(isOther) && ORDER.indexOf(award.reason) >= ORDER.indexOf(group.at(-1).reason);
}

/** What is not counted but just given, as said. */
function alone({ reason, points, cards }) {
  if (reason === "claim") return `claims ${word(points)}`;
  if (reason === "muggins") return `muggins for ${word(points)}`;
  if (reason === "overclaim") return `${word(points)} for an overclaim`;
  if (reason === "false claim") return points < 0 ? `${word(-points)} back for a false claim` : `${word(points)} for a false claim`;
  if (reason === "three for last") return "three for last";
  if (reason === "adjust") return `adjusted by ${points < 0 ? "" : "+"}${points}`;
  if (reason === "pegged") return `pegs ${word(points)}`;
  if (reason === "renege") return `${word(points)} for the renege${cards.length ? `, the ${cardName(cards[0])}` : ""}`;
  return null;
}
