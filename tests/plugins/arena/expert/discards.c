/* The discards of the expert, and the best of some choices. */
#include "expert.h"

typedef struct { int length; double shares[MAX_POINTS]; } Shares;

static Shares shift_mean(const Shares *shares, double by) {
    Shares found = {0};
    by = fmax(-1, fmin(1, by));
    double part = fabs(by), stay = 1 - part;
    found.length = shares->length + (by >= 0);
    for (int n = 0; n < found.length; n++) {
        double here = n < shares->length ? shares->shares[n] : 0;
        double from = by >= 0 ? n ? shares->shares[n - 1] : 0 : n + 1 < shares->length ? shares->shares[n + 1] : 0;
        found.shares[n] = stay * here + part * from;
    }
    if (by < 0) found.shares[0] += part * shares->shares[0];
    return found;
}
static Shares convolve(const Shares *one, const Shares *other) {
    Shares found = {one->length + other->length - 1, {0}};
    for (int n = 0; n < one->length; n++)
        if (one->shares[n])
            for (int m = 0; m < other->length; m++) found.shares[n + m] += one->shares[n] * other->shares[m];
    return found;
}
static double mean_points(const Shares *shares) {
    double total = 0;
    for (int n = 0; n < shares->length; n++) total += n * shares->shares[n];
    return total;
}
static void trim_zeros(Shares *shares) {
    while (!shares->shares[shares->length - 1]) shares->length--;
}

/* Sums that do not depend on the question. */
void prepare_coach(Coach *coach) {
    static const int choose[5][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}, {1, 3, 3}, {1, 4, 6}};
    for (int who = 0; who < 2; who++) {
        coach->mean_net[who] = 0;
        Shares mine = {40, {0}}, others = {40, {0}};
        for (int d = 0; d < 40; d++)
            for (int p = 0; p < 40; p++) {
                int own = who ? p : d, other = who ? d : p;
                coach->mean_net[who] += (own - other) * coach->pegged[d][p];
                mine.shares[own] += coach->pegged[d][p], others.shares[other] += coach->pegged[d][p];
            }
        trim_zeros(&mine), trim_zeros(&others);
        memcpy(&coach->separate[who][0], &mine, sizeof mine), memcpy(&coach->separate[who][1], &others, sizeof others);
        for (int n = 0; n < PAIRS; n++) {
            Shares found = {30, {0}};
            double total = 0;
            Hand mine_pair = one_card(pair_ranks[n][0]) + one_card(pair_ranks[n][1]);
            for (int m = 0; m < PAIRS; m++) {
                int a = pair_ranks[m][0], b = pair_ranks[m][1];
                int left_a = 4 - count_of(mine_pair, a), left_b = 4 - count_of(mine_pair, b);
                double often = coach->thrown[1 - who][m] * (a == b ? choose[left_a][2] / 6.0 : left_a * left_b / 16.0);
                if (!often) continue;
                Hand theirs = one_card(a) + one_card(b);
                const uint8_t *points = starter_points[place_of(mine_pair + theirs)];
                for (int rank = 0; rank < RANKS; rank++) {
                    int left = 4 - count_of(mine_pair, rank) - count_of(theirs, rank);
                    if (left > 0) found.shares[points[rank]] += often * left, total += often * left;
                }
            }
            for (int k = 0; k < 30; k++) found.shares[k] /= total;
            trim_zeros(&found);
            memcpy(&coach->crib_shares[who][n], &found, sizeof found);
        }
    }
}

static double mean_crib(const Coach *coach, const int *held, int dealer, int pair) {
    static const int choose[5][3] = {{1, 0, 0}, {1, 1, 0}, {1, 2, 1}, {1, 3, 3}, {1, 4, 6}};
    Hand mine = hand_of(held, 6), two = one_card(pair_ranks[pair][0]) + one_card(pair_ranks[pair][1]);
    double total = 0, likely_sum = 0, jacks = 0;
    for (int n = 0; n < PAIRS; n++) {
        int a = pair_ranks[n][0], b = pair_ranks[n][1], left_a = 4 - count_of(mine, a), left_b = 4 - count_of(mine, b);
        double likely = coach->thrown[dealer ? 1 : 0][n] * (a == b ? choose[left_a][2] / 6.0 : left_a * left_b / 16.0);
        if (!likely) continue;
        const uint8_t *points = starter_points[place_of(two + one_card(a) + one_card(b))];
        Hand other = one_card(a) + one_card(b);
        int sum = 0;
        for (int rank = 0; rank < RANKS; rank++) sum += (4 - count_of(other, rank)) * points[rank];
        for (int k = 0; k < 6; k++) sum -= points[held[k]];
        total += likely * sum, likely_sum += likely, jacks += likely * count_of(other, JACK);
    }
    return total / (likely_sum * 44) + 0.25 * (count_of(two, JACK) + jacks / likely_sum);
}

typedef struct { const Coach *coach; int scores[2], dealer; double columns[TARGET + 80][TARGET]; int8_t made[TARGET + 80][TARGET]; } Evaluator;

static double counting_win_chance(Evaluator *each, const Shares *own, const Shares *theirs, int mine, int others) {
    mine += each->scores[0], others += each->scores[1];
    const Shares *first = each->dealer ? theirs : own, *second = each->dealer ? own : theirs;
    int start = each->dealer ? others : mine, then = each->dealer ? mine : others;
    double undecided = 0, first_wins = 0;
    for (int n = 0; n < first->length; n++) {
        int at = start + n;
        if (at >= TARGET) {
            first_wins += first->shares[n];
            continue;
        }
        if (!each->made[then][at]) {
            double total = 0;
            for (int m = 0; m < second->length; m++) total += second->shares[m] * each->coach->rows[at][then + m];
            each->columns[then][at] = total, each->made[then][at] = 1;
        }
        undecided += first->shares[n] * each->columns[then][at];
    }
    return each->dealer ? 1 - first_wins - undecided : first_wins + undecided;
}

static double discard_win_chance(Evaluator *each, const Shares *own, const Shares *theirs, int mine, int others) {
    if (each->scores[0] + mine >= TARGET) return 1;
    if (each->scores[1] + others >= TARGET) return 0;
    return counting_win_chance(each, own, theirs, mine, others);
}

/* All fifteen discards of six cards (rank of each, points of the kept four by card of the pack), in the order of
 * combinations: mean points of all, and the chance to win. `by_card` has 15 rows of 46 points. */
void rank_discards(const Coach *coach, const int *held, int dealer, const int *scores, const uint8_t *by_card, double *points, double *wins) {
    static _Thread_local Evaluator each;
    int who = dealer ? 0 : 1, jacks = 0, place = 0;
    for (int n = 0; n < 6; n++) jacks += held[n] == JACK;
    double heels = 2.0 * (4 - jacks) / 46;
    Shares usual = {30, {0}};
    memcpy(usual.shares, coach->hand_shares[1 - who], sizeof coach->hand_shares[0]);
    trim_zeros(&usual);
    if (!dealer) usual = shift_mean(&usual, heels);
    int is_endgame = TARGET - scores[0] <= 14 || TARGET - scores[1] <= 14;
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++, place++) {
            int pair = pair_place[held[a]][held[b]];
            Hand kept = hand_of(held, 6) - one_card(held[a]) - one_card(held[b]);
            const uint8_t *row = by_card + 46 * place;
            Shares own = {0};
            double sum = 0;
            for (int n = 0; n < 46; n++) {
                sum += row[n], own.shares[row[n]] += 1 / 46.0;
                if (row[n] >= own.length) own.length = row[n] + 1;
            }
            double hand = sum / 46, crib = mean_crib(coach, held, dealer, pair), pegging = coach->net[who][place_of(kept)];
            points[place] = hand + (dealer ? crib : -crib) + pegging;
            double more = pegging - coach->mean_net[who];
            Shares cribs, theirs = usual;
            memcpy(&cribs, &coach->crib_shares[who][pair], sizeof cribs);
            cribs = shift_mean(&cribs, crib - mean_points(&cribs));
            if (dealer) own = convolve(&own, &cribs), own = shift_mean(&own, heels);
            else theirs = convolve(&theirs, &cribs);
            each.coach = coach, each.scores[0] = scores[0], each.scores[1] = scores[1], each.dealer = dealer;
            memset(each.made, 0, sizeof each.made);
            if (is_endgame) {
                double part = fmin(1, fabs(more / 2)), total = 0;
                int step = more > 0 ? 1 : -1;
                for (int d = 0; d < 40; d++)
                    for (int p = 0; p < 40; p++) {
                        double share = coach->pegged[d][p];
                        if (!share) continue;
                        int mine = dealer ? d : p, others = dealer ? p : d, up = mine + step < 0 ? 0 : mine + step, down = others - step < 0 ? 0 : others - step;
                        double then = discard_win_chance(&each, &own, &theirs, mine, others), first = discard_win_chance(&each, &own, &theirs, up, others);
                        double second = discard_win_chance(&each, &own, &theirs, mine, down);
                        total += share * ((1 - part) * (1 - part) * then + part * (1 - part) * (first + second)
                                          + part * part * discard_win_chance(&each, &own, &theirs, up, down));
                    }
                wins[place] = total;
            } else {
                Shares mine, others;
                memcpy(&mine, &coach->separate[who][0], sizeof mine), memcpy(&others, &coach->separate[who][1], sizeof others);
                mine = shift_mean(&mine, more / 2), others = shift_mean(&others, -more / 2);
                own = convolve(&mine, &own), theirs = convolve(&others, &theirs);
                wins[place] = counting_win_chance(&each, &own, &theirs, 0, 0);
            }
            wins[place] = fmin(1, fmax(0, wins[place]));
        }
}

/* The place of the best of `number` choices. */
int choose_best(int number, const double *points, const double *wins) {
    int best = 0, found = -1;
    for (int n = 1; n < number; n++)
        if (wins[n] > wins[best] || (wins[n] == wins[best] && points[n] > points[best])) best = n;
    double limit = wins[best] > 1 - ROUNDING ? 1 - ROUNDING : wins[best] - NEGLIGIBLE;
    for (int n = 0; n < number; n++)
        if (wins[n] >= limit && (found < 0 || points[n] > points[found] || (points[n] == points[found] && wins[n] > wins[found]))) found = n;
    return found;
}
