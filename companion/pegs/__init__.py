"""The peg reader: turns the levels of the holes into moves of pegs, advice and questions. Pure; time is an argument.

A sensor reports that its hole is taken, not by which peg or why. Levels are reported as a whole, at each change and
once a second, so a lost report only delays the reading. The input is `PegFacts` (`levels`): the levels with the history
of each hole, the known placements and the dues. Every report runs the whole pipeline; each stage makes one value from
the values before it, and imports no later one:

1. `interpretation`: `SeatContext` has what is known about a seat, from the placements and dues alone. With it,
   `Interpretation` is what two pegs of the seat would mean in any two holes: a claim, a due that is done, pegs put
   back, or one of the kinds that lead to a problem.
2. `levels`: `TrustedLevels`. Which holes hold a peg and which homes are empty, judging failing sensors by the others.
   Its `PlacementContext` is kept until the placements or the dues change.
3. `assignment`: `LaneGroup`. Which seat's peg is in which hole, as the cheapest explanation of the changes.
4. `timing`: `PegVerdict`. From which time on an interpretation is certain, depending on the pace of the hand.
5. `problems`: `Problem`. What no verdict explains, from a table with a row for each kind: its sentence, when there is
   advice about it, when the players are asked about it, and the likely answers.
6. `questions`: the question about a problem with its answers, and the advice that lights the way back.

`pipeline` runs the stages and returns a `Reading`: all conclusions, each with the time from which it holds, and the
sensors that fail. `reader` is the interface: `PegReader` with `on_levels`, `on_tick`, `set_dues`, `confirm_pegs` and so
on. It applies each conclusion at exactly its time and reads again, so nothing depends on how often it is called.
`events` has the results, `thresholds` all times. `marker_reader` reads boards whose pegs mark a state instead of
racing; it shares the thresholds.

This package imports boards, common and i18n, but neither the rules nor the table. A seat is an index into the routes
that race now; a hole is its bit number, and a set of holes is an integer with these bits set, or a collection of
numbers. docs/explanation/reading-pegs.md explains the choices.
"""
