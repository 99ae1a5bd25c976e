/* What discards and the play at other scores are worth. Roles: 0 is the dealer, 1 is pone. */
#include "expert.h"

/* The place of the discard with the most points on average, and these points, for each of two players. */
static void find_most_points(const Coach *const *players, const int *six, int dealer, int *places, double (*points)[15]) {
    static _Thread_local uint8_t by_card[15 * 46];
    int ranks[6], place = 0;
    for (int n = 0; n < 6; n++) ranks[n] = six[n] >> 2;
    count_discards(six, by_card);
    places[0] = places[1] = 0;
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++, place++) {
            int pair = pair_place[ranks[a]][ranks[b]], sum = 0;
            Hand kept = hand_of(ranks, 6) - one_card(ranks[a]) - one_card(ranks[b]);
            for (int n = 0; n < 46; n++) sum += by_card[46 * place + n];
            for (int who = 0; who < 2; who++) {
                double crib = players[who]->cribs[!dealer][pair];
                if (!crib) crib = mean_crib(players[who], ranks, dealer, pair);
                points[who][place] = sum / 46.0 + (dealer ? crib : -crib) + players[who]->net[!dealer][place_of(kept)];
                if (points[who][place] > points[who][places[who]]) places[who] = place;
            }
        }
}

typedef struct { int total, pegged; } Lead;

/* Play a deal at 0-0 after these discards. Returns the dealer's points less pone's. */
static Lead play_discards(const Coach *coach, const int *pack, int dealer, int pone) {
    const Coach *playing[2] = {coach, coach};
    int kept[2][4], thrown[2][2], scores[2] = {0, 0};
    split_cards(pack, dealer, kept[0], thrown[0]);
    split_cards(pack + 6, pone, kept[1], thrown[1]);
    Event events[MOST_EVENTS];
    int count = play_cards(playing, (const int(*)[4])kept, (const int(*)[2])thrown, pack[12], scores, events);
    Lead found = {0, 0};
    for (int n = 0; n < count; n++) {
        int points = events[n].who ? -events[n].points : events[n].points;
        found.total += points;
        if (n < count - 3 && (n || pack[12] >> 2 != JACK)) found.pegged += points;
    }
    return found;
}

/* Discard by the points of two players at 0-0; the cards are played by the first. Adds up, by role: deals in which the discards
 * differ; what the first player gains in that role, if the other is the opponent, and the square of it; what it gains in the play
 * alone; and what its points promise. `both` adds up the mean of both gains of a deal, and its square. */
void compare_discards(const Coach *one, const Coach *other, int number, uint64_t seed, double (*roles)[5], double *both) {
    const Coach *players[2] = {one, other};
    for (int deal = 0; deal < number; deal++) {
        int pack[52], places[2][2]; /* by role, then by player */
        double points[2][15], gains = 0;
        shuffle_cards(&seed, pack);
        for (int role = 0; role < 2; role++) {
            find_most_points(players, pack + 6 * role, !role, places[role], points);
            roles[role][4] += points[0][places[role][0]] - points[0][places[role][1]];
        }
        if (places[0][0] == places[0][1] && places[1][0] == places[1][1]) continue;
        Lead usual = play_discards(one, pack, places[0][1], places[1][1]);
        for (int role = 0; role < 2; role++) {
            if (places[role][0] == places[role][1]) continue;
            Lead then = play_discards(one, pack, places[0][role], places[1][1 - role]);
            int gain = role ? usual.total - then.total : then.total - usual.total;
            roles[role][0]++, roles[role][1] += gain, roles[role][2] += gain * gain;
            roles[role][3] += role ? usual.pegged - then.pegged : then.pegged - usual.pegged;
            gains += gain / 2.0;
        }
        both[0] += gains, both[1] += gains * gains;
    }
}

/* The dealer's chance to win after these events from some scores: 1 or 0 for who is out first, otherwise that of the table. */
static double value_events(const Coach *coach, const int *scores, const Event *events, int count) {
    int at[2] = {scores[0], scores[1]};
    for (int n = 0; n < count; n++)
        if ((at[events[n].who] += events[n].points) >= TARGET) return !events[n].who;
    return 1 - coach->rows[at[1]][at[0]];
}

/* Play deals at some scores of dealer and pone, once for these scores and once as at 0-0, with the discards of `load_keeps`. Adds
 * up the dealer's chances to win, their squares, and their product. */
void value_deals(const Coach *coach, const int *scores, int number, uint64_t seed, double *sums) {
    const Coach *both[2] = {coach, coach};
    for (int deal = 0; deal < number; deal++) {
        int pack[52], kept[2][4], thrown[2][2];
        double values[2];
        shuffle_cards(&seed, pack);
        int now[2] = {scores[0] + 2 * (pack[12] >> 2 == JACK), scores[1]}, start[2] = {0, 0};
        for (int usual = 0; usual < 2; usual++) {
            Event events[MOST_EVENTS];
            for (int role = 0; role < 2; role++) {
                int own[2] = {scores[role], scores[1 - role]};
                if (usual) discard_by_keeps(pack + 6 * role, role, kept[role], thrown[role]);
                else discard_cards(coach, pack + 6 * role, !role, own, kept[role], thrown[role]);
            }
            int count = play_cards(both, (const int(*)[4])kept, (const int(*)[2])thrown, pack[12], usual ? start : now, events);
            values[usual] = value_events(coach, scores, events, count);
        }
        sums[0] += values[0], sums[1] += values[0] * values[0], sums[2] += values[1], sums[3] += values[1] * values[1];
        sums[4] += values[0] * values[1];
    }
}
