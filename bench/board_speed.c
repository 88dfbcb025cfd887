/* The rules of Go, and random games, as plain C: the yardstick of board_speed.py.

   board_speed SIZE GAMES SEED

   Plays GAMES random games, as play_out of gotools/games/go/kernels/playouts.py does without knowledge, and scores them; then copies
   the board before each of their moves and makes the move on the copy. Prints the plies, the sum of the scores, a
   checksum of the hashes of all positions (hexadecimal), and the CPU seconds of both.

   Layout and rules are those of gotools/games/go/kernels/rules.py: a border around the board, chains as rings of stones, liberties
   counted once for each stone they touch, a Zobrist hash kept up with every stone. The arrays are as small as they
   can be here: one byte for a colour, two for a point. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STRIDE = 20, PLANE = STRIDE * 21, BORDER = 3, NONE = -1, PASSED = -2, PASS = 0, MOST_MOVES = 1200 };

typedef struct {
    uint64_t hash;
    int32_t taken[2];
    int16_t size, to_play, ko, ko_colour, last, last2;
    uint8_t colour[PLANE];
    int16_t head[PLANE], next[PLANE], libs[PLANE];
} Board;

static const int STEPS[4] = {-STRIDE, -1, 1, STRIDE};
static uint64_t zobrist[3 * PLANE];
static uint64_t random_word;

static void make_zobrist(void) { /* splitmix64 */
    uint64_t seed = 0x60706;
    for (int i = 0; i < 3 * PLANE; i++) {
        uint64_t word = seed += 0x9E3779B97F4A7C15u;
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
        word = (word ^ word >> 27) * 0x94D049BB133111EBu;
        zobrist[i] = word ^ word >> 31;
    }
}

static inline int below(uint32_t count) { /* xorshift64* */
    random_word ^= random_word >> 12;
    random_word ^= random_word << 25;
    random_word ^= random_word >> 27;
    return (int)((random_word * 0x2545F4914F6CDD1Du >> 32) * count >> 32);
}

static void seed_random(uint64_t seed) {
    uint64_t word = seed * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    word ^= word >> 32;
    random_word = word * 0x2545F4914F6CDD1Du | 1;
    for (int i = 0; i < 4; i++) below(2);
}

static void start(Board *b, int size) {
    memset(b, 0, sizeof *b);
    b->size = (int16_t)size;
    b->to_play = 1;
    b->ko = b->last = b->last2 = NONE;
    memset(b->colour, BORDER, (size_t)(size + 2) * STRIDE);
    for (int y = 1; y <= size; y++) memset(b->colour + y * STRIDE + 1, 0, (size_t)size);
}

static inline void copy(Board *to, const Board *from) { /* the rows in use */
    size_t used = (size_t)(from->size + 2) * STRIDE;
    memcpy(to, from, offsetof(Board, colour));
    memcpy(to->colour, from->colour, used);
    memcpy(to->head, from->head, 2 * used);
    memcpy(to->next, from->next, 2 * used);
    memcpy(to->libs, from->libs, 2 * used);
}

static void remove_chain(Board *b, int head) {
    int colour = b->colour[head], p = head;
    do {
        b->colour[p] = 0;
        b->hash ^= zobrist[colour * PLANE + p];
        b->taken[colour - 1]++;
        for (int d = 0; d < 4; d++)
            if (b->colour[p + STEPS[d]] == 3 - colour) b->libs[b->head[p + STEPS[d]]]++;
        p = b->next[p];
    } while (p != head);
}

static void merge(Board *b, int into, int chain) {
    b->libs[into] = (int16_t)(b->libs[into] + b->libs[chain]);
    int p = chain;
    do {
        b->head[p] = (int16_t)into;
        p = b->next[p];
    } while (p != chain);
    int16_t following = b->next[into];
    b->next[into] = b->next[chain];
    b->next[chain] = following;
}

static void end_turn(Board *b, int last) {
    b->last2 = b->last;
    b->last = (int16_t)last;
    b->to_play = (int16_t)(3 - b->to_play);
}

static inline void pass_turn(Board *b) {
    b->ko = NONE;
    end_turn(b, PASSED);
}

static inline void put(Board *b, int p) {
    int colour = b->to_play, other = 3 - colour, libs = 0, taken_at = NONE, head = p;
    int32_t before = b->taken[other - 1];
    b->colour[p] = (uint8_t)colour;
    b->head[p] = b->next[p] = (int16_t)p;
    b->hash ^= zobrist[colour * PLANE + p];
    for (int d = 0; d < 4; d++) {
        int q = p + STEPS[d];
        if (b->colour[q] == 0) libs++;
        else if (b->colour[q] != BORDER) b->libs[b->head[q]]--;
    }
    b->libs[p] = (int16_t)libs;
    for (int d = 0; d < 4; d++) {
        int q = p + STEPS[d];
        if (b->colour[q] == other && b->libs[b->head[q]] == 0) {
            remove_chain(b, b->head[q]);
            taken_at = q;
        }
    }
    for (int d = 0; d < 4; d++) {
        int q = p + STEPS[d];
        if (b->colour[q] == colour && b->head[q] != head) {
            merge(b, b->head[q], head);
            head = b->head[q];
        }
    }
    b->ko = NONE;
    if (b->taken[other - 1] - before == 1 && b->next[p] == p && b->libs[p] == 1) {
        b->ko = (int16_t)taken_at;
        b->ko_colour = (int16_t)other;
    } else if (b->libs[head] == 0) {
        remove_chain(b, head);
    }
    end_turn(b, p);
}

static int is_legal(Board *b, int p) { /* of an empty point: no suicide, simple ko */
    int colour = b->to_play, legal = 0;
    if (p == b->ko && colour == b->ko_colour) return 0;
    for (int d = 0; d < 4; d++)
        if (b->colour[p + STEPS[d]] == 0) return 1;
    for (int d = 0; d < 4; d++)
        if (b->colour[p + STEPS[d]] != BORDER) b->libs[b->head[p + STEPS[d]]]--;
    for (int d = 0; d < 4; d++) {
        int q = p + STEPS[d];
        if (b->colour[q] != BORDER && (b->libs[b->head[q]] == 0) == (b->colour[q] != colour)) legal = 1;
    }
    for (int d = 0; d < 4; d++)
        if (b->colour[p + STEPS[d]] != BORDER) b->libs[b->head[p + STEPS[d]]]++;
    return legal;
}

static int is_own_eye(const Board *b, int p) {
    static const int CORNERS[4] = {-STRIDE - 1, -STRIDE + 1, STRIDE - 1, STRIDE + 1};
    int colour = b->to_play, lost = 0, edge = 0;
    for (int d = 0; d < 4; d++)
        if (b->colour[p + STEPS[d]] != colour && b->colour[p + STEPS[d]] != BORDER) return 0;
    for (int d = 0; d < 4; d++) {
        int beside = b->colour[p + CORNERS[d]];
        edge |= beside == BORDER;
        lost += beside == 3 - colour;
    }
    return lost + edge < 2;
}

static int list_empty(const Board *b, int16_t *empties) {
    int n = 0;
    for (int y = 1; y <= b->size; y++)
        for (int p = y * STRIDE + 1; p < y * STRIDE + 1 + b->size; p++) {
            empties[n] = (int16_t)p;
            n += b->colour[p] == 0;
        }
    return n;
}

static int random_point(Board *b, int16_t *empties, int count) {
    while (count > 0) {
        int i = below((uint32_t)count), p = empties[i];
        empties[i] = empties[--count];
        empties[count] = (int16_t)p;
        if (!is_own_eye(b, p) && is_legal(b, p)) return p;
    }
    return PASS;
}

static int play_out(Board *b, int16_t *moves) { /* returns the number of moves */
    int16_t empties[PLANE];
    int count = list_empty(b, empties), passes = 0, n = 0;
    int32_t taken = 0;
    while (passes < 2 && n < MOST_MOVES - 1) {
        int p = random_point(b, empties, count);
        moves[n++] = (int16_t)p;
        if (p == PASS) {
            pass_turn(b);
            passes++;
            continue;
        }
        passes = 0;
        put(b, p);
        if (b->taken[0] + b->taken[1] != taken) {
            taken = b->taken[0] + b->taken[1];
            count = list_empty(b, empties);
            continue;
        }
        for (int i = count - 1; i >= 0; i--)
            if (empties[i] == p) {
                empties[i] = empties[--count];
                break;
            }
    }
    return n;
}

static int area_score(const Board *b) {
    uint8_t seen[PLANE] = {0};
    int16_t queue[PLANE];
    int score = 0;
    for (int y = 1; y <= b->size; y++)
        for (int p = y * STRIDE + 1; p < y * STRIDE + 1 + b->size; p++) {
            int found = 1, touches = 0;
            if (b->colour[p]) score += 3 - 2 * b->colour[p];
            if (b->colour[p] || seen[p]) continue;
            seen[p] = 1;
            queue[0] = (int16_t)p;
            for (int done = 0; done < found; done++)
                for (int d = 0; d < 4; d++) {
                    int q = queue[done] + STEPS[d];
                    if (b->colour[q] == 0 && !seen[q]) {
                        seen[q] = 1;
                        queue[found++] = (int16_t)q;
                    } else if (b->colour[q] != BORDER) {
                        touches |= b->colour[q];
                    }
                }
            if (touches == 1 || touches == 2) score += found * (3 - 2 * touches);
        }
    return score;
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **words) {
    if (count != 4) return fprintf(stderr, "usage: board_speed SIZE GAMES SEED\n"), 2;
    int size = atoi(words[1]), games = atoi(words[2]);
    static Board boards[2];
    int16_t *moves = malloc((size_t)games * MOST_MOVES * sizeof *moves);
    int *lengths = malloc((size_t)games * sizeof *lengths);
    if (!moves || !lengths) return fprintf(stderr, "no memory\n"), 1;
    make_zobrist();
    seed_random((uint64_t)atoll(words[3]));

    double began = seconds();
    long score = 0, plies = 0;
    for (int g = 0; g < games; g++) {
        start(boards, size);
        lengths[g] = play_out(boards, moves + (size_t)g * MOST_MOVES);
        score += area_score(boards);
        plies += lengths[g];
    }
    double playing = seconds() - began;

    began = seconds();
    uint64_t sum = 0;
    for (int g = 0; g < games; g++) {
        Board *from = boards, *to = boards + 1;
        start(from, size);
        for (int i = 0; i < lengths[g]; i++) {
            int p = moves[(size_t)g * MOST_MOVES + (size_t)i];
            copy(to, from);
            if (p == PASS) pass_turn(to);
            else put(to, p);
            sum += to->hash;
            Board *swap = from;
            from = to;
            to = swap;
        }
    }
    double copying = seconds() - began;
    printf("%ld %ld %016llx %.6f %.6f\n", plies, score, (unsigned long long)sum, playing, copying);
    return 0;
}
