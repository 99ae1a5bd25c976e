#!/bin/sh
# The solids from their sources: needs openscad (sudo apt-get install openscad).
set -e
cd "$(dirname "$0")"
for each in peg jig wood; do openscad -q --export-format binstl -o "$each.stl" "$each.scad"; done
