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

#define GOTOOLS_RULES_ABI 1

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

#ifdef __cplusplus
}
#endif

#endif
