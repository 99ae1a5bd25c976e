// The jig: a peg's foot goes over one of its pins, which pushes the magnet in and stops it at the set-back.
// Five pins, 0.2 mm apart about the one that is due, for floors that are thinner or thicker; the notch marks the middle one.
include <sizes.scad>
pitch = 10;
step = 0.2;
base = 6;
$fn = 32;

module jig() {
    difference() {
        translate([-pitch / 2, -6, -base]) cube([5 * pitch, 12, base]);
        translate([2.5 * pitch - pitch / 2 - 0.75, -6.01, -1.5]) cube([1.5, 2, 1.51]);
    }
    for (n = [0:4]) translate([n * pitch, 0, 0]) {
        cylinder(d = magnet - fit, h = set_back + (n - 2) * step);
        difference() {
            cylinder(d = shaft + 3, h = 4);
            translate([0, 0, -0.01]) cylinder(d = shaft + 2 * fit, h = 4.02);
        }
    }
}

jig();
