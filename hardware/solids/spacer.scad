// Six rings between circuit board and sheet, one on each screw: their height sets the gap between magnet and switch.
// Measure them with the caliper: 1.24 mm, + 0.1, - 0.1. Rub them on sandpaper if they are too high.
include <sizes.scad>
ring = 7;
count = 6;
$fn = 48;

module spacers() {
    for (n = [0:count - 1]) translate([n * (ring + 3), 0, 0]) difference() {
        cylinder(d = ring, h = spacer);
        translate([0, 0, -0.01]) cylinder(d = screw, h = spacer + 0.02);
    }
}

spacers();
