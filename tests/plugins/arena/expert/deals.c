/* Deals and games between experts, and their statistics. */
#include "expert.h"

typedef struct { Hand six; int pair[2]; } Keep; /* what dealer and pone discard, sorted by hand */
static const Keep *keeps;
static int keep_count;
void load_keeps(const Keep *rows, int number) { keeps = rows, keep_count = number; }

int find_discard(Hand six, int who) {
    int low = 0, high = keep_count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (keeps[middle].six < six) low = middle + 1; else high = middle;
    }
    return keeps[low].pair[who];
}

static uint64_t next_number(uint64_t *seed) { /* SplitMix64 */
    uint64_t z = (*seed += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static int draw_rank(uint64_t *seed, int *left, int *cards) {
    int place = (int)((next_number(seed) >> 11) * 0x1p-53 * *cards), rank = 0;
    while (place >= left[rank]) place -= left[rank++];
    left[rank]--, --*cards;
    return rank;
}

/* Play the cards of two hands at some scores; seats are roles, 0 is the dealer. `hand_points` may count suits.
 * Writes who scored how much, in order, and returns the number of these events. */
static int play_deal(const Coach *const *coaches, const int (*kept)[4], const int *pairs, int starter, const int *scores, const int *hand_points, Event *events) {
    Hand held[2] = {hand_of(kept[0], 4), hand_of(kept[1], 4)};
    int played[2][4], size[2] = {4, 4}, series[8], length = 0, at = 0, gone = 0, turn = 1, last = 1, now[2] = {scores[0], scores[1]}, number = 0;
    for (;;) {
        if (held[turn] && !(gone >> turn & 1)) {
            int fitting = 0, rank = -1;
            for (Hand left = held[turn]; left; left = without_rank(left, first_rank(left)))
                if (after[at * RANKS + first_rank(left)] != NO_STATE) fitting++, rank = first_rank(left);
            if (fitting > 1) {
                PlayQuestion asked = {.held_count = size[turn], .starter = starter, .dealer = !turn, .series_count = length,
                                      .played_count = {4 - size[turn], 4 - size[1 - turn]}, .gone = {gone >> turn & 1, gone >> (1 - turn) & 1},
                                      .scores = {now[turn], now[1 - turn]}, .last = last != turn, .points = hand_points[turn]};
                Hand left = held[turn];
                for (int n = 3, m = size[turn]; n >= 0; n--) /* in the order dealt; of equal ranks, the last are left */
                    if (count_of(left, kept[turn][n])) asked.held[--m] = kept[turn][n], left -= one_card(kept[turn][n]);
                memcpy(asked.kept, kept[turn], sizeof asked.kept);
                memcpy(asked.discarded, pair_ranks[pairs[turn]], sizeof asked.discarded);
                memcpy(asked.series, series, length * sizeof *series);
                for (int seat = 0; seat < 2; seat++) memcpy(asked.played[seat], played[seat ? 1 - turn : turn], sizeof asked.played[seat]);
                rank = asked.held[choose_play(coaches[turn], &asked)];
            }
            if (rank >= 0) {
                int points = earned[at * RANKS + rank];
                at = after[at * RANKS + rank];
                series[length++] = rank, played[turn][4 - size[turn]] = rank, size[turn]--, held[turn] -= one_card(rank), last = turn;
                if (points) events[number++] = (Event){turn, points}, now[turn] += points;
                if (now[turn] >= TARGET) return number;
                if (!at) gone = 0, length = 0;
                if (!at && !held[0] && !held[1]) return number;
                turn = 1 - turn;
                continue;
            }
            gone |= 1 << turn;
        }
        if (held[1 - turn] && !(gone >> (1 - turn) & 1)) {
            turn = 1 - turn;
            continue;
        }
        if (at) {
            events[number++] = (Event){last, 1};
            if (++now[last] >= TARGET) return number;
        }
        if (!held[0] && !held[1]) return number;
        at = 0, gone = 0, length = 0, turn = 1 - last;
    }
}

/* Draw the opponent's hand and the starter from the cards that are left, play, and return the net pegging of `role`. */
static int peg_deal(const Coach *coach, Hand hand, int pair, int role, int *left, uint64_t *seed) {
    const Coach *both[2] = {coach, coach};
    Hand hands[2], six = 0;
    int cards = 46, pairs[2], kept[2][4], scores[2] = {0, 0}, points[2], net = 0;
    for (int n = 0; n < 6; n++) six += one_card(draw_rank(seed, left, &cards));
    hands[role] = hand, pairs[role] = pair, pairs[1 - role] = find_discard(six, 1 - role);
    hands[1 - role] = six - one_card(pair_ranks[pairs[1 - role]][0]) - one_card(pair_ranks[pairs[1 - role]][1]);
    int starter = draw_rank(seed, left, &cards);
    for (int seat = 0; seat < 2; seat++) {
        points[seat] = starter_points[place_of(hands[seat])][starter];
        Hand rest = hands[seat];
        for (int n = 0; n < 4; n++) kept[seat][n] = first_rank(rest), rest -= one_card(first_rank(rest));
    }
    Event events[24];
    int count = play_deal(both, (const int(*)[4])kept, pairs, starter, scores, points, events);
    for (int n = 0; n < count; n++) net += events[n].who == role ? events[n].points : -events[n].points;
    return net;
}

/* Add up the net pegging of a hand in a role over `number` deals: the sum and the sum of squares. */
void peg_hand(const Coach *coach, int place, int role, int number, uint64_t seed, double *sums) {
    Hand hand = rests[4][place];
    for (int deal = 0; deal < number; deal++) {
        int left[RANKS], cards, pair = 0;
        for (int tries = 0; tries < 40; tries++) { /* two cards that the player would discard from this hand */
            for (int rank = 0; rank < RANKS; rank++) left[rank] = 4 - count_of(hand, rank);
            cards = 48;
            int a = draw_rank(&seed, left, &cards), b = draw_rank(&seed, left, &cards);
            pair = pair_place[a][b];
            if (find_discard(hand + one_card(a) + one_card(b), role) == pair) break;
        }
        int net = peg_deal(coach, hand, pair, role, left, &seed);
        sums[0] += net, sums[1] += net * net;
    }
}

/* Whole games over given cards: six for the dealer, six for pone, the starter (a card is four times its rank, plus its suit). */
static int count_hand(const int *cards, int starter, int is_crib) {
    Hand hand = 0;
    int same = 1, nobs = 0;
    for (int n = 0; n < 4; n++) {
        hand += one_card(cards[n] >> 2);
        same &= (cards[n] & 3) == (cards[0] & 3);
        nobs |= cards[n] >> 2 == JACK && (cards[n] & 3) == (starter & 3);
    }
    int flush = same && (starter & 3) == (cards[0] & 3) ? 5 : same && !is_crib ? 4 : 0;
    return starter_points[place_of(hand)][starter >> 2] + flush + nobs;
}

/* The points of the four cards of each discard with each starter: 15 rows of 46. */
void count_discards(const int *six, uint8_t *by_card) {
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++) {
            int four[4], size = 0;
            for (int n = 0; n < 6; n++)
                if (n != a && n != b) four[size++] = six[n];
            for (int card = 0; card < 52; card++) {
                int held = 0;
                for (int n = 0; n < 6; n++) held |= six[n] == card;
                if (!held) *by_card++ = count_hand(four, card, 0);
            }
        }
}

/* Discard one of the fifteen pairs; the four that are kept stay in order. */
void split_cards(const int *six, int place, int *kept, int *thrown) {
    int found = 0, left = 0, gone = 0;
    for (int a = 0; a < 6; a++)
        for (int b = a + 1; b < 6; b++, found++)
            if (found == place)
                for (int n = 0; n < 6; n++) {
                    if (n == a || n == b) thrown[gone++] = six[n];
                    else kept[left++] = six[n];
                }
}

/* Discard two of six cards as the coach does at these scores (own, other). */
void discard_cards(const Coach *coach, const int *six, int dealer, const int *scores, int *kept, int *thrown) {
    static _Thread_local uint8_t by_card[15 * 46];
    double points[15], wins[15];
    int ranks[6];
    for (int n = 0; n < 6; n++) ranks[n] = six[n] >> 2;
    count_discards(six, by_card);
    rank_discards(coach, ranks, dealer, scores, by_card, points, wins);
    split_cards(six, choose_best(15, points, wins), kept, thrown);
}

typedef struct { int hands[2], pegged[2], cribs, deals[2]; } Tally;

/* Play a game and return the seat that won, or -1 if there were too few cards. `tallies` and `scores` are by seat; 0 deals first. */
int play_game(const Coach *const *coaches, const uint8_t *packs, int deals, int *scores, Tally *tallies) {
    scores[0] = scores[1] = 0;
    for (int deal = 0; deal < deals; deal++) {
        int dealer = deal % 2, cards[13], kept[2][4], thrown[2][2], ranks[2][4], pairs[2], points[2], at[2]; /* by role */
        const Coach *both[2] = {coaches[dealer], coaches[1 - dealer]};
        for (int n = 0; n < 13; n++) cards[n] = packs[13 * deal + n];
        for (int role = 0; role < 2; role++) {
            int seat = role ? 1 - dealer : dealer, own[2] = {scores[seat], scores[1 - seat]};
            discard_cards(both[role], cards + 6 * role, !role, own, kept[role], thrown[role]);
            for (int n = 0; n < 4; n++) ranks[role][n] = kept[role][n] >> 2;
            pairs[role] = pair_place[thrown[role][0] >> 2][thrown[role][1] >> 2];
            points[role] = count_hand(kept[role], cards[12], 0);
        }
        int crib[4] = {thrown[0][0], thrown[0][1], thrown[1][0], thrown[1][1]}, pegged[2] = {0, 0};
        for (int role = 0; role < 2; role++) at[role] = scores[role ? 1 - dealer : dealer];
        if (cards[12] >> 2 == JACK) at[0] += 2;
        Event events[24];
        int number = at[0] >= TARGET ? 0 : play_deal(both, (const int(*)[4])ranks, pairs, cards[12] >> 2, at, points, events);
        for (int n = 0; n < number; n++) at[events[n].who] += events[n].points, pegged[events[n].who] += events[n].points;
        if (at[0] < TARGET && at[1] < TARGET) {
            int counted = count_hand(crib, cards[12], 1);
            for (int role = 0; role < 2; role++) {
                Tally *tally = tallies + (role ? 1 - dealer : dealer);
                tally->deals[role]++, tally->hands[role] += points[role], tally->pegged[role] += pegged[role];
                if (!role) tally->cribs += counted;
            }
            at[1] += points[1];
            if (at[1] < TARGET) at[0] += points[0];
            if (at[1] < TARGET && at[0] < TARGET) at[0] += counted;
        }
        for (int role = 0; role < 2; role++) scores[role ? 1 - dealer : dealer] = at[role] < TARGET ? at[role] : TARGET;
        if (scores[0] == TARGET || scores[1] == TARGET) return scores[1] == TARGET;
    }
    return -1;
}

/* Draw the first 13 cards of a pack of 52. */
void shuffle_cards(uint64_t *seed, int *pack) {
    for (int n = 0; n < 52; n++) pack[n] = n;
    for (int n = 0; n < 13; n++) {
        int at = n + (int)((next_number(seed) >> 11) * 0x1p-53 * (52 - n)), card = pack[at];
        pack[at] = pack[n], pack[n] = card;
    }
}

/* Discard two of six cards as `load_keeps` says. */
void discard_by_keeps(const int *six, int role, int *kept, int *thrown) {
    int ranks[6], left = 0, number = 0;
    for (int n = 0; n < 6; n++) ranks[n] = six[n] >> 2;
    int pair = find_discard(hand_of(ranks, 6), role), gone[2] = {pair_ranks[pair][0], pair_ranks[pair][1]};
    for (int n = 0; n < 6; n++) {
        int place = gone[0] == ranks[n] ? 0 : gone[1] == ranks[n] ? 1 : -1;
        if (place < 0) kept[left++] = six[n];
        else thrown[number++] = six[n], gone[place] = -1;
    }
}

/* Play a deal at some scores, which include heels, and count it, without regard to who goes out in the count. By role, 0 is
 * the dealer. Writes who scored how much, in order: heels, if there are any, the play, and three events of the count, pone's hand first.
 * Returns their number. */
int play_cards(const Coach *const *coaches, const int (*kept)[4], const int (*thrown)[2], int starter, const int *scores, Event *events) {
    int ranks[2][4], pairs[2], points[2], crib[4] = {thrown[0][0], thrown[0][1], thrown[1][0], thrown[1][1]}, count = 0;
    for (int role = 0; role < 2; role++) {
        for (int n = 0; n < 4; n++) ranks[role][n] = kept[role][n] >> 2;
        pairs[role] = pair_place[thrown[role][0] >> 2][thrown[role][1] >> 2];
        points[role] = count_hand(kept[role], starter, 0);
    }
    if (starter >> 2 == JACK) events[count++] = (Event){0, 2};
    if (scores[0] < TARGET) count += play_deal(coaches, (const int(*)[4])ranks, pairs, starter >> 2, scores, points, events + count);
    events[count++] = (Event){1, points[1]}, events[count++] = (Event){0, points[0]}, events[count++] = (Event){0, count_hand(crib, starter, 1)};
    return count;
}

/* Play deals at 0-0 with the discards of `load_keeps`. Adds up how often each role first reached `n` points while the other
 * had `m` (`first[role][n][m]`), the points of both at the end, and the statistics of the tables: points pegged by dealer
 * and pone, hands of both, and cribs. */
enum { MOST = 100 };
void count_deals(const Coach *coach, int number, uint64_t seed, int64_t (*first)[MOST][MOST], int64_t (*ends)[MOST], int64_t (*pegged)[40], int64_t (*hands)[30]) {
    const Coach *both[2] = {coach, coach};
    for (int deal = 0; deal < number; deal++) {
        int pack[52], kept[2][4], thrown[2][2], scores[2] = {0, 0}, pegs[2] = {0, 0}, totals[2] = {0, 0};
        shuffle_cards(&seed, pack);
        for (int role = 0; role < 2; role++) discard_by_keeps(pack + 6 * role, role, kept[role], thrown[role]);
        Event events[MOST_EVENTS];
        int count = play_cards(both, (const int(*)[4])kept, (const int(*)[2])thrown, pack[12], scores, events);
        for (int n = pack[12] >> 2 == JACK; n < count - 3; n++) pegs[events[n].who] += events[n].points;
        for (int n = 0; n < count; n++)
            for (int more = 0; more < events[n].points; more++) first[events[n].who][++totals[events[n].who]][totals[1 - events[n].who]]++;
        ends[totals[0]][totals[1]]++, pegged[pegs[0]][pegs[1]]++;
        hands[0][events[count - 2].points]++, hands[1][events[count - 3].points]++, hands[2][events[count - 1].points]++;
    }
}
