// What pegs, jig and wood share, in millimetres. The gap from the magnet's foot to the die of the switch must be 2.62:
// docs/decisions/0023-sense-pegs-with-hall-switches-and-magnets.md says why. Measure floor and air of your board; the magnet is set back by what is left.
gap = 2.62;
die = 0.65;        // below the top of the switch's package
floor_ = 1.0;      // the sheet between hole and switch
air = 0.12;        // between sheet and package
set_back = gap - die - floor_ - air;

magnet = 2.0;      // its diameter
magnet_length = 3.0;
hole = 3.2;        // in the wood
shaft = 3.0;       // of a peg
fit = 0.1;         // a pocket is wider than what goes into it

wood_thick = 10;   // + 0.2, - 1: above 10.2 the peg's cone lifts the magnet
package = 1.12;    // height of the tallest switch on the circuit board
spacer = package + air; // between circuit board and sheet: sets the gap
board_thick = 1.6;
screw = 3.4;       // hole for M3
nut = 5.7;         // across the flats of an M3 nut, with room
nut_thick = 2.4;
frame_high = 20;   // below the circuit board: the Pico in its sockets needs 15
