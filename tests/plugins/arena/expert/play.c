/* The cards that the expert of the companion plays, in C: the same steps as companion/coach/cribbage, with the same names.
 *
 * For measurements that would take days in Python (six-card to 121, played for games); compiled_expert.py passes the
 * tables, and tests/plugins/arena/test_compiled_expert.py compares the choices.
 */
#include "expert.h"

static int cards_in(Hand hand) {
    int found = 0;
    for (; hand; hand = without_rank(hand, first_rank(hand))) found += count_of(hand, first_rank(hand));
    return found;
}

/* Hands by size: sorted as combinations_with_replacement, and the place of each hand of four and of two. */
Hand rests[5][HANDS];
static int rest_count[5];
static int16_t place_of_four[1 << 16];
int pair_place[RANKS][RANKS], pair_ranks[PAIRS][2];

int place_of(Hand hand) {
    int key = 0;
    for (; hand; hand -= one_card(first_rank(hand))) key = key << 4 | first_rank(hand);
    return place_of_four[key];
}
static void list_hands(int size, int left, int from, Hand hand, int key) {
    if (!left) {
        if (size == 4) place_of_four[key] = rest_count[4];
        rests[size][rest_count[size]++] = hand;
        return;
    }
    for (int rank = from; rank < RANKS; rank++) list_hands(size, left - 1, rank, hand + one_card(rank), key << 4 | rank);
}

/* The graph of the play, and the quick policy's worth of each card. */
static int states;
const uint16_t *after;
const uint8_t *earned;
static const uint8_t *counts;
static const uint16_t (*worths)[4][RANKS + 1]; /* by state and cards of the opponent, from 1; in points times WORTH_SCALE */
const uint8_t (*starter_points)[RANKS]; /* by hand of four and starter */

void load_play(int number, const uint16_t *next, const uint8_t *points, const uint8_t *totals, const uint16_t *table, const uint8_t *by_starter) {
    states = number, after = next, earned = points, counts = totals, worths = (const uint16_t(*)[4][RANKS + 1])table, starter_points = (const uint8_t(*)[RANKS])by_starter;
    for (int size = 0; size <= 4; size++) list_hands(size, size, 0, 0, 0);
    for (int a = 0, n = 0; a < RANKS; a++)
        for (int b = a; b < RANKS; b++, n++) pair_place[a][b] = pair_place[b][a] = n, pair_ranks[n][0] = a, pair_ranks[n][1] = b;
}

/* The rank that the quick policy plays, -1 if none fits. */
static int choose_card(int at, Hand hand, int others) {
    int best = -1;
    int most = -99 * WORTH_SCALE;
    for (Hand left = hand; left; left = without_rank(left, first_rank(left))) {
        int rank = first_rank(left), then = after[at * RANKS + rank];
        if (then == NO_STATE) continue;
        int worth = earned[at * RANKS + rank] * WORTH_SCALE;
        if (others) {
            const uint16_t *row = worths[then][others - 1];
            worth -= row[0];
            for (Hand rest = hand - one_card(rank); rest; rest = without_rank(rest, first_rank(rest))) worth += row[1 + first_rank(rest)];
        }
        if (worth > most) most = worth, best = rank;
    }
    return best;
}

static void finish_play(Hand mine, Hand theirs, int at, int gone, int turn, int last, int need_one, int need_two, int *one, int *two) {
    Hand held[2] = {mine, theirs};
    int size[2] = {cards_in(mine), cards_in(theirs)}, need[2] = {need_one, need_two}, points[2] = {0, 0};
    for (;;) {
        int bit = turn ? OTHER : OWN, other_bit = OWN + OTHER - bit;
        if (held[turn] && !(gone & bit)) {
            int rank = choose_card(at, held[turn], gone & other_bit ? 0 : size[1 - turn]);
            if (rank >= 0) {
                points[turn] += earned[at * RANKS + rank];
                at = after[at * RANKS + rank];
                held[turn] -= one_card(rank), size[turn]--, last = turn;
                if (points[turn] >= need[turn]) break;
                if (!at) {
                    gone = 0;
                    if (!held[0] && !held[1]) break;
                }
                turn = 1 - turn;
                continue;
            }
            gone |= bit;
        }
        if (held[1 - turn] && !(gone & other_bit)) {
            turn = 1 - turn;
            continue;
        }
        if (at) {
            points[last]++;
            if (points[0] >= need[0] || points[1] >= need[1]) break;
        }
        if (!held[0] && !held[1]) break;
        at = 0, gone = 0, turn = 1 - last;
    }
    *one = points[0], *two = points[1];
}

typedef struct { Hand whole, rest; double weight; int points; } PossibleHand;

/* The opponent's hands. */
static int weigh_hands(const Coach *coach, const PlayQuestion *turn, PossibleHand *found) {
    Hand mine = hand_of(turn->kept, 4) + hand_of(turn->discarded, 2) + one_card(turn->starter);
    Hand played = hand_of(turn->played[1], turn->played_count[1]);
    static const int ways[5][5] = {{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 4, 0}, {1, 4, 6, 4, 1}};
    int size = 4 - turn->played_count[1], number = 0;
    for (int n = 0; n < rest_count[size]; n++) {
        Hand whole = played + rests[size][n];
        int too_many = 0;
        for (Hand left = whole; left; left = without_rank(left, first_rank(left))) too_many |= count_of(left, first_rank(left)) > 4;
        if (too_many) continue;
        double weight = coach->liked[turn->dealer ? 1 : 0][place_of(whole)];
        for (Hand left = whole; left && weight; left = without_rank(left, first_rank(left)))
            weight *= ways[4 - count_of(mine, first_rank(left))][count_of(left, first_rank(left))];
        if (weight) found[number++] = (PossibleHand){whole, rests[size][n], weight, 0};
    }
    return number;
}

typedef struct { int at, others, rank, cards_played; } Decision;
typedef struct { int own, other, turn, count, series[8], gone, last; } LineState;

static int state_after(const int *series, int number) {
    int at = 0;
    for (int n = 0; n < number; n++) at = after[at * RANKS + series[n]];
    return at;
}

/* The number of decisions of the opponent, written backwards from `end`; -1 if no line fits. */
static int search_line(LineState now, const PlayQuestion *turn, Decision *found) {
    int done[2] = {now.own, now.other}, seat = now.turn, able[2];
    for (int each = 0; each < 2; each++) able[each] = done[each] < 4 && !(now.gone & (each ? OTHER : OWN));
    int end_gone = (turn->gone[0] ? OWN : 0) | (turn->gone[1] ? OTHER : 0);
    if (seat == 0 && done[0] == turn->played_count[0] && done[1] == turn->played_count[1] && now.count == turn->series_count
        && !memcmp(now.series, turn->series, now.count * sizeof(int)) && now.gone == end_gone && able[0])
        return 0;
    if (!able[seat]) {
        if (able[1 - seat]) {
            now.turn = 1 - seat;
            return search_line(now, turn, found);
        }
        if ((done[0] == 4 && done[1] == 4) || !now.count) return -1;
        LineState then = {now.own, now.other, 1 - now.last, 0, {0}, 0, now.last};
        return search_line(then, turn, found);
    }
    int total = 0, at = state_after(now.series, now.count);
    for (int n = 0; n < now.count; n++) total += value_of_rank(now.series[n]);
    int others = now.gone & (seat ? OWN : OTHER) ? 0 : 4 - done[1 - seat];
    if (done[seat] < turn->played_count[seat]) {
        int rank = turn->played[seat][done[seat]];
        if (total + value_of_rank(rank) <= MAX_COUNT) {
            LineState then = now;
            if (seat) then.other++; else then.own++;
            then.turn = 1 - seat, then.last = seat;
            if (total + value_of_rank(rank) == MAX_COUNT) then.count = 0, then.gone = 0;
            else then.series[then.count++] = rank;
            int number = search_line(then, turn, found + (seat == 1));
            if (number >= 0) {
                if (seat) found[0] = (Decision){at, others, rank, done[1]};
                return number + (seat == 1);
            }
        }
    }
    if (total <= MAX_COUNT - 10) return -1;
    if (seat == 0) {
        Hand left = hand_of(turn->kept, 4) - hand_of(turn->played[0], done[0]);
        for (; left; left = without_rank(left, first_rank(left)))
            if (total + value_of_rank(first_rank(left)) <= MAX_COUNT) return -1;
    }
    LineState then = now;
    then.gone |= seat ? OTHER : OWN;
    then.turn = 1 - seat;
    int number = search_line(then, turn, found + (seat == 1));
    if (number < 0) return -1;
    if (seat) found[0] = (Decision){at, others, -1, done[1]};
    return number + (seat == 1);
}

static int weigh_by_decisions(double expected, const PlayQuestion *turn, const Decision *decisions, int number, const PossibleHand *held, int count, PossibleHand *found) {
    int left = 0;
    for (int n = 0; n < count; n++) {
        double weight = held[n].weight;
        for (int d = 0; d < number; d++) {
            const Decision *each = decisions + d;
            Hand hand = held[n].rest + hand_of(turn->played[1] + each->cards_played, turn->played_count[1] - each->cards_played);
            int chosen = choose_card(each->at, hand, each->others);
            if (each->rank < 0 ? chosen >= 0 : chosen < 0) {
                weight = 0;
                break;
            }
            if (each->rank < 0) continue;
            int fitting = 0;
            for (Hand rest = hand; rest; rest = without_rank(rest, first_rank(rest)))
                fitting += counts[each->at] + value_of_rank(first_rank(rest)) <= MAX_COUNT;
            weight *= (1 - expected) / fitting + (chosen == each->rank ? expected : 0);
        }
        if (weight) found[left] = held[n], found[left++].weight = weight;
    }
    return left;
}

static int find_opponent_hands(const Coach *coach, const PlayQuestion *turn, PossibleHand *found) {
    static _Thread_local PossibleHand weighed[HANDS];
    Decision decisions[16];
    int number = weigh_hands(coach, turn, weighed);
    LineState start = {0, 0, turn->dealer ? 1 : 0, 0, {0}, 0, turn->dealer ? 1 : 0};
    int count = search_line(start, turn, decisions);
    if (count < 0) {
        count = turn->gone[1];
        decisions[0] = (Decision){state_after(turn->series, turn->series_count), 1, -1, turn->played_count[1]};
    }
    int left = weigh_by_decisions(coach->expected_play_chance, turn, decisions, count, weighed, number, found);
    if (left) return left;
    memcpy(found, weighed, number * sizeof *found);
    if (number) return number;
    Hand mine = hand_of(turn->kept, 4) + hand_of(turn->discarded, 2) + one_card(turn->starter), played = hand_of(turn->played[1], turn->played_count[1]);
    int size = 4 - turn->played_count[1]; /* any hands */
    for (int n = 0; n < rest_count[size]; n++) {
        int fits = 1;
        for (int rank = 0; rank < RANKS; rank++) fits &= count_of(mine, rank) + count_of(played, rank) + count_of(rests[size][n], rank) <= 4;
        if (fits) found[left++] = (PossibleHand){played + rests[size][n], rests[size][n], 1, 0};
    }
    return left;
}

static int sample_hands(PossibleHand *held, int number, int most) {
    if (number <= most) return number;
    double total = 0, sum = 0;
    for (int n = 0; n < number; n++) total += held[n].weight;
    double step = total / most;
    int found = 0, next = 0;
    for (int n = 0; n < number; n++) {
        int times = 0;
        sum += held[n].weight;
        while (next < most && ((next + 0.5) * step <= sum || n == number - 1)) times++, next++;
        if (times) held[found] = held[n], held[found++].weight = step * times;
    }
    return found;
}

/* The value of scores after the play. */
typedef struct {
    const Coach *coach;
    int scores[2], hand, dealer;
    double crib[30];
    double known[40][40][30];
    uint32_t question, made[40][40][30]; /* the question that each value belongs to */
} Ending;

static void prepare_ending(Ending *ending, const Coach *coach, const PlayQuestion *turn) {
    ending->coach = coach, ending->hand = turn->points, ending->dealer = turn->dealer;
    ending->scores[0] = turn->scores[0], ending->scores[1] = turn->scores[1];
    ending->question++;
    Hand known = hand_of(turn->kept, 4) + hand_of(turn->discarded, 2) + one_card(turn->starter), mine = hand_of(turn->discarded, 2);
    static const int choose[5][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}, {1, 3, 3}, {1, 4, 6}};
    double total = 0;
    memset(ending->crib, 0, sizeof ending->crib);
    for (int n = 0; n < PAIRS; n++) {
        double likely = coach->thrown[turn->dealer ? 1 : 0][n];
        int a = pair_ranks[n][0], b = pair_ranks[n][1], left_a = 4 - count_of(known, a), left_b = 4 - count_of(known, b);
        double often = a == b ? likely * choose[left_a][2] / 6 : likely * left_a * left_b / 16;
        if (!likely) continue;
        ending->crib[starter_points[place_of(mine + one_card(a) + one_card(b))][turn->starter]] += often;
        total += often;
    }
    for (int n = 0; n < 30; n++) ending->crib[n] /= total;
}

static double win_chance(Ending *ending, int one, int two, int theirs) {
    int own = ending->scores[0] + one, other = ending->scores[1] + two;
    if (own >= TARGET) return 1;
    if (other >= TARGET) return 0;
    double *known = &ending->known[one][two][theirs];
    if (ending->made[one][two][theirs] == ending->question) return *known;
    ending->made[one][two][theirs] = ending->question;
    int first = ending->dealer ? other + theirs : own + ending->hand, second = ending->dealer ? own + ending->hand : other + theirs;
    double pone_wins = 1;
    if (first < TARGET) {
        const double *row = ending->coach->rows[first];
        if (second >= TARGET) pone_wins = row[second];
        else {
            pone_wins = 0;
            for (int n = 0; n < 30; n++)
                if (ending->crib[n]) pone_wins += ending->crib[n] * row[second + n];
        }
    }
    return *known = ending->dealer ? 1 - pone_wins : pone_wins;
}

/* The best response. */
typedef struct { double points, win; } Sums;
typedef struct { Ending *ending; int needs[2]; } Search;
typedef struct { uint32_t shown; int over, state, gone, last, one, two; Hand rest; } Answer;

static Sums add_sums(Sums a, Sums b) { return (Sums){a.points + b.points, a.win + b.win}; }
static Sums evaluate_turn(Search *, Hand, int, int, int, int, int, const PossibleHand *, int);

static Sums sum_ends(Search *search, int one, int two, const PossibleHand *hands, int number) {
    Sums total = {0, 0};
    for (int n = 0; n < number; n++) {
        total.points += hands[n].weight * (one - two);
        total.win += hands[n].weight * win_chance(search->ending, one, two, hands[n].points);
    }
    return total;
}

static Answer play_on(int count, int at, int gone, int last, Hand rest, const int *needs) {
    Answer found = {0, 0, at, gone, last, 0, 0, rest};
    int turn = 1;
    for (;;) {
        if (turn && found.rest && !(found.gone & OTHER)) {
            int rank = choose_card(found.state, found.rest, found.gone & OWN ? 0 : count);
            if (rank >= 0) {
                int place = found.state * RANKS + rank;
                found.two += earned[place], found.state = after[place], found.rest -= one_card(rank);
                found.shown = found.shown << 4 | (rank + 1), found.last = 1;
                if (!found.state) found.gone = 0;
                if (found.two >= needs[1]) return found.over = 1, found;
            } else {
                found.gone |= OTHER;
                found.shown = found.shown << 4 | 14;
            }
        }
        if (!(found.gone & OWN)) return found;
        if (found.rest && !(found.gone & OTHER)) {
            turn = 1;
            continue;
        }
        if (found.state) {
            if (found.last) found.two++; else found.one++;
            if (found.one >= needs[0] || found.two >= needs[1]) return found.over = 1, found;
        }
        found.state = 0, found.gone = 0, turn = 1 - found.last;
        if (!turn) return found;
    }
}

static Sums sum_after(Search *search, Hand mine, int at, int gone, int last, int one, int two, const PossibleHand *hands, int number) {
    if (one >= search->needs[0]) return sum_ends(search, one, two, hands, number);
    int needs[2] = {search->needs[0] - one, search->needs[1] - two};
    Sums total = {0, 0};
    if (!mine || !without_rank(mine, first_rank(mine))) {
        for (int n = 0; n < number; n++) {
            int more, lost;
            finish_play(mine, hands[n].rest, at, gone, 1, last, needs[0], needs[1], &more, &lost);
            total.points += hands[n].weight * (one + more - two - lost);
            total.win += hands[n].weight * win_chance(search->ending, one + more, two + lost, hands[n].points);
        }
        return total;
    }
    int count = cards_in(mine), groups = 0;
    Answer *answers = malloc(number * sizeof *answers), *of_group = malloc(number * sizeof *of_group);
    PossibleHand *sorted = malloc(number * sizeof *sorted);
    int *sizes = calloc(number, sizeof *sizes), *group = malloc(number * sizeof *group), *begins = malloc(number * sizeof *begins);
    for (int n = 0; n < number; n++) {
        answers[n] = play_on(count, at, gone, last, hands[n].rest, needs);
        if (answers[n].over) {
            total = add_sums(total, sum_ends(search, one + answers[n].one, two + answers[n].two, hands + n, 1));
            group[n] = -1;
            continue;
        }
        int place = 0;
        while (place < groups && of_group[place].shown != answers[n].shown) place++;
        if (place == groups) of_group[groups++] = answers[n];
        sizes[place]++, group[n] = place;
    }
    for (int place = 0, sum = 0; place < groups; place++) begins[place] = sum, sum += sizes[place], sizes[place] = 0;
    for (int n = 0; n < number; n++)
        if (group[n] >= 0) {
            PossibleHand *to = sorted + begins[group[n]] + sizes[group[n]]++;
            *to = hands[n], to->rest = answers[n].rest;
        }
    for (int place = 0; place < groups; place++) {
        Answer *each = of_group + place;
        total = add_sums(total, evaluate_turn(search, mine, each->state, each->gone, each->last, one + each->one, two + each->two, sorted + begins[place], sizes[place]));
    }
    free(answers), free(of_group), free(sorted), free(sizes), free(group), free(begins);
    return total;
}

static Sums evaluate_turn(Search *search, Hand mine, int at, int gone, int last, int one, int two, const PossibleHand *hands, int number) {
    int found = 0;
    Sums best = {0, 0};
    for (Hand left = mine; left; left = without_rank(left, first_rank(left))) {
        int rank = first_rank(left), then = after[at * RANKS + rank];
        if (then == NO_STATE) continue;
        Sums sums = sum_after(search, mine - one_card(rank), then, then ? gone : 0, 0, one + earned[at * RANKS + rank], two, hands, number);
        if (!found || sums.win > best.win || (sums.win == best.win && sums.points > best.points)) best = sums, found = 1;
    }
    return found ? best : sum_after(search, mine, at, gone | OWN, last, one, two, hands, number);
}

/* Values of the ranks that fit: points and win by rank. */
static void rank_plays(const Coach *coach, const PlayQuestion *turn, double *points, double *wins) {
    static _Thread_local PossibleHand held[HANDS];
    static _Thread_local Ending ending;
    int at = state_after(turn->series, turn->series_count), to_go = TARGET - (turn->scores[0] > turn->scores[1] ? turn->scores[0] : turn->scores[1]);
    Hand mine = hand_of(turn->held, turn->held_count);
    int hands = to_go <= 14 ? coach->hands_last : to_go <= 20 ? coach->hands_near : turn->held_count == 4 ? coach->hands_four : turn->held_count == 3 ? coach->hands_three : coach->hands_two;
    int number = find_opponent_hands(coach, turn, held);
    number = sample_hands(held, number, hands);
    prepare_ending(&ending, coach, turn);
    double weights = 0;
    for (int n = 0; n < number; n++) held[n].points = starter_points[place_of(held[n].whole)][turn->starter], weights += held[n].weight;
    Search search = {&ending, {TARGET - turn->scores[0], TARGET - turn->scores[1]}};
    int gone = (turn->gone[0] ? OWN : 0) | (turn->gone[1] ? OTHER : 0);
    for (Hand left = mine; left; left = without_rank(left, first_rank(left))) {
        int rank = first_rank(left), then = after[at * RANKS + rank];
        if (then == NO_STATE) continue;
        int scored = earned[at * RANKS + rank];
        Sums sums = sum_after(&search, mine - one_card(rank), then, then ? gone : 0, 0, scored, 0, held, number);
        points[rank] = sums.points / weights;
        wins[rank] = fmin(1, fmax(0, sums.win / weights));
    }
}

/* The place in `held` of the card to play. One must fit. */
int choose_play(const Coach *coach, const PlayQuestion *turn) {
    double points[RANKS], wins[RANKS], most = -1;
    int at = state_after(turn->series, turn->series_count), best = -1;
    rank_plays(coach, turn, points, wins);
    for (int n = 0; n < turn->held_count; n++) {
        int rank = turn->held[n];
        if (after[at * RANKS + rank] == NO_STATE) continue;
        if (best < 0 || wins[rank] > most || (wins[rank] == most && points[rank] > points[turn->held[best]])) best = n, most = wins[rank];
    }
    double limit = most > 1 - ROUNDING ? 1 - ROUNDING : most - NEGLIGIBLE;
    int found = -1;
    for (int n = 0; n < turn->held_count; n++) {
        int rank = turn->held[n];
        if (after[at * RANKS + rank] == NO_STATE || wins[rank] < limit) continue;
        if (found < 0 || points[rank] > points[turn->held[found]]
            || (points[rank] == points[turn->held[found]] && wins[rank] > wins[turn->held[found]])) found = n;
    }
    return found;
}
