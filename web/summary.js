// What a game was, reckoned from its moves. Pure.

/**
 * A table of the journal.
 * @typedef {{ id: number, game: Api.Game, names: string[], began: string, ended: string | null, scores: number[],
 *   winner: number | null, moves: number }} Kept
 */

/** Reasons that end the play: what the same move earns after them is a hand. */
const ENDS = ["last card"];

/**
 * Where the last of the games of a table begins in its moves.
 * @param {Api.Made[]} moves
 */
export function starts(moves) {
  const at = moves.findLastIndex(({ move, scores }) => move.type === "next" && scores.every((score) => score === 0));
  return at < 0 ? 0 : at;
}

/**
 * The points of each side by where they came from. In the play an award has the card that was played; what comes after
 * the last card, or is another's, is a hand's.
 * @param {Api.Made[]} moves
 * @param {number} sides
 */
export function sources(moves, sides) {
  const none = () => Array(sides).fill(0);
  /** @type {Record<"play" | "hands" | "crib" | "other", number[]>} */
  const told = { play: none(), hands: none(), crib: none(), other: none() };
  for (const { move, awards } of moves) {
    let isHand = move.type === "hand";
    for (const { seat, points, reason, cards } of awards) {
      if (move.type === "play" && (seat !== move.seat || !cards.includes(move.card))) isHand = true;
      const where = move.type === "crib" ? "crib" : isHand ? "hands" : move.type === "play" || move.type === "go" ? "play" : "other";
      told[where][seat % sides] += points;
      if (ENDS.includes(reason)) isHand = true;
    }
  }
  return told;
}

/**
 * Who has played against whom, how often, and who has won: of games that ended.
 * @param {Kept[]} tables
 */
export function headToHead(tables) {
  /** @type {Map<string, { who: string[], games: number, won: number[] }>} */
  const found = new Map();
  for (const { names, scores, winner, ended } of tables) {
    if (ended === null || winner === null || scores.length < 2) continue;
    const sides = names.slice(0, scores.length);
    const who = [...sides].sort();
    const row = found.get(who.join("\n")) ?? { who, games: 0, won: who.map(() => 0) };
    row.games += 1;
    row.won[who.indexOf(sides[winner])] += 1;
    found.set(who.join("\n"), row);
  }
  return [...found.values()];
}
