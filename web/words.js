// The players' words for seats, cards and holes. Pure.

const COLOURS = ["Red", "Blue", "Green", "Yellow", "White"];
const RANKS = {
  A: "ace", 2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", T: "10", J: "jack", Q: "queen", K: "king",
};
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

/** All 52 cards, suit by suit, ace to king. */
export const DECK = [..."SHCD"].flatMap((suit) => [..."A23456789TJQK"].map((rank) => rank + suit));

/** "5H" → "5 of hearts". */
export const cardName = (card) => `${RANKS[card[0]] ?? "?"} of ${SUITS[card[1]] ?? "?"}`;

/** What a rank is printed as: "T" → "10". */
export const rank = (card) => (card[0] === "T" ? "10" : card[0]);

/** The name of a seat: "Red", "Blue's partner". */
export const seatName = (snapshot, seat) =>
  snapshot.players.find((player) => player.seat === seat)?.name ?? `Seat ${seat + 1}`;

/** The name of a side is that of its first seat. */
export const sideName = (snapshot, side) =>
  snapshot.players.find((player) => player.side === side)?.name ?? COLOURS[side] ?? `Side ${side + 1}`;

/** The side of a seat. */
export const sideOf = (snapshot, seat) => snapshot.players.find((player) => player.seat === seat)?.side ?? seat;

/** "red-4" → "4"; "red-start-1" → "the start". */
export const holeName = (id) => (/-start-\d+$/.test(id) ? "the start" : id.slice(id.lastIndexOf("-") + 1));

/** "red-4" → "Red 4"; "roof-4" → "Roof 4"; "red-start-1" → "Red's start"; "apex-start-1" → "the start". */
export function holeFull(id) {
  const track = id.split("-")[0].replace(/^./, (letter) => letter.toUpperCase());
  if (holeName(id) === "the start") return COLOURS.includes(track) ? `${track}'s start` : "the start";
  return `${track} ${holeName(id)}`;
}

/** Whether several race through this hole, so that its number is nobody's alone. */
export const isShared = (id) => holeName(id) !== "the start" && !COLOURS.some((each) => id.startsWith(`${each.toLowerCase()}-`));

/** "red-4" → "red 4"; "red-start-2" → "red start 2": for those who hear the board. */
export const holeSpoken = (id) => id.replaceAll("-", " ");
