/* What the files of this folder share: hands, tables and questions. */
#ifndef EXPERT_H
#define EXPERT_H
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 13, HANDS = 1820, PAIRS = 91, TARGET = 121, JACK = 10, MAX_COUNT = 31, NO_STATE = 0xFFFF, MAX_POINTS = 128, WORTH_SCALE = 4096 };
enum { OWN = 1, OTHER = 2 }; /* who has said go */

/* Three bits for the number of cards of each rank. */
typedef uint64_t Hand;

static const double NEGLIGIBLE = 0.0005, ROUNDING = 1e-9;

static inline int value_of_rank(int rank) { return rank < 9 ? rank + 1 : 10; }
static inline Hand one_card(int rank) { return (Hand)1 << (3 * rank); }
static inline int first_rank(Hand hand) { return __builtin_ctzll(hand) / 3; }
static inline int count_of(Hand hand, int rank) { return (hand >> (3 * rank)) & 7; }
static inline Hand without_rank(Hand hand, int rank) { return hand & ~((Hand)7 << (3 * rank)); }
static inline Hand hand_of(const int *ranks, int number) {
    Hand found = 0;
    for (int n = 0; n < number; n++) found += one_card(ranks[n]);
    return found;
}

/* A coach: the hands that it tries, by its cards and the points to go, and its tables. */
typedef struct {
    int hands_four, hands_near, hands_last, hands_three, hands_two;
    double expected_play_chance; /* probability that the opponent plays the card of the quick policy */
    double rows[TARGET][241], thrown[2][PAIRS], liked[2][HANDS], net[2][HANDS], hand_shares[2][30], pegged[40][40];
    double mean_net[2];
    struct { int length; double shares[MAX_POINTS]; } crib_shares[2][PAIRS], separate[2][2];
} Coach;

typedef struct {
    int held_count, held[4], kept[4], discarded[2], starter, dealer, series_count, series[8], played_count[2], played[2][4];
    int gone[2], scores[2], last, points;
} PlayQuestion;

/* Hands by size, and the places of hands of four and of pairs. */
extern Hand rests[5][HANDS];
extern int pair_place[RANKS][RANKS], pair_ranks[PAIRS][2];
int place_of(Hand hand);

/* The states of the play, and the points of each hand of four with each starter. */
extern const uint16_t *after;
extern const uint8_t *earned, (*starter_points)[RANKS];

typedef struct { int who, points; } Event;
enum { MOST_EVENTS = 32 };

int choose_play(const Coach *coach, const PlayQuestion *turn);
void rank_discards(const Coach *coach, const int *held, int dealer, const int *scores, const uint8_t *by_card, double *points, double *wins);
int choose_best(int number, const double *points, const double *wins);
int find_discard(Hand six, int who);
void count_discards(const int *six, uint8_t *by_card);
void split_cards(const int *six, int place, int *kept, int *thrown);
void discard_cards(const Coach *coach, const int *six, int dealer, const int *scores, int *kept, int *thrown);
void shuffle_cards(uint64_t *seed, int *pack);
void discard_by_keeps(const int *six, int role, int *kept, int *thrown);
int play_cards(const Coach *const *coaches, const int (*kept)[4], const int (*thrown)[2], int starter, const int *scores, Event *events);
#endif
