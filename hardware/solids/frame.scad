// The frame under the circuit board of loop-60: it carries the board's edge, and holds a nut under each corner screw.
// Print it upside down, without supports. Seen from above as the circuit board, but y points up, from its lower edge.
include <sizes.scad>
width = 180;
depth = 150;
wall = 3;
chamfer = 4;
corner = 6;        // from the edges to the corner screws
boss = 11;
nut_below = 7;     // from the circuit board to the nut
usb_x = 73;        // the Pico's cable leaves to the back
supply_x = 98;     // that of the supply to the front
panel_y = 75;      // the wires of J6 to the right, to buttons and display
$fn = 32;

module outline(inset) {
    c = chamfer;
    offset(delta = -inset) polygon([[c, 0], [width - c, 0], [width, c], [width, depth - c],
        [width - c, depth], [c, depth], [0, depth - c], [0, c]]);
}

module frame() {
    places = [for (x = [corner, width - corner], y = [corner, depth - corner]) [x, y]];
    difference() {
        union() {
            linear_extrude(frame_high) difference() { outline(0); outline(wall); }
            linear_extrude(frame_high) intersection() {
                outline(0);
                for (at = places) translate(at) circle(d = boss + 2);
            }
        }
        for (at = places) translate([at[0], at[1], -0.01]) {
            cylinder(d = screw, h = frame_high + 0.02);
            cylinder(d = nut / cos(30), h = frame_high - nut_below, $fn = 6);
        }
        translate([usb_x - 8, depth - wall - 0.01, -0.01]) cube([16, wall + 0.02, 12]);
        translate([supply_x - 4, -0.01, -0.01]) cube([8, wall + 0.02, 8]);
        translate([width - wall - 0.01, panel_y - 5, -0.01]) cube([wall + 0.02, 10, 8]);
    }
}

frame();
