import sys
from tests.perception.run import GROUNDS, play_family
from collections import Counter
a,b=int(sys.argv[1]),int(sys.argv[2])
c=Counter()
for g in GROUNDS:
    t=play_family(g,'chatter',2026112650,range(a,b),show=True)
    c.update(n=t.scenarios,wrong=t.wrong,asked=t.asked,missed=t.missed,rightly=t.rightly,early=t.early)
    for x in t.shown: print(g.board,g.seats,x)
print(c)
