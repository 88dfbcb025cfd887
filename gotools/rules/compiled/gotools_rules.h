/* gotools_rules.h: rules of `gotools compile-patterns`, as a C library.
 *
 * A rules.c or rules.so scores every legal move of a position in one call. All functions are pure: any number of
 * threads may call them at once. Nothing is allocated; a call on 19x19 takes some hundred KB of stack.
 */
#ifndef GOTOOLS_RULES_H
#define GOTOOLS_RULES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GOTOOLS_RULES_ABI 2

#define GOTOOLS_NONE (-1)
#define GOTOOLS_PASS (-2)

/* A point is row * size + column, row 0 at the bottom, column 0 at the left. */
typedef struct {
    const uint8_t *board;   /* size * size cells: 0 empty, 1 black, 2 white */
    int32_t size;           /* 2 to 19 */
    int32_t to_play;        /* 1 black, 2 white */
    int32_t ko;             /* the point that may not be taken back, or GOTOOLS_NONE */
    int32_t last, last2;    /* the opponent's last move, the own one before: points, GOTOOLS_NONE or GOTOOLS_PASS */
} gotools_position;

int32_t gotools_rules_abi(void);                /* GOTOOLS_RULES_ABI of the library: compare before use */
const char *gotools_rules_digest(void);         /* SHA-256 of ids, weights and clauses, 64 hex digits */
int32_t gotools_rules_count(void);
const char *gotools_rules_id(int32_t rule);     /* NULL where there is no such rule, here and below */
const char *gotools_rules_clause(int32_t rule); /* as in rules.pl */
double gotools_rules_weight(int32_t rule);      /* 0 where there is no such rule */

/* score[point]: the sum of the weights of the rules that fire there, -INFINITY where no move is legal.
 * score has room for size * size values. Returns the number of legal points, -1 for what is no position. */
int32_t gotools_rules_score(const gotools_position *position, double *score);

/* The same, and hits[rule * size * size + point] is 1 where the rule fires on a legal point, else 0. */
int32_t gotools_rules_hits(const gotools_position *position, double *score, uint8_t *hits);

/* ---- many positions at once ---- */

/* The board of position k begins at board + k * stride; the other fields are arrays of `count`. */
typedef struct {
    int64_t count, stride;
    const uint8_t *board, *size, *to_play;
    const int16_t *ko, *last, *last2;
} gotools_positions;

/* What is found, position by position. The caller gives the arrays and `room`; the library fills them and counts. */
typedef struct {
    int64_t *first;         /* [count + 1]: the legal points of position k are rows first[k] to first[k + 1] - 1 */
    int16_t *point;         /* [rows], growing within a position */
    double *score;          /* [rows] */
    uint8_t *fired;         /* [count]: 1 where a rule fires at a legal point, else 0 */
    int64_t *best;          /* [chosen]: of each position the rows of the `top` highest scores, or all if they are
                               fewer; the highest first, equal ones in the order of their points */
    int64_t *at;            /* [chosen + 1]: the rules that fire at best[j] are rule[at[j]] to rule[at[j + 1] - 1] */
    uint16_t *rule;         /* [room], growing at a point */
    int64_t room, rows, chosen;
} gotools_ranking;

/* Score the legal points of positions, and list the rules that fire at the best ones. Returns `count`, or -1 - k where
 * position k is none. If at[chosen] is more than `room`, some rules are missing: give more room and call again. */
int64_t gotools_rules_rank(const gotools_positions *positions, int32_t top, gotools_ranking *ranking);

#ifdef __cplusplus
}
#endif

#endif
