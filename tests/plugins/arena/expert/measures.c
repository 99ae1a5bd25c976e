/* What the play at other scores is worth. Roles: 0 is the dealer, 1 is pone. */
#include "expert.h"

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
