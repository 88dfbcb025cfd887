/* gotools_move_rules.h: rules of `gotools compile-patterns` for a game other than Go, as a C library.
 *
 * A rules.c or rules.so scores moves by what the caller has measured of them: it knows no board. What to measure is on
 * the page docs/vocabulary-GAME.md of the game. All functions are pure: any number of threads may call them at once.
 */
#ifndef GOTOOLS_MOVE_RULES_H
#define GOTOOLS_MOVE_RULES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GOTOOLS_MOVE_RULES_ABI 1
#define GOTOOLS_UNDEFINED (-32768) /* a number that a move does not have */

/* Moves of one position. */
typedef struct {
    int32_t moves;
    int32_t stage;          /* number of the stage of the position */
    const int32_t *measure; /* moves x gotools_move_rules_columns(): move by move, the columns in their order */
    const int32_t *seen;    /* moves x frames x places: bit c where the place is of class c; NULL if looks() is 0 */
} gotools_moves;

int32_t gotools_move_rules_abi(void);                /* GOTOOLS_MOVE_RULES_ABI of the library: compare before use */
const char *gotools_move_rules_game(void);
int32_t gotools_move_rules_vocabulary(void);         /* its version: another one may mean other things */
const char *gotools_move_rules_digest(void);         /* SHA-256 of ids, weights and clauses, 64 hex digits */
int32_t gotools_move_rules_columns(void);
const char *gotools_move_rules_column(int32_t k);    /* as "wins b": measure, and own or other side; NULL behind the last */
int32_t gotools_move_rules_frames(void);
int32_t gotools_move_rules_places(void);
int32_t gotools_move_rules_looks(void);              /* 1 if a rule looks at the window, else 0 */
int32_t gotools_move_rules_count(void);
const char *gotools_move_rules_id(int32_t rule);     /* NULL where there is no such rule, here and below */
const char *gotools_move_rules_clause(int32_t rule); /* as in rules.pl */
double gotools_move_rules_weight(int32_t rule);      /* 0 where there is no such rule */

/* score[move]: the sum of the weights of the rules that hold of it. Returns the number of moves. */
int32_t gotools_move_rules_score(const gotools_moves *moves, double *score);

/* The same, and hits[rule * moves + move] is 1 where the rule holds of the move, else 0. */
int32_t gotools_move_rules_hits(const gotools_moves *moves, double *score, uint8_t *hits);

#ifdef __cplusplus
}
#endif

#endif
