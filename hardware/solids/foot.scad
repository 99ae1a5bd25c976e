// A foot: its stub is pressed into the nut's hole of the frame. Print four, of a soft material if you have it.
include <sizes.scad>
foot = 14;
foot_high = 4;
stub_high = 6;
$fn = 48;

module foot() {
    cylinder(d1 = foot - 1, d2 = foot, h = foot_high);
    translate([0, 0, foot_high - 0.01]) cylinder(d = (nut - 0.1) / cos(30), h = stub_high + 0.01, $fn = 6);
}

foot();
