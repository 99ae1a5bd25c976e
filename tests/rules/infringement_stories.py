"""Stories of infringements that a player calls, or that a refused move is, written from the tournament rules alone.

Each line: rule | options | moves | scores after accepting the ruling | scores after waiving it, as in
`ruling_stories`. `judge 0 crib-seen` calls the judge because seat 0 looked at the crib.
"""

INFRINGEMENTS = """
2.1 | | judge 0 bottom-shuffle | 0 2 | 0 0
2.1 | | 0 adjusts 7; 1 adjusts 9; judge 0 bottom-shuffle | 7 11 | 7 9
2.1 | | 1 adjusts 120; judge 0 bottom-shuffle | 0 121 | 0 120
2.1 | | HANDS; 0 claims 8; judge 1 bottom-shuffle | 13 9 | 11 9
2.1 | | HANDS; 0 claims 8; next; judge 1 bottom-shuffle | 13 9 | 11 9
2.1 | seats=3 | judge 0 bottom-shuffle | 0 2 0 | 0 0 0
2.1 | seats=4 | judge 0 bottom-shuffle | 0 2 | 0 0
2.1 | game=five-card | judge 0 bottom-shuffle | 0 5 | 0 3
3.1 | | judge 0 bottom-first-cut | 0 2 | 0 0
3.1 | | 0 adjusts 7; judge 1 bottom-first-cut | 9 0 | 7 0
3.1 | | HANDS; 0 claims 8; judge 1 bottom-first-cut | 13 9 | 11 9
3.3 | | judge 0 no-cut | 0 2 | 0 0
3.3 | | HANDS; 0 claims 8; judge 1 no-cut | 13 9 | 11 9
4.3 | | judge 0 card-exposed | 0 0 | 0 0
4.3 | seats=3 | judge 0 card-exposed | 0 0 0 | 0 0 0
4.4 | | judge 0 wrong-deal | 0 0 | 0 0
4.4 | | 0 adjusts 20; judge 1 wrong-deal | 20 0 | 20 0
4.4 | counting=auto | judge 1 wrong-deal | 0 0 | 0 0
4.4 | | HANDS; 0 claims 8; judge 0 wrong-deal | 11 9 | 11 9
4.4 | | 1 adjusts 30; judge 1 hidden-number | 0 20 | 0 30
4.4 | | 1 adjusts 4; judge 1 hidden-number | 0 0 | 0 4
4.4 | | judge 0 hidden-number | 0 0 | 0 0
4.4 | seats=4 | 0 adjusts 15; judge 2 hidden-number | 5 0 | 15 0
4.4 | | HANDS; 0 claims 8; next; judge 0 hidden-number | 1 9 | 11 9
4.4 | | cut 8S; 1 5H; judge 1 too-many | 0 0 | 0 0
4.4 | | cut 8S; 1 5H; 0 TD; 0 claims 2; judge 0 too-many | 2 0 | 2 0
4.4 | | PLAY; 1 claims 1; judge 1 too-many | 0 1 | 0 1
4.4 | | PLAY; 1 claims 1; 1 claims 8; 0 claims 3; judge 1 too-many | 3 0 | 3 9
4.4 | | PLAY; 1 claims 1; 1 claims 8; 0 claims 3; judge 0 too-many | 0 9 | 3 9
4.4 | | 1 adjusts 50; PLAY; 1 claims 1; 1 claims 8; 0 claims 3; judge 1 too-many | 3 50 | 3 59
4.4 | | HANDS; 0 claims 8; judge 0 too-many | 8 9 | 11 9
4.4 | | HANDS; 0 claims 8; judge 1 too-many | 11 0 | 11 9
4.4 | counting=auto | PLAY; judge 1 too-many | 7 0 | 7 9
4.4 | counting=auto | PLAY; judge 0 too-many | 0 9 | 7 9
4.4 | counting=auto | PLAY; crib 2H2D3S3H; judge 0 too-many | 8 9 | 15 9
5.1b | | judge 0 crib-taken-back | 0 2 | 0 0
5.1b | | judge 1 crib-taken-back | 2 0 | 0 0
5.1b | | cut 8S; 1 5H; judge 1 crib-taken-back | 2 0 | 0 0
5.1b | seats=4 | judge 3 crib-taken-back | 2 0 | 0 0
5.1d | | judge 0 crib-side | 0 0 | 0 0
5.1d | | cut 8S; 1 5H; judge 0 crib-side | 0 0 | 0 0
5.1d | | cut 8S; 1 5H; 0 TD; judge 0 crib-side | 0 0 | 0 0
5.1d | | PLAY; 1 claims 1; judge 0 crib-side | 0 1 | 0 1
5.1d | counting=auto | PLAY; judge 0 crib-side | 7 9 | 7 9
5.2a | | cut 8S; judge 0 crib-seen | 0 2 | 0 0
5.2a | | cut 8S; 1 5H; 0 TD; judge 1 crib-seen | 2 0 | 0 0
5.2a | | PLAY; judge 0 crib-seen | 0 2 | 0 0
5.2a | | judge 1 crib-seen | 2 0 | 0 0
5.2a | | cut 8S; 1 5H; crib 2H2D3S3H | 0 2 | 0 0
5.2a | | PLAY; crib 2H2D3S3H | 0 2 | 0 0
5.2a | | PLAY; 1 claims 1; 1 claims 8; crib 2H2D3S3H | 0 11 | 0 9
5.2a | counting=auto | cut 8S; 1 5H; 0 TD; crib 2H2D3S3H | 2 2 | 2 0
5.2a | | 1 adjusts 120; cut 8S; crib 2H2D3S3H | 0 121 | 0 120
5.2a | game=five-card | cut 8S; 1 5H; crib 2H2D3S3H | 0 5 | 0 3
5.2b | | judge 0 crib-first | 0 2 | 0 0
5.2b | | judge 1 crib-first | 2 0 | 0 0
5.2b | target=61 | 0 adjusts 60; judge 1 crib-first | 61 0 | 60 0
5.2c | | judge 0 crib-as-hand | 0 2 | 0 0
5.2c | | cut 8S; judge 0 crib-as-hand | 0 2 | 0 0
5.2c | | cut 8S; 1 5H; 0 TD; 0 claims 2; judge 0 crib-as-hand | 0 2 | 2 0
5.2c | counting=auto | cut JS; 1 5H; 0 TD; judge 0 crib-as-hand | 2 2 | 4 0
5.2c | | 0 adjusts 40; cut 8S; 1 5H; 0 TD; 0 claims 2; judge 0 crib-as-hand | 40 2 | 42 0
5.2c | | cut 8S; 1 5H; 0 TD; 0 claims 2; misdeal; judge 0 crib-as-hand | 0 2 | 0 0
6.1 | | cut 8S; judge 0 wrong-cutter | 0 0 | 0 0
6.1 | | 0 adjusts 119; 1 adjusts 3; cut JS; judge 0 wrong-cutter | 119 3 | 121 3
6.1 | seats=3 | cut 8S; judge 0 wrong-cutter | 0 0 0 | 0 0 0
6.1a | | cut 8S; judge 0 starter-early | 0 0 | 0 0
6.1a | | cut JS; judge 0 starter-early | 0 0 | 2 0
6.1a | | 0 adjusts 119; cut 8S; judge 0 starter-early | 119 0 | 119 0
6.1b | | judge 1 bottom-cut | 2 0 | 0 0
6.1b | | cut 8S; judge 1 bottom-cut | 2 0 | 0 0
6.1b | seats=3 | cut 8S; judge 2 bottom-cut | 2 0 0 | 0 0 0
6.1c | | judge 0 starter-in-hand | 0 2 | 0 0
6.1c | game=five-card | judge 0 starter-in-hand | 0 5 | 0 3
6.1d | | cut 8S; judge 0 starter-face-up | 0 0 | 0 0
6.1d | | cut JS; judge 0 starter-face-up | 0 0 | 2 0
6.2 | | cut 8S; judge 0 two-starters | 0 0 | 0 0
6.2 | | judge 0 two-starters | 0 0 | 0 0
6.3c | | cut JS; 1 5H; 0 6D; judge 0 late-heels | 0 0 | 2 0
6.3c | counting=auto | cut JS; 1 5H; 0 TD; judge 0 late-heels | 2 0 | 4 0
6.3c | | 0 adjusts 5; cut JS; 1 5H; 0 6D; 1 7C; judge 0 late-heels | 5 0 | 7 0
6.3c | seats=3 | cut JS; 1 5H; 2 6D; 0 7C; judge 0 late-heels | 0 0 0 | 2 0 0
6.3c | | 0 adjusts 119; cut JS; judge 0 late-heels | 119 0 | 121 0
6.3c | | 0 adjusts 120; 1 adjusts 80; cut JS; judge 0 late-heels | 120 80 | 121 80
6.3c | seats=4 | 0 adjusts 119; cut JS; judge 0 late-heels | 119 0 | 121 0
8.3 | | cut JS; judge 0 few-heels | 1 0 | 2 0
8.3 | | 0 adjusts 7; cut JS; 1 5H; judge 0 few-heels | 8 0 | 9 0
8.4c | | cut JS; judge 0 many-heels 1 | 2 1 | 2 0
8.4c | | 1 adjusts 118; cut JS; 1 5H; judge 0 many-heels 4 | 2 121 | 2 118
7.1b | | cut 8S; judge 0 dealer-led | 0 0 | 0 0
7.1b | | cut 8S; judge 0 dealer-led-on | 0 0 | 0 0
7.1b | counting=auto | cut JS; judge 0 dealer-led-on | 2 0 | 2 0
7.1b | | cut 8S; judge 0 dealer-led-on; accept; 0 5H; judge 0 dealer-led | 0 0 | 0 0
7.1b | | cut 8S; judge 0 dealer-led-on; accept; 0 5H; 1 5C; 1 claims 2; judge 0 dealer-led | 0 0 | 0 2
7.1b | counting=auto | cut 8S; judge 0 dealer-led-on; accept; 0 5H; 1 5C; judge 0 dealer-led | 0 0 | 0 2
7.1b | counting=auto | cut JS; judge 0 dealer-led | 2 0 | 2 0
7.1e | | cut 8S; 1 KH; 0 QD; 1 5C; judge 0 over-31 | 0 0 | 0 0
7.1e | | cut 8S; 1 KH; 0 QD; 1 5C; 0 2D; judge 1 over-31 | 0 0 | 0 0
7.1f | | cut 8S; judge 1 two-cards | 0 0 | 0 0
7.1f | | cut 8S; 1 5H; judge 0 two-cards | 0 0 | 0 0
7.3 | | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 0 2C; judge 0 renege 2 | 0 2 | 0 1
7.3 | | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 0 2C; judge 0 renege 4 | 0 4 | 0 1
7.3 | | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; judge 0 renege 6 | 0 6 | 0 0
7.3 | | 1 adjusts 119; cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 0 2C; judge 0 renege 2 | 0 121 | 0 120
7.3 | counting=auto | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; judge 0 renege 2 | 0 2 | 0 1
7.3 | counting=auto | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; judge 0 renege-dead 2 | 0 2 | 0 1
7.3 | | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 0 2C; judge 0 renege-dead 2 | 0 2 | 0 1
7.3 | | 1 adjusts 120; cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; judge 0 renege-dead 2 | 0 121 | 0 120
7.3 | | cut 8S; 1 KH; 0 QD; 1 5C; go 0; judge 0 wrong-go | 0 0 | 0 0
7.3 | counting=auto | cut 8S; 1 KH; 0 QD; 1 5C; 0 2D; go 1; judge 1 wrong-go | 0 0 | 0 0
8.4a | | 0 adjusts 100; judge 0 claimed-game | 85 21 | 100 0
8.4a | | 1 adjusts 110; cut 8S; judge 1 claimed-game | 11 95 | 0 110
8.4a | | 0 adjusts 119; 1 adjusts 119; judge 0 claimed-game | 104 121 | 119 119
8.4a | | 0 adjusts 10; judge 0 claimed-game | 0 111 | 10 0
8.4a | target=61 | 0 adjusts 50; judge 0 claimed-game | 35 11 | 50 0
8.4a | | 1 adjusts 100; PLAY; 1 claims 1; judge 1 claimed-game | 20 86 | 0 101
8.4a | seats=4 | 0 adjusts 117; judge 2 claimed-game | 102 4 | 117 0
8.4b | | 0 adjusts 119; cut 8S; 0 claims 2 | 104 2 | 119 0
8.4b | | 0 adjusts 119; cut 8S; 0 claims 5 | 104 2 | 119 0
8.4b | | 1 adjusts 120; cut 8S; 1 claims 1 | 1 105 | 0 120
8.4b | target=61 | 0 adjusts 58; cut 8S; 1 5H; 0 claims 3 | 43 3 | 58 0
8.4c | | cut 8S; 0 claims 2 | 0 2 | 0 0
8.4c | | cut 8S; 1 5H; 0 claims 2 | 0 2 | 0 0
8.4c | | cut 8S; 1 5H; 0 TD; 0 claims 2; 0 claims 1 | 2 1 | 2 0
8.4c | | cut 8S; 1 5H; 0 TD; 0 claims 2; 1 6C; 0 claims 2 | 2 2 | 2 0
8.4c | muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 2; 0 claims 1 | 2 1 | 2 0
8.4c | | 1 adjusts 120; cut 8S; 0 claims 2 | 0 121 | 0 120
8.4c | seats=4 | cut 8S; 1 5H; 3 claims 2 | 2 0 | 0 0
8.4c | game=five-card | cut 8S; 0 claims 4 | 0 7 | 0 3
8.8 | | judge 0 opponent-peg | 0 2 | 0 0
8.8 | | cut 8S; 1 5H; 0 TD; 0 claims 2; judge 0 opponent-peg | 2 2 | 2 0
8.8 | | HANDS; 0 claims 8; judge 1 opponent-peg | 13 9 | 11 9
8.8 | counting=auto | PLAY; judge 1 opponent-peg | 9 9 | 7 9
8.8 | | 0 adjusts 119; judge 1 opponent-peg | 121 0 | 119 0
9.2c | | PLAY; 1 claims 1; judge 0 counted-first | 0 1 | 0 1
9.2c | | 0 adjusts 30; PLAY; 1 claims 1; judge 0 counted-first | 30 1 | 30 1
9.3a | | PLAY; 1 claims 1; judge 1 starter-mixed | 2 1 | 0 1
9.3a | | PLAY; judge 0 starter-mixed | 0 2 | 0 0
9.3a | counting=auto | PLAY; judge 0 starter-mixed | 7 11 | 7 9
9.3a | | HANDS; 0 claims 8; judge 0 starter-mixed | 11 11 | 11 9
10.4b | muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; judge 0 missed-in-play 2 | 0 2 | 0 0
10.4b | muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 1; 1 6C; judge 0 missed-in-play 1 | 1 1 | 1 0
10.4b | muggins=on | 1 adjusts 120; cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; judge 0 missed-in-play 2 | 0 121 | 0 120
10.4b | muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; judge 0 missed-in-play 2 | 0 2 | 0 0
9.3a | game=five-card | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; judge 0 starter-mixed | 0 6 | 0 4
"""

REFUSED = """
| | judge 1 bottom-shuffle
| | cut 8S; judge 0 bottom-shuffle
| | cut 8S; judge 0 bottom-first-cut
| | cut 8S; judge 0 no-cut
| | judge 1 no-cut
| | cut 8S; judge 0 card-exposed
| | judge 1 card-exposed
| | judge 1 crib-side
| seats=3 | judge 0 crib-side
| | PLAY; 1 claims 1; 1 claims 8; judge 0 crib-side
| | HANDS; 0 claims 8; judge 0 crib-side
| | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; judge 0 renege 2
| | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 7D; judge 0 renege 2
| | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; 1 4D; judge 0 renege 2
| | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; judge 0 renege 3
| | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; judge 0 renege 8
| | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 2C; judge 1 renege 2
| | RENEGE; judge 0 renege 2
| | cut 8S; judge 0 wrong-deal
| | cut 8S; judge 1 hidden-number
| | judge 0 too-many
| seats=3 | cut 8S; 1 5H; judge 1 too-many
| | PLAY; 1 claims 1; judge 1 crib-taken-back
| | HANDS; judge 0 crib-seen
| | cut 8S; judge 1 crib-first
| | cut 8S; judge 1 crib-as-hand
| | judge 0 starter-early
| | cut 8S; 1 5H; judge 0 starter-early
| | judge 0 bottom-cut
| | cut 8S; 1 5H; judge 1 bottom-cut
| | cut 8S; judge 0 starter-in-hand
| | cut 8S; 1 5H; judge 0 two-starters
| | cut 8S; 1 5H; 0 6D; judge 0 late-heels
| | cut JS; 1 5H; judge 0 late-heels
| | cut JS; 1 5H; 0 6D; judge 0 late-heels; accept; judge 0 late-heels
| | 0 adjusts 119; cut JS; judge 1 late-heels
| | 0 adjusts 119; judge 0 late-heels
| | cut 8S; judge 0 few-heels
| | cut JS; judge 1 few-heels
| | cut JS; 1 5H; 0 6D; judge 0 few-heels
| | cut JS; judge 0 few-heels; accept; judge 0 few-heels
| | cut JS; 1 5H; 0 6D; judge 0 many-heels 1
| | cut JS; judge 0 many-heels
| | 0 adjusts 116; cut JS; judge 0 many-heels 3
| | cut 8S; judge 1 wrong-cutter
| | cut 8S; 1 5H; judge 0 wrong-cutter
| | cut 8S; judge 1 dealer-led
| | cut 8S; judge 1 dealer-led-on
| | cut 8S; 1 5H; judge 0 dealer-led-on
| seats=3 | cut 8S; judge 0 dealer-led-on
| | cut 8S; 1 5H; judge 0 dealer-led
| | cut 8S; judge 0 dealer-led-on; accept; 0 5H; 1 5C; 0 6D; judge 0 dealer-led
| | cut 8S; judge 0 dealer-led-on; accept; 0 5H; 1 5C; judge 1 dealer-led
| | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; judge 0 missed-in-play 2
| muggins=on | cut 8S; 1 5H; 0 TD; judge 0 missed-in-play 2
| muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; judge 0 missed-in-play 2
| muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; judge 0 missed-in-play 3
| muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; judge 0 missed-in-play
| muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; judge 1 missed-in-play 2
| muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; judge 0 missed-in-play 2; accept; judge 0 missed-in-play 2
| muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 2; 1 6C; 0 9D; judge 0 missed-in-play 2
| muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; 0 AH; 0 claims 2; 1 JS; judge 0 missed-in-play 2
| | cut 8S; 1 5H; judge 0 over-31
| | cut 8S; judge 0 two-cards
| | cut 8S; 1 KH; 0 QD; 1 5C; go 0; 1 6H; judge 0 wrong-go
| | 0 adjusts 121; judge 0 claimed-game
| | cut 8S; 1 5H; 0 TD; judge 0 unearned 2
| | cut 8S; judge 0 unearned
| | PLAY; judge 0 counted-first
| | cut 8S; judge 0 starter-mixed
| | cut 8S; 0 5H
| | cut 8S; 1 KH; 0 QD; 1 5C; 0 7D
| | cut 8S; go 1
| | cut 8S; 0 claims 0
| | cut 8S; 1 5H; 0 TD; 0 claims 1; 0 claims 1
| muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 1; 0 claims 1
| | PLAY; 1 claims 1; 0 claims 3
| counting=auto | cut 8S; 0 claims 2
| | crib 2H2D3S3H
| | PLAY; 1 claims 1; 1 claims 8; 0 claims 3; crib 2H2D3S
| policy=friendly | judge 0 bottom-shuffle
| policy=friendly | cut 8S; crib 2H2D3S3H
| policy=friendly | cut 8S; 0 claims 2
| game=pursuit | judge 0 opponent-peg
"""
"""The last move is refused, and nothing is ruled on."""
