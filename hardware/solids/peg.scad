// A peg. The magnet is pressed into its foot with the jig, which sets it back, and held by a drop of glue.
// Print it standing on its head, 0.1 mm layers; a clear material shows the hole's light.
include <sizes.scad>
length = 10;       // of the shaft, in the hole
grip = 14;         // above the board
collar = 4.6;      // its widest: holes may be 4.9 from one another
$fn = 32;

module peg() {
    difference() {
        union() {
            translate([0, 0, 0.3]) cylinder(d = shaft, h = length - 0.3);
            cylinder(d1 = shaft - 0.3, d2 = shaft, h = 0.3);
            translate([0, 0, length]) cylinder(d1 = shaft, d2 = collar, h = 2);
            translate([0, 0, length + 2]) cylinder(d1 = collar, d2 = 4, h = grip - 2);
        }
        translate([0, 0, -0.01]) cylinder(d = magnet + fit, h = set_back + magnet_length + 0.2 + 0.01);
    }
}

peg();
