// Which moment of which game a snapshot shows. Pure.

/**
 * Another one after each move, and where another game is begun or taken up: that makes no move, so `moves` stays.
 * @param {Pick<Api.Snapshot, "run" | "moves" | "game" | "phase" | "scores" | "players" | "last">} snapshot
 */
export const momentOf = ({ run, moves, game, phase, scores, players, last }) =>
  JSON.stringify([run, moves, game, phase, scores, players.map(({ name }) => name), last?.move ?? null]);
