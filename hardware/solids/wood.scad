// A piece of the wood to try a drill on: three lanes of five holes, through, with the sheet below as a pocket 1 mm deep.
// Holes 3.2 mm (+ 0.1, - 0.0), through the wood; 7 along a lane, 8 between lanes; places within 0.2 of the template's.
include <sizes.scad>
$fn = 24;

module wood() {
    difference() {
        translate([-6, -6, 0]) cube([4 * 7 + 12, 2 * 8 + 12, wood_thick + floor_]);
        translate([-4, -4, -0.01]) cube([4 * 7 + 8, 2 * 8 + 8, floor_ + 0.01]);
        for (along = [0:4], lane = [0:2]) translate([along * 7, lane * 8, 0]) cylinder(d = hole, h = wood_thick + floor_ + 0.01);
    }
}

wood();
