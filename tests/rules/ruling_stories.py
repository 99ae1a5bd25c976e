"""Stories of infringements, written from the tournament rules alone.

Each line: rule | options | moves | scores after accepting the ruling | scores after waiving it. `PLAY`, `HANDS`,
`SHOWN` and `RENEGE` stand for the moves below. Seat 0 deals, seat 1 leads; the scores begin with that of seat 0.
Counting is manual unless the options say otherwise.
"""

PLAY = "cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; 0 AH; 1 JS; 0 QC; 1 4D"
"""Seat 0 makes 15 and 31, seat 1 has the last card; seat 1's hand is worth 8, seat 0's 3."""
HANDS = f"{PLAY}; 1 claims 1; 1 claims 8; 0 claims 3; crib 2H2D3S3H"
"""Everything counted right: 3 to 9. The crib is worth 8."""
SHOWN = "cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 1 claims 1; 1 shows KH5C9H; 1 claims 2; 0 shows QD2C3C"
"""Five-card cribbage: at 25 seat 0 says go with the 2 and the 3 in hand."""
RENEGE = "cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 JD; 1 9H; 0 2C; 1 9S; go 0; 0 3C"
"""At 25 seat 0 says go with the 2 and the 3 in hand. Nobody claims a point."""

STORIES = """
8.4c | | cut 8S; 1 5H; 0 TD; 0 claims 5 | 2 3 | 2 0
8.4c | | cut 8S; 1 5H; 0 TD; 0 claims 3 | 2 1 | 2 0
8.4c | | cut 8S; 1 5H; 1 claims 1 | 1 0 | 0 0
8.4c | | cut 8S; 1 5H; 1 claims 2 | 2 0 | 0 0
8.4c | | cut 8S; 1 5H; 0 5D; 0 claims 6 | 2 4 | 2 0
8.4c | | cut 8S; 1 5H; 0 5D; 1 5C; 1 claims 12 | 4 8 | 0 8
8.4c | | cut KD; 1 7H; 0 8D; 0 claims 2; 1 9C; 1 claims 5 | 4 3 | 2 3
8.4c | | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; go 1; 0 AH; 0 claims 3 | 2 1 | 2 0
8.4c | | PLAY; 1 claims 2 | 1 1 | 0 1
8.4c | | PLAY; 1 claims 1; 1 claims 12 | 4 9 | 0 9
8.4c | | PLAY; 1 claims 1; 1 claims 10 | 2 9 | 0 9
8.4c | | PLAY; 1 claims 1; 1 claims 8; 0 claims 5 | 3 11 | 3 9
8.4c | | HANDS; 0 claims 12 | 11 13 | 11 9
8.4c | overclaim=two | cut 8S; 1 5H; 0 TD; 0 claims 5 | 2 3 | 2 2
8.4c | overclaim=two | cut 8S; 1 5H; 0 TD; 0 claims 3 | 2 2 | 2 2
8.4c | overclaim=excess | cut 8S; 1 5H; 0 TD; 0 claims 5 | 2 3 | 2 3
8.4c | | 1 adjusts 119; cut 8S; 1 5H; 0 TD; 0 claims 5 | 2 121 | 2 119
8.4c | muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 5 | 2 3 | 2 0
8.4c | seats=4 | cut 8S; 1 5H; 2 TD; 2 claims 5 | 2 3 | 2 0
8.4c | seats=3 | cut 8S; 1 5H; 2 TD; 2 claims 5 | 3 0 2 | 0 0 2
8.4c | game=five-card | cut 8S; 1 5H; 0 TD; 0 claims 5 | 2 6 | 2 3
8.4b | | 1 adjusts 112; PLAY; 1 claims 0; 1 claims 12 | 1 105 | 0 120
8.4b | | 1 adjusts 110; PLAY; 1 claims 0; 1 claims 12 | 3 103 | 0 118
8.4b | | 1 adjusts 100; PLAY; 1 claims 0; 1 claims 29 | 13 93 | 0 108
8.4b | | 0 adjusts 118; cut 8S; 1 5H; 0 TD; 0 claims 3 | 105 1 | 120 0
8.4b | | 1 adjusts 120; cut 8S; 1 5H; 1 claims 1 | 1 105 | 0 120
8.4b | | 0 adjusts 119; 1 adjusts 110; PLAY; 1 claims 0; 1 claims 12 | 121 103 | 119 118
8.4b | | 0 adjusts 116; PLAY; 1 claims 0; 1 claims 8; 0 claims 6 | 104 10 | 119 8
8.4b | | 0 adjusts 112; PLAY; 1 claims 0; 1 claims 0; 0 claims 0; crib 2H2D3S3H; 0 claims 12 | 105 1 | 120 0
8.4b | target=61 | 1 adjusts 52; PLAY; 1 claims 0; 1 claims 12 | 1 45 | 0 60
8.4b | | cut 8S; 1 5H; 0 TD; 0 claims 121 | 0 119 | 2 0
8.4b | muggins=on | 1 adjusts 112; PLAY; 1 claims 0; 1 claims 12 | 1 105 | 0 120
8.4b | overclaim=excess | 1 adjusts 112; PLAY; 1 claims 0; 1 claims 12 | 1 105 | 4 120
8.4b | seats=4 | 1 adjusts 118; cut 8S; 1 5H; 2 TD; 3 5C; 3 claims 3 | 3 103 | 0 118
8.4b | | 1 adjusts 119; PLAY; 1 claims 2 | 1 105 | 0 120
8.3 | | cut 8S; 1 5H; 0 TD; 0 claims 1 | 1 0 | 1 0
8.3 | | cut 8S; 1 5H; 0 TD; 0 claims 0 | 0 0 | 0 0
8.3 | | PLAY; 1 claims 0 | 0 0 | 0 0
8.3 | | PLAY; 1 claims 1; 1 claims 6 | 0 7 | 0 7
8.3 | | PLAY; 1 claims 1; 1 claims 8; 0 claims 0 | 0 9 | 0 9
8.3 | | HANDS; 0 claims 4 | 7 9 | 7 9
8.3 | | cut 8S; 1 5H; 0 TD; 0 claims 1; 0 adjusts 1 | 1 0 | 2 0
8.3 | | PLAY; 1 claims 1; 1 claims 6; 1 adjusts 2 | 0 7 | 0 9
8.3 | | HANDS; 0 claims 4; 0 adjusts 4 | 7 9 | 11 9
8.3 | | 1 adjusts 112; PLAY; 1 claims 0; 1 claims 4; 1 adjusts 5 | 0 116 | 0 121
8.11 | | 1 adjusts 115; PLAY; 1 claims 0; 1 claims 4 | 0 121 | 0 119
8.11 | | 1 adjusts 113; PLAY; 1 claims 0; 1 claims 7 | 0 121 | 0 120
8.11 | | 0 adjusts 119; cut 8S; 1 5H; 0 TD; 0 claims 1 | 121 0 | 120 0
8.11 | | 0 adjusts 120; cut 8S; 1 5H; 0 TD; 0 claims 0 | 121 0 | 120 0
8.11 | target=61 | 0 adjusts 60; cut 8S; 1 5H; 0 TD; 0 claims 0 | 61 0 | 60 0
8.11 | | 0 adjusts 118; PLAY; 1 claims 0; 1 claims 0; 0 claims 2 | 121 0 | 120 0
8.11 | | 0 adjusts 110; HANDS; 0 claims 4 | 121 9 | 117 9
7.2 | | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D | 0 0 | 0 0
7.2 | | cut 8S; 1 TH; 0 TD; 1 9C; go 0 | 0 0 | 0 0
7.2 | | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D; 0 adjusts 2 | 0 0 | 2 0
7.2 | | cut 8S; 1 TH; 0 TD; 1 9C; go 0; 0 adjusts 2 | 0 0 | 2 0
7.3 | | RENEGE | 0 4 | 0 0
7.3 | | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 JD; 1 9H; 0 3C; 1 9S; 0 KC | 0 2 | 0 0
7.3 | | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 6D; 1 9H; 0 5D; 1 9S; 0 AC | 0 6 | 0 0
7.3 | | cut 8S; 1 KH; 0 QD; 1 5C; 0 2D; go 1; go 0; 1 9H; 0 TD; 1 3C | 2 0 | 0 0
7.3 | | 1 adjusts 119; RENEGE | 0 121 | 0 119
7.3 | counting=auto | cut 8S; 1 KH; 0 QD; 1 5C; go 0; go 1; 0 JD; 1 9H; 0 3C; 1 9S; 0 KC | 4 9 | 4 7
7.3 | muggins=on | RENEGE | 0 4 | 0 0
7.3 | game=five-card | SHOWN | 0 10 | 0 6
10.4a | muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 1; 1 calls 2 | 1 1 | 3 0
10.4a | muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 2; 1 calls 2 | 4 0 | 4 0
10.4a | muggins=on | cut 8S; 1 5H; 0 TD; 1 calls 5 | 0 2 | 5 0
10.4a | muggins=on | PLAY; 1 claims 1; 1 claims 6; 0 calls 4 | 2 7 | 0 11
10.4a | muggins=on | 1 adjusts 119; PLAY; 1 claims 0; 1 claims 0; 0 calls 8 | 2 119 | 8 119
10.4a | muggins=on | 1 adjusts 119; PLAY; 1 claims 0; 1 claims 0; 0 calls 9 | 2 119 | 0 121
10.4a | muggins=on | HANDS; 0 claims 4; 1 calls 6 | 7 13 | 13 9
8.4c | target=61 | cut 8S; 1 5H; 0 TD; 0 claims 4 | 2 2 | 2 0
8.4c | | cut KD; 1 9H; 0 9D; 0 claims 2; 1 9C; 1 claims 8 | 4 6 | 2 6
8.4c | | cut KD; 1 9H; 0 9D; 1 9C; 1 claims 12 | 6 6 | 0 6
8.4c | | cut KD; 1 3H; 0 4D; 1 5C; 1 claims 3; 0 6S; 0 claims 6 | 4 5 | 4 3
8.4c | | cut KD; 1 4H; 0 5D; 1 6C; 1 claims 6 | 1 5 | 0 5
8.4c | | cut 8S; 1 TH; 0 TD; 1 9C; go 0; go 1; 1 claims 2 | 1 1 | 0 1
8.4c | | PLAY; 1 claims 1; 1 claims 8; 0 claims 24 | 3 30 | 3 9
8.4c | seats=4 | cut 8S; 1 5H; 2 TD; 3 5C; 2 claims 2; 0 5D; 0 claims 6 | 4 4 | 4 0
8.4c | overclaim=two | PLAY; 1 claims 1; 1 claims 12 | 4 9 | 2 9
8.4c | overclaim=excess | PLAY; 1 claims 1; 1 claims 12 | 4 9 | 4 9
8.4c | muggins=on | PLAY; 1 claims 1; 1 claims 12 | 4 9 | 0 9
8.4c | | 1 adjusts 109; PLAY; 1 claims 0; 1 claims 10 | 2 117 | 0 117
8.4b | target=61 | 0 adjusts 58; cut 8S; 1 5H; 0 TD; 0 claims 3 | 45 1 | 60 0
8.4b | target=61 | cut 8S; 1 5H; 0 TD; 0 claims 61 | 0 59 | 2 0
8.4b | | 0 adjusts 100; HANDS; 0 claims 20 | 96 19 | 111 9
8.4b | | 1 adjusts 14; cut 8S; 1 5H; 1 claims 107 | 107 0 | 0 14
8.4b | seats=3 | 2 adjusts 119; cut 8S; 1 5H; 2 9D; 2 claims 2 | 2 0 104 | 0 0 119
8.4b | game=five-card | 1 adjusts 50; cut 8S; 1 5H; 1 claims 8 | 8 38 | 0 53
8.4b | | 0 adjusts 120; 1 adjusts 120; cut 8S; 1 5H; 1 claims 1 | 121 105 | 120 120
8.3 | target=61 | cut 8S; 1 5H; 0 5D; 0 claims 1 | 1 0 | 1 0
8.3 | seats=4 | cut 8S; 1 5H; 2 TD; 2 claims 1 | 1 0 | 1 0
8.3 | seats=4 | cut 8S; 1 5H; 2 TD; 2 claims 1; 0 adjusts 1 | 1 0 | 2 0
8.3 | game=five-card | cut 8S; 1 5H; 0 TD; 0 claims 1 | 1 3 | 1 3
8.3 | | HANDS; 0 claims 0 | 3 9 | 3 9
8.3 | | PLAY; 1 claims 1; 1 claims 8; 0 claims 2; 0 adjusts 1 | 2 9 | 3 9
8.11 | seats=4 | 0 adjusts 119; cut 8S; 1 5H; 2 TD; 2 claims 0 | 121 0 | 119 0
8.11 | | 1 adjusts 120; PLAY; 1 claims 0 | 0 121 | 0 120
8.11 | | 0 adjusts 111; HANDS; 0 claims 6 | 121 9 | 120 9
7.2 | seats=4 | cut 8S; 1 5H; 2 TD; 3 2C; 0 3D; 1 4S; 2 6H | 0 0 | 0 0
7.2 | game=five-card | cut 8S; 1 5H; 0 TD; 1 2C; 0 3D | 0 3 | 0 3
7.3 | overclaim=excess | RENEGE | 0 4 | 0 0
7.3 | target=61 | 1 adjusts 58; RENEGE | 0 61 | 0 58
7.3 | | 0 adjusts 10; RENEGE | 10 4 | 10 0
10.4a | muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 0; 1 calls 3 | 0 2 | 3 0
10.4a | muggins=on | PLAY; 1 claims 1; 1 claims 8; 0 calls 1 | 0 10 | 0 10
10.4a | muggins=on | PLAY; 1 claims 1; 1 claims 12; 0 calls 2 | 0 11 | 0 11
10.4a | muggins=on target=61 | 1 adjusts 60; PLAY; 1 claims 0; 1 claims 0; 0 calls 8 | 1 60 | 8 60
10.4a | muggins=on seats=4 | cut 8S; 1 5H; 2 TD; 2 claims 1; 3 calls 2 | 1 1 | 3 0
"""

NO_INFRINGEMENTS = """
| | cut JS
| | cut 8S; 1 5H; 0 TD; 0 claims 2
| | cut 8S; 1 5H; 0 TD; 1 6C; 0 claims 2; 0 9D
| | HANDS; 0 claims 8
| | 1 adjusts 115; PLAY; 1 claims 0; 1 claims 8
| | 1 adjusts 115; PLAY; 1 claims 0; 1 claims 12
| | cut 8S; 1 5H; 0 TD; 0 claims 1; 0 adjusts -1
| | cut 8S; 1 5H; 0 TD; 0 claims 1; 1 adjusts 1
| | cut 8S; 1 5H; 0 TD; 0 claims 2; 0 adjusts 1
| | PLAY; misdeal
| | cut 8S; 1 5H; 0 TD; 0 claims 5; 1 6C
| | RENEGE; accept
| | cut 8S; 1 5H; 0 TD; 0 claims 5; accept
| | cut 8S; 1 5H; 0 TD; 0 claims 5; waive
| muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 1; 1 calls 1
| muggins=on | cut 8S; 1 5H; 0 TD; 0 claims 1
| muggins=on | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D
| muggins=on | 0 adjusts 120; cut 8S; 1 5H; 0 TD; 0 claims 0
| policy=friendly | cut 8S; 1 5H; 0 TD; 0 claims 5
| policy=friendly | RENEGE
| counting=auto | cut 8S; 1 5H; 0 TD; 1 6C; 0 9D
"""
