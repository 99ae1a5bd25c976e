// A mount for the Pico of boards with a ribbon: its four holes go over the pins. Screw it to the frame or the table's box.
// Sizes of the Raspberry Pi Pico from its data sheet: 51 x 21 mm, holes of 2.1 mm, 47 and 11.4 mm apart.
include <sizes.scad>
pico_long = 51;
pico_wide = 21;
holes_long = 47;
holes_wide = 11.4;
base = 2;
post_high = 4;     // below the Pico: room for soldered pins
pin = 1.9;
$fn = 32;

module pico() {
    difference() {
        translate([-pico_long / 2 - 9, -pico_wide / 2 - 2, 0]) cube([pico_long + 18, pico_wide + 4, base]);
        for (x = [-1, 1]) translate([x * (pico_long / 2 + 5), 0, -0.01]) cylinder(d = screw, h = base + 0.02);
    }
    for (x = [-1, 1], y = [-1, 1]) translate([x * holes_long / 2, y * holes_wide / 2, base - 0.01]) {
        cylinder(d = 4, h = post_high + 0.01);
        cylinder(d = pin, h = post_high + 1.5);
    }
}

pico();
