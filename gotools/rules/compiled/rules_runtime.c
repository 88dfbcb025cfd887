/* ---- types ---- */

enum { OWN = 1, OTHER = 2, BORDER = 3, CELLS = 21 * 22 };
enum { ATARI, CAPTURES, CONNECTS_DIRECT, CONNECTS_INDIRECT };
enum { CLASS_CHAIN, CLASS_EMPTY, CLASS_OUTSIDE, CLASS_LAST, CLASS_LAST2 };
enum { LEFT, RIGHT, BOTTOM, TOP };
enum { LIBERTY_COUNT, STONE_COUNT, COLOUR_OF };
enum { TEST_EQUAL, TEST_SAME, TEST_RELATES, TEST_RELATES_BY, TEST_MEASURE_BY, TEST_SHARES };
enum {
@MEASURES@ /* those from LIBERTIES_AFTER on are pairs: the own colour's, the other's */
};

/* What stands somewhere: for CLASS_CHAIN the colours (bit OWN, bit OTHER), and how many liberties and stones: the
 * fewest, and how many more there may be. */
typedef struct {
    uint8_t kind, colours;
    uint16_t liberties, more_liberties, stones, more_stones;
} ChainClass;

/* A class seen at an offset; class -1: the points on line dx from a side, dy. */
typedef struct { int16_t class; int8_t dx, dy; } MovedClass;

/* What a board of `chained` unites of the chains that are of it: their stones, liberties, or points linked to them. */
enum { OF_STONES, OF_LIBERTIES, OF_LINKED };

/* The level of a value of a measure, NULL where nobody asks: values alike for all conditions share one, and from `cap`
 * on all do. Level 0 is board `first` of `upto`. */
typedef struct { const uint16_t *level; int16_t cap, first; } Measure;

/* A condition on a measure: the points of board `to` of `upto` that are not on board `before`. */
typedef struct { uint16_t before, to; } Interval;

/* A rule and where its conditions stand: boards of `fixed`, then eight rows of boards of `moved`, one for a frame. */
typedef struct { uint32_t first; uint16_t rule; uint8_t fixed, framed; } Rule;

/* Conditions tied together: every place is some chain; places with an offset (index, -1 for none) have a stone there. */
typedef struct { ChainClass class; int8_t offset; } Place;
typedef struct { uint8_t kind, level, a, b; int16_t x, y; } GroupTest;
typedef struct { int16_t places, places_end, tests, tests_end; } Group;

/* ---- the reader of ladders ---- */

/* Ko is not looked at. A chain is caught if its opponent can keep it in atari until it is lost; a chain that can take
 * one of those around it counts as safe, and so does one that is not settled after MOST_NODES defences. */
enum { MOST_NODES = @MOST_NODES@ };

typedef struct {
    uint8_t cell[CELLS];
    int steps[4], nodes;
    uint32_t seen[2][CELLS], walk; /* places that the walk of that number has been at; one walk may start another */
} Reader;

static void start_reader(Reader *r, const uint8_t *cell, int stride) {
    memcpy(r->cell, cell, CELLS);
    memset(r->seen, 0, sizeof r->seen);
    r->walk = 0;
    r->steps[0] = -stride, r->steps[1] = -1, r->steps[2] = 1, r->steps[3] = stride;
}

/* Return how many liberties the chain at s has, but no more than `most`; at -- the first most - 1 found. */
static inline int liberties_up_to(int most, Reader *r, const uint8_t *cell, int s, int *at) {
    uint32_t *seen = r->seen[0], walk = ++r->walk;
    uint16_t queue[CELLS];
    int done = 0, found = 1, n = 0;
    queue[0] = s;
    seen[s] = walk;
    while (done < found) {
        int p = queue[done++];
        for (int k = 0; k < 4; k++) {
            int q = p + r->steps[k];
            if (seen[q] == walk) continue;
            if (!cell[q]) {
                if (n + 1 == most) return most;
                at[n++] = q;
                seen[q] = walk;
            } else if (cell[q] == cell[s]) {
                seen[q] = walk;
                queue[found++] = q;
            }
        }
    }
    return n;
}

/* Return how many liberties the chain at s has, 3 for more than two; with two, at[0] < at[1] are they. Not a part of its
 * caller, which calls itself: that would take twice the stack. */
static __attribute__((noinline)) int two_liberties(Reader *r, const uint8_t *cell, int s, int *at) {
    int n = liberties_up_to(3, r, cell, s, at);
    if (n == 2 && at[1] < at[0]) {
        int q = at[0];
        at[0] = at[1], at[1] = q;
    }
    return n;
}

static int has_one_liberty(Reader *r, const uint8_t *cell, int s) {
    int at[1];
    return liberties_up_to(2, r, cell, s, at) == 1;
}

static int has_no_liberty(Reader *r, const uint8_t *cell, int s) { return !liberties_up_to(1, r, cell, s, 0); }

/* Tell whether a chain of the other colour that touches the chain at s has one liberty. */
static int can_take(Reader *r, const uint8_t *cell, int s) {
    uint32_t *seen = r->seen[1], walk = ++r->walk;
    uint16_t queue[CELLS];
    int done = 0, found = 1;
    queue[0] = s;
    seen[s] = walk;
    while (done < found) {
        int p = queue[done++];
        for (int k = 0; k < 4; k++) {
            int q = p + r->steps[k];
            if (seen[q] == walk) continue;
            seen[q] = walk;
            if (cell[q] == cell[s])
                queue[found++] = q;
            else if (cell[q] == 3 - cell[s] && has_one_liberty(r, cell, q))
                return 1;
        }
    }
    return 0;
}

static int is_suicide(Reader *r, const uint8_t *cell, int p, int colour) {
    for (int k = 0; k < 4; k++)
        if (!cell[p + r->steps[k]]) return 0;
    for (int k = 0; k < 4; k++) {
        int q = p + r->steps[k];
        if (cell[q] != BORDER && has_one_liberty(r, cell, q) != (cell[q] == colour)) return 0;
    }
    return 1;
}

static void remove_chain(const Reader *r, uint8_t *cell, int s) {
    uint16_t queue[CELLS];
    int colour = cell[s], done = 0, found = 1;
    queue[0] = s;
    cell[s] = 0;
    while (done < found) {
        int p = queue[done++];
        for (int k = 0; k < 4; k++)
            if (cell[p + r->steps[k]] == colour) {
                cell[p + r->steps[k]] = 0;
                queue[found++] = p + r->steps[k];
            }
    }
}

/* Put a stone that is no suicide. */
static void play(Reader *r, uint8_t *cell, int p, int colour) {
    cell[p] = colour;
    for (int k = 0; k < 4; k++)
        if (cell[p + r->steps[k]] == 3 - colour && has_no_liberty(r, cell, p + r->steps[k]))
            remove_chain(r, cell, p + r->steps[k]);
}

static int caught(Reader *r, const uint8_t *cell, int s);

/* Tell whether the chain at s, which is in atari, is lost when its owner moves; `cell` is played on. */
static int trapped(Reader *r, uint8_t *cell, int s) {
    int out[2];
    if (++r->nodes > MOST_NODES || can_take(r, cell, s)) return 0;
    two_liberties(r, cell, s, out);
    if (is_suicide(r, cell, out[0], cell[s])) return 1;
    play(r, cell, out[0], cell[s]);
    return caught(r, cell, s);
}

/* Tell whether the chain at s is caught when its opponent moves. */
static int caught(Reader *r, const uint8_t *cell, int s) {
    int at[2], n = two_liberties(r, cell, s, at);
    if (n != 2) return n < 2;
    for (int k = 0; k < 2; k++) {
        uint8_t after[CELLS];
        if (is_suicide(r, cell, at[k], 3 - cell[s])) continue;
        memcpy(after, cell, CELLS);
        play(r, after, at[k], 3 - cell[s]);
        if (trapped(r, after, s)) return 1;
    }
    return 0;
}

/* 1: a stone on p takes its chain out of atari for good, 2: it does not. */
static int escape(Reader *r, int p, int colour) {
    uint8_t after[CELLS];
    r->nodes = 0;
    if (is_suicide(r, r->cell, p, colour)) return 2;
    memcpy(after, r->cell, CELLS);
    play(r, after, p, colour);
    return caught(r, after, p) ? 2 : 1;
}

/* 1: the atari of a stone on p catches one of the chains (the places of a stone of each), 2: none. */
static int ladder(Reader *r, int p, int colour, const int *hunted, int chains) {
    uint8_t after[CELLS], again[CELLS];
    r->nodes = 0;
    if (is_suicide(r, r->cell, p, colour)) return 2;
    memcpy(after, r->cell, CELLS);
    play(r, after, p, colour);
    for (int k = 0; k < chains; k++) {
        memcpy(again, after, CELLS);
        if (trapped(r, again, hunted[k])) return 1;
    }
    return 2;
}

/* ---- positions ---- */

static int is_position(const gotools_position *p) {
    if (!p || !p->board || p->size < 2 || p->size > 19 || p->to_play < 1 || p->to_play > 2) return 0;
    int points = p->size * p->size, highest = 0;
    if (p->ko < -2 || p->ko >= points || p->last < -2 || p->last >= points || p->last2 < -2 || p->last2 >= points) return 0;
    for (int k = 0; k < points; k++) highest |= (p->board[k] > 2);
    return !highest;
}

/* The words of the boards of a size. */
static int width_of(int size) { return size <= 9 ? 2 : size <= 14 ? 4 : 8; }

static void read_row(const gotools_positions *all, int64_t k, gotools_position *p) {
    p->board = all->board + k * all->stride;
    p->size = all->size[k], p->to_play = all->to_play[k];
    p->ko = all->ko[k], p->last = all->last[k], p->last2 = all->last2[k];
}

typedef uint64_t Pair __attribute__((vector_size(16), aligned(8), may_alias));

/* ---- for each width ---- */

/* A set of points is a bitboard: bit y * stride + x, stride = size + 3. The three columns between two rows are always
 * empty, so that a shift by an offset of -3..3 wraps onto nothing.
 *
 *      size 3:   12 13 14  .  .  .        A condition at an offset is the shifted board of what has to stand there;
 *                 6  7  8  .  .  .        a rule in a frame is the AND of its conditions' boards, for all points at once.
 *                 0  1  2  .  .  .
 *
 * What follows stands here once for boards of 2, 4 and 8 words (up to 9x9, 14x14, 19x19).
 */

typedef uint64_t NAME(V) __attribute__((vector_size(8 * W)));
#define V NAME(V)
#define MOST_CHAINS (W == 2 ? 81 : W == 4 ? 196 : 361)

typedef struct {
    /* what depends on the size only */
    int size, stride;
    V on, corners, sides;
    uint8_t x[64 * W], y[64 * W]; /* by bit */
    int16_t point[64 * W];

    int chains, stage;
    uint8_t cell[CELLS];          /* by place (see PLACE): 0 empty, 1 own, 2 the other's, 3 border */
    uint16_t at[CELLS];           /* chain at a place, counted from 1 */
    V empty, legal;
    V stones[MOST_CHAINS + 1], liberties[MOST_CHAINS + 1];
    V linked[LINKED ? MOST_CHAINS + 1 : 1];
    int16_t stone_count[MOST_CHAINS + 1], liberty_count[MOST_CHAINS + 1], smallest[MOST_CHAINS + 1];
    uint8_t colour[MOST_CHAINS + 1];
    V chained[CLASSES + REGIONS + 1];
    V upto[UPTO + 1];             /* see Interval */
    V fixed[FIXED + 1];           /* conditions that are the same in all frames */
    V moved[MOVED + 1];           /* boards of classes seen through an offset, lines along an edge, groups in a frame */
    uint64_t wide[CLASSES + 1][W + 6]; /* classes between words of 0 */
} NAME(Board);
#define Board NAME(Board)

/* The rules that fire somewhere, in any order. */
typedef struct {
    int count;
    uint16_t rule[RULES + 1];
    V where[RULES + 1];
} NAME(Hits);
#define Hits NAME(Hits)

static inline void NAME(set)(V *board, int bit) { (*board)[bit >> 6] |= 1ull << (bit & 63); }

static inline int NAME(test)(const V *board, int bit) { return (*board)[bit >> 6] >> (bit & 63) & 1; }

static inline int NAME(count)(const V *board) {
    V n = *board;
    uint64_t all = 0;
    n -= n >> 1 & 0x5555555555555555u;
    n = (n & 0x3333333333333333u) + (n >> 2 & 0x3333333333333333u);
    n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    for (int w = 0; w < W; w++) all += n[w]; /* at most 8 * W = 64 in a byte */
    all = (all & 0x00ff00ff00ff00ffu) + (all >> 8 & 0x00ff00ff00ff00ffu);
    return all * 0x0001000100010001u >> 48;
}

static inline int NAME(any)(const V *board) {
    uint64_t all = 0;
    for (int w = 0; w < W; w++) all |= (*board)[w];
    return all != 0;
}

/* out has bit p where in has bit p + by; |by| < 128. */
static inline void NAME(shift)(V *out, const V *in, int by) {
#if W == 2 && defined(__SIZEOF_INT128__)
    unsigned __int128 all = (unsigned __int128)(*in)[1] << 64 | (*in)[0];
    all = by < 0 ? all << -by : all >> by;
    (*out)[0] = (uint64_t)all, (*out)[1] = (uint64_t)(all >> 64);
#else
    uint64_t a[W + 6];
    int far = by < 0 ? -by : by, words = far >> 6, bits = far & 63;
    for (int w = 0; w < 3; w++) a[w] = a[W + 3 + w] = 0;
    for (int w = 0; w < W; w++) a[w + 3] = (*in)[w];
    if (by >= 0)
        for (int w = 0; w < W; w++) (*out)[w] = a[w + 3 + words] >> bits | (a[w + 4 + words] << 1) << (63 - bits);
    else
        for (int w = 0; w < W; w++) (*out)[w] = a[w + 3 - words] << bits | (a[w + 2 - words] >> 1) >> (63 - bits);
#endif
}

static void NAME(grow)(const Board *b, V *out, const V *in) {
    V up, down, left, right;
    NAME(shift)(&up, in, b->stride);
    NAME(shift)(&down, in, -b->stride);
    NAME(shift)(&left, in, 1);
    NAME(shift)(&right, in, -1);
    *out = up | down | left | right;
}

/* Find the chains, smallest stone first. */
static void NAME(find_chains)(Board *b) {
    uint16_t queue[CELLS];
    int steps[4] = {-b->stride, -1, 1, b->stride};
    memset(b->at, 0, sizeof b->at);
    b->chains = 0;
    for (int y = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++) {
            int place = PLACE(y * b->stride + x);
            if (!b->cell[place] || b->at[place]) continue;
            int c = ++b->chains, done = 0, found = 1;
            V stones = {0}, liberties = {0};
            queue[0] = place;
            b->at[place] = c;
            while (done < found) {
                int q = queue[done++];
                NAME(set)(&stones, BIT(q));
                for (int k = 0; k < 4; k++) {
                    int r = q + steps[k];
                    if (!b->cell[r])
                        NAME(set)(&liberties, BIT(r));
                    else if (b->cell[r] == b->cell[place] && !b->at[r]) {
                        b->at[r] = c;
                        queue[found++] = r;
                    }
                }
            }
            b->stones[c] = stones;
            b->liberties[c] = liberties;
            b->stone_count[c] = found;
            b->liberty_count[c] = NAME(count)(&liberties);
            b->colour[c] = b->cell[place];
            b->smallest[c] = place;
        }
}

static void NAME(find_legal)(Board *b, int ko) {
    V alive = b->empty, near;
    for (int c = 1; c <= b->chains; c++)
        if (b->colour[c] == OWN ? b->liberty_count[c] > 1 : b->liberty_count[c] == 1) alive |= b->stones[c];
    NAME(grow)(b, &near, &alive);
    b->legal = b->empty & near;
    if (ko >= 0) {
        V taken = {0};
        NAME(set)(&taken, ko / b->size * b->stride + ko % b->size);
        b->legal &= ~taken;
    }
}

/* Points that do not touch a chain, but whose empty neighbours hold two of its liberties. */
static void NAME(find_linked)(Board *b) {
    int steps[4] = {-b->stride, -1, 1, b->stride};
    for (int c = 1; c <= b->chains; c++) {
        V once = {0}, twice = {0}, beside = {0};
        for (int k = 0; k < 4; k++) {
            NAME(shift)(&beside, &b->liberties[c], steps[k]);
            twice |= once & beside;
            once |= beside;
        }
        b->linked[c] = twice & b->empty & ~b->liberties[c];
    }
}

/* 1 where a chain is of a class: without branches, which would be a matter of luck. */
static inline int NAME(fits)(const Board *b, const ChainClass *k, int c) {
    return (k->colours >> b->colour[c] & 1) & ((uint16_t)(b->liberty_count[c] - k->liberties) <= k->more_liberties) &
           ((uint16_t)(b->stone_count[c] - k->stones) <= k->more_stones);
}

/* Where a stone of a colour does something to a chain; property = relation + 4 if the other colour acts. */
static const V *NAME(region)(const Board *b, int property, int c) {
    const V *nowhere = &b->stones[0];
    int acting = property < 4 ? OWN : OTHER, relation = property & 3;
    if ((b->colour[c] == acting) != (relation >= CONNECTS_DIRECT)) return nowhere;
    if (relation == ATARI && b->liberty_count[c] != 2) return nowhere;
    if (relation == CAPTURES && b->liberty_count[c] != 1) return nowhere;
    return relation == CONNECTS_INDIRECT ? &b->linked[LINKED ? c : 0] : &b->liberties[c];
}

/* Fill `chained`: what stands somewhere, and where a stone does something to chains. */
static void NAME(see_chains)(Board *b, int last, int last2) {
    memset(b->chained, 0, sizeof b->chained);
    for (int c = 1; c <= b->chains; c++) {
        const V *of[] = {&b->stones[c], &b->liberties[c], &b->linked[LINKED ? c : 0]};
        int liberties = b->liberty_count[c] < LIBERTIES_CAP ? b->liberty_count[c] : LIBERTIES_CAP;
        int stones = b->stone_count[c] < STONES_CAP ? b->stone_count[c] : STONES_CAP;
        for (int w = 0; w < CHAIN_WORDS; w++) {
            uint64_t left = by_liberties[liberties * CHAIN_WORDS + w] & by_stones[stones * CHAIN_WORDS + w] &
                            by_colour[b->colour[c] * CHAIN_WORDS + w];
            for (; left; left &= left - 1) {
                int k = 64 * w + __builtin_ctzll(left);
                b->chained[k] |= *of[chained_of[k]];
            }
        }
    }
    for (int k = 0; k < CLASSES; k++) {
        int kind = class_kinds[k], point = kind == CLASS_LAST ? last : last2;
        if (kind == CLASS_EMPTY) b->chained[k] = b->empty;
        if (kind == CLASS_OUTSIDE) b->chained[k] = b->on;
        if ((kind == CLASS_LAST || kind == CLASS_LAST2) && point >= 0)
            NAME(set)(&b->chained[k], point / b->size * b->stride + point % b->size);
    }
}

/* Fill `moved` with classes seen through offsets, and what lies outside. */
static void NAME(see_moved)(Board *b) {
    for (int k = 0; k < CLASSES; k++) memcpy(&b->wide[k][3], &b->chained[k], sizeof(V));
    for (int m = LINES; m < FIRST_GROUPED; m++) {
        int by = moved[m].dx + moved[m].dy * b->stride, bits = by & 63;
        const uint64_t *from = &b->wide[moved[m].class][3 + (by >> 6)]; /* |by| < 192 */
        Pair *to = (Pair *)&b->moved[m];
        for (int p = 0; p < W / 2; p++) {
            Pair low = *(const Pair *)(from + 2 * p), high = *(const Pair *)(from + 2 * p + 1);
            to[p] = low >> bits | high << 1 << (63 - bits);
        }
    }
    for (int m = FIRST_OUTSIDE; m < FIRST_GROUPED; m++) b->moved[m] = ~b->moved[m];
}

/* ---- what a stone on a point would be ---- */

static int NAME(liberties_after)(const Board *b, int place, int colour, const int *steps) {
    V free = {0}, own = {0}, taken = {0};
    int captures = 0;
    for (int k = 0; k < 4; k++) {
        int q = place + steps[k], c = b->at[q];
        if (!b->cell[q])
            NAME(set)(&free, BIT(q));
        else if (b->cell[q] == colour) {
            free |= b->liberties[c];
            own |= b->stones[c];
        } else if (b->cell[q] != BORDER && b->liberty_count[c] == 1) {
            taken |= b->stones[c];
            captures = 1;
        }
    }
    free[BIT(place) >> 6] &= ~(1ull << (BIT(place) & 63));
    if (captures) {
        V near;
        NAME(set)(&own, BIT(place));
        NAME(grow)(b, &near, &own);
        free |= near & taken;
    }
    return NAME(count)(&free);
}

static int NAME(rescues)(const Board *b, int place, int colour, const int *steps) {
    for (int k = 0; k < 4; k++) {
        int q = place + steps[k], c = b->at[q];
        if (b->cell[q] != 3 - colour || b->liberty_count[c] != 1) continue;
        V near;
        NAME(grow)(b, &near, &b->stones[c]);
        for (int d = 1; d <= b->chains; d++)
            if (b->colour[d] == colour && b->liberty_count[d] == 1) {
                V both = near & b->stones[d];
                if (NAME(any)(&both)) return 1;
            }
    }
    return 0;
}

static int NAME(eye)(const Board *b, int place, int colour, const int *steps) {
    int bad = 0, edge = 0, corners[4] = {-b->stride - 1, -b->stride + 1, b->stride - 1, b->stride + 1};
    for (int k = 0; k < 4; k++)
        if (b->cell[place + steps[k]] != colour && b->cell[place + steps[k]] != BORDER) return 0;
    for (int k = 0; k < 4; k++) {
        bad += b->cell[place + corners[k]] == 3 - colour;
        edge |= b->cell[place + corners[k]] == BORDER;
    }
    return bad && bad + edge >= 2 ? 2 : 1;
}

static inline int NAME(distance)(const Board *b, int point, int bit) {
    int dx = abs(b->x[point] - b->x[bit]), dy = abs(b->y[point] - b->y[bit]);
    return dx + dy + (dx > dy ? dx : dy);
}

static inline V *NAME(level)(Board *b, int measure, int value) {
    const Measure *m = &measures[measure];
    return &b->upto[m->first + m->level[value < m->cap ? value : m->cap]];
}

static inline void NAME(note)(Board *b, int measure, int value, int bit) {
    if (value >= 0 && measures[measure].level) NAME(set)(NAME(level)(b, measure, value), bit);
}

static inline void NAME(note_all)(Board *b, int measure, int value, const V *where) {
    if (measures[measure].level) *NAME(level)(b, measure, value) |= *where;
}

/* The measures of a stone of a colour on a place beside stones; side 0 for the player's, 1 for the other's.
 * seen -- the chains around it, each once, with growing numbers; empty -- how many neighbours are */
static inline __attribute__((always_inline)) void NAME(measure_stone)(
    Board *b, Reader *reader, int place, int side, const int *steps, const int *seen, int found, int empty
) {
    int colour = side ? OTHER : OWN, bit = BIT(place), chains = 0, near_capture = 0, captures = 0, in_atari = 0, few = 0;
    for (int k = 0; k < found; k++) {
        int n = b->liberty_count[seen[k]];
        if (b->colour[seen[k]] == colour) {
            chains++;
            few |= n <= 2;
            in_atari |= n == 1;
        } else {
            near_capture |= n <= 2;
            captures |= n == 1;
        }
    }
    NAME(note)(b, ADJACENT + side, chains, bit);
    NAME(note)(b, JOINS + side, chains >= 2 && few, bit);
    if (measures[LIBERTIES_AFTER + side].level) {
        int n = chains || captures ? NAME(liberties_after)(b, place, colour, steps) : empty;
        NAME(note)(b, LIBERTIES_AFTER + side, n, bit);
    }
    if (measures[EYE + side].level) NAME(note)(b, EYE + side, empty ? 0 : NAME(eye)(b, place, colour, steps), bit);
    if (measures[RESCUES + side].level)
        NAME(note)(b, RESCUES + side, captures && NAME(rescues)(b, place, colour, steps), bit);
    if (measures[ESCAPES + side].level) NAME(note)(b, ESCAPES + side, in_atari ? escape(reader, place, colour) : 0, bit);
    if (measures[LADDER + side].level) {
        int hunted[4], n = 0;
        for (int k = 0; near_capture && k < found; k++)
            if (b->colour[seen[k]] == 3 - colour && b->liberty_count[seen[k]] == 2) hunted[n++] = b->smallest[seen[k]];
        NAME(note)(b, LADDER + side, n ? ladder(reader, place, colour, hunted, n) : 0, bit);
    }
}

/* The same for points that no stone touches, all at once. */
static void NAME(measure_quiet)(Board *b, int side, const V *quiet) {
    V corners = *quiet & b->corners, sides = *quiet & b->sides, inside = *quiet & ~b->corners & ~b->sides;
    NAME(note_all)(b, ADJACENT + side, 0, quiet);
    NAME(note_all)(b, JOINS + side, 0, quiet);
    NAME(note_all)(b, LIBERTIES_AFTER + side, 2, &corners);
    NAME(note_all)(b, LIBERTIES_AFTER + side, 3, &sides);
    NAME(note_all)(b, LIBERTIES_AFTER + side, 4, &inside);
    NAME(note_all)(b, EYE + side, 0, quiet);
    NAME(note_all)(b, RESCUES + side, 0, quiet);
    NAME(note_all)(b, ESCAPES + side, 0, quiet);
    NAME(note_all)(b, LADDER + side, 0, quiet);
}

/* The measures of stones on all legal points. */
static void NAME(measure_stones)(Board *b) {
    int steps[4] = {-b->stride, -1, 1, b->stride};
    V stones = b->on & ~b->empty, near;
    Reader reader;
    NAME(grow)(b, &near, &stones);
    V quiet = b->legal & ~near, beside = b->legal & near;
    if (OWN_MEASURES) NAME(measure_quiet)(b, 0, &quiet);
    if (OTHER_MEASURES) NAME(measure_quiet)(b, 1, &quiet);
    if (measures[ESCAPES].level || measures[ESCAPES + 1].level || measures[LADDER].level || measures[LADDER + 1].level)
        start_reader(&reader, b->cell, b->stride);
    for (int w = 0; w < W; w++)
        for (uint64_t left = beside[w]; left; left &= left - 1) {
            int bit = 64 * w + __builtin_ctzll(left), place = PLACE(bit), seen[4], found = 0, empty = 0;
            for (int k = 0; k < 4; k++) {
                int c = b->at[place + steps[k]], again = 0, j = found;
                empty += !b->cell[place + steps[k]];
                for (int i = 0; i < found; i++) again |= seen[i] == c;
                if (!c || again) continue;
                for (found++; j && seen[j - 1] > c; j--) seen[j] = seen[j - 1];
                seen[j] = c;
            }
            if (OWN_MEASURES) NAME(measure_stone)(b, &reader, place, 0, steps, seen, found, empty);
            if (OTHER_MEASURES) NAME(measure_stone)(b, &reader, place, 1, steps, seen, found, empty);
        }
}

/* The measures of sets of chains: linked ones, which share two liberties, and groups, whose chains reach each other over
 * at most two empty points. A set is named by its first chain. */
static void NAME(measure_sets)(Board *b, int groups) {
    uint16_t set[MOST_CHAINS + 1];
    V all[MOST_CHAINS + 1], reach[MOST_CHAINS + 1];
    for (int c = 1; c <= b->chains; c++) {
        set[c] = c;
        all[c] = reach[c] = b->liberties[c];
        if (!groups) continue;
        NAME(grow)(b, &reach[c], &all[c]);
        reach[c] = all[c] | (reach[c] & b->empty);
    }
    for (int c = 1; c <= b->chains; c++)
        for (int d = c + 1; d <= b->chains; d++) {
            V shared = b->liberties[d] & (groups ? reach[c] : all[c]);
            int first = set[c] < set[d] ? set[c] : set[d], last = set[c] + set[d] - first;
            if (first == last || b->colour[c] != b->colour[d] || NAME(count)(&shared) < 2 - groups) continue;
            for (int e = 1; e <= b->chains; e++)
                if (set[e] == last) set[e] = first;
        }
    for (int c = 1; c <= b->chains; c++) {
        V wider;
        NAME(grow)(b, &wider, &reach[c]);
        if (groups) reach[c] |= wider & b->empty;
        if (set[c] == c) continue;
        all[set[c]] |= all[c];
        reach[set[c]] |= reach[c];
    }
    for (int k = 1; k <= b->chains; k++) all[k][0] = NAME(count)(&all[k]); /* from here on a number */
    int counted = groups ? NEAR_GROUPS : LINKED_SETS, fewest = groups ? GROUP_LIBERTIES : LINKED_LIBERTIES;
    for (int w = 0; w < W; w++)
        for (uint64_t left = b->legal[w]; left; left &= left - 1) {
            int bit = 64 * w + __builtin_ctzll(left), n[2] = {0}, least[2] = {-1, -1};
            for (int c = 1; c <= b->chains; c++) {
                int side = b->colour[c] != OWN, liberties = all[c][0];
                if (set[c] != c || !NAME(test)(&reach[c], bit)) continue;
                if (!n[side]++ || liberties < least[side]) least[side] = liberties;
            }
            for (int side = 0; side < 2; side++) {
                NAME(note)(b, counted + side, n[side], bit);
                NAME(note)(b, fewest + side, least[side], bit);
            }
        }
}

/* The measures of all legal points, and the conditions on them. */
static void NAME(measure_points)(Board *b, int last, int last2) {
    memset(b->upto, 0, sizeof b->upto);
    last = last < 0 ? -1 : last / b->size * b->stride + last % b->size;
    last2 = last2 < 0 ? -1 : last2 / b->size * b->stride + last2 % b->size;
    for (int w = 0; w < W; w++)
        for (uint64_t left = b->legal[w]; left; left &= left - 1) {
            int bit = 64 * w + __builtin_ctzll(left), x = b->x[bit], y = b->y[bit];
            int across = x < b->size - 1 - x ? x : b->size - 1 - x, up = y < b->size - 1 - y ? y : b->size - 1 - y;
            NAME(note)(b, LINE, (across < up ? across : up) + 1, bit);
            if (last >= 0) NAME(note)(b, LAST_DISTANCE, NAME(distance)(b, last, bit), bit);
            if (last2 >= 0) NAME(note)(b, LAST2_DISTANCE, NAME(distance)(b, last2, bit), bit);
        }
    if (OWN_MEASURES || OTHER_MEASURES) NAME(measure_stones)(b);
    if (OF_SETS) NAME(measure_sets)(b, 0);
    if (OF_SETS) NAME(measure_sets)(b, 1);
    for (int m = 0; m < MEASURES; m++)
        for (int k = 1; measures[m].level && k <= measures[m].level[measures[m].cap]; k++)
            b->upto[measures[m].first + k] |= b->upto[measures[m].first + k - 1];
    for (int k = 0; k < FIRST_STAGE; k++) b->fixed[k] = b->upto[intervals[k].to] & ~b->upto[intervals[k].before];
}

/* The shapes around all legal points: hashed as in go/kernels/shapes.py, on a board with a border as wide as they reach. */
static void NAME(see_shapes)(Board *b) {
    enum { WIDE = 19 + 2 * SHAPE_REACH };
    uint8_t wide[WIDE * WIDE];
    memset(wide, BORDER, sizeof wide);
    memset(b->fixed + FIRST_SHAPE, 0, SHAPES * sizeof *b->fixed);
    for (int y = 0; y < b->size; y++)
        memcpy(wide + (y + SHAPE_REACH) * WIDE + SHAPE_REACH, b->cell + PLACE(y * b->stride), b->size);
    for (int w = 0; w < W; w++)
        for (uint64_t left = b->legal[w]; left; left &= left - 1) {
            int bit = 64 * w + __builtin_ctzll(left), k = 0;
            const uint8_t *at = wide + (b->y[bit] + SHAPE_REACH) * WIDE + b->x[bit] + SHAPE_REACH;
            uint64_t name = 0;
            for (int s = 0; s < SHAPE_SIZES; s++) {
                for (; k < shape_counts[s]; k++) name ^= shape_words[k][at[shape_points[k][0] + WIDE * shape_points[k][1]]];
                for (uint64_t slot = name ^ size_words[s], own = slot;; slot++) {
                    slot &= SHAPE_SLOTS - 1;
                    if (shape_board[slot] < 0) break;
                    if (shape_names[slot] == own) NAME(set)(&b->fixed[shape_board[slot]], bit);
                }
            }
        }
}

/* ---- conditions that tie chains together ---- */

typedef struct {
    const Board *b;
    const Group *group;
    int frame;
    int chain[MOST_PLACES];
    V found;
} NAME(Match);
#define Match NAME(Match)

/* Tell whether the tests hold that are complete with the place; `where` is narrowed by those that depend on the point. */
static int NAME(tests_hold)(Match *m, int place, V *where) {
    const Board *b = m->b;
    for (int t = m->group->tests; t < m->group->tests_end; t++) {
        const GroupTest *test = &group_tests[t];
        if (test->level != place) continue;
        int c = m->chain[test->a], d = m->chain[test->b];
        int x = test->x == STONE_COUNT ? b->stone_count[c] : test->x == COLOUR_OF ? b->colour[c] : b->liberty_count[c];
        int y = test->y == STONE_COUNT ? b->stone_count[d] : test->y == COLOUR_OF ? b->colour[d] : b->liberty_count[d];
        if (test->kind == TEST_EQUAL && x != y) return 0;
        if (test->kind == TEST_SAME && c != d) return 0;
        if (test->kind == TEST_RELATES) *where &= *NAME(region)(b, test->x, c);
        if (test->kind == TEST_RELATES_BY) *where &= *NAME(region)(b, test->x + (b->colour[d] == OWN ? 0 : 4), c);
        if (test->kind == TEST_MEASURE_BY) *where &= b->fixed[b->colour[c] == OWN ? test->x : test->y];
        if (test->kind == TEST_SHARES) {
            V shared = b->liberties[c];
            for (int k = test->x; k < test->y; k++) shared &= b->liberties[m->chain[sharing[k]]];
            if (!NAME(any)(&shared)) return 0;
        }
    }
    return 1;
}

static void NAME(match_place)(Match *m, int place, const V *left) {
    const Board *b = m->b;
    if (place == m->group->places_end - m->group->places) {
        m->found |= *left;
        return;
    }
    const Place *p = &places[m->group->places + place];
    for (int c = 1; c <= b->chains; c++) {
        V where = *left;
        if (!NAME(fits)(b, &p->class, c)) continue;
        if (p->offset >= 0) {
            V there;
            NAME(shift)(&there, &b->stones[c], images[m->frame][p->offset][0] + images[m->frame][p->offset][1] * b->stride);
            where &= there;
        }
        m->chain[place] = c;
        if (NAME(any)(&where) && NAME(tests_hold)(m, place, &where) && NAME(any)(&where))
            NAME(match_place)(m, place + 1, &where);
    }
}

static void NAME(match)(const Board *b, int group, int frame, V *out) {
    Match m = {.b = b, .group = &groups[group], .frame = frame};
    NAME(match_place)(&m, 0, &b->legal);
    *out = m.found;
}

/* ---- the rules ---- */

/* Set up what depends on the size of the board. */
static void NAME(set_up)(Board *b, int size) {
    V left, right, below, above;
    b->size = size, b->stride = size + 3;
    memset(b->cell, BORDER, sizeof b->cell);
    memset(&b->on, 0, sizeof b->on);
    memset(&b->stones[0], 0, sizeof b->stones[0]);
    memset(b->wide, 0, sizeof b->wide);
    for (int y = 0, point = 0; y < size; y++)
        for (int x = 0; x < size; x++, point++) {
            int bit = y * b->stride + x;
            b->x[bit] = x, b->y[bit] = y, b->point[bit] = point;
            NAME(set)(&b->on, bit);
        }
    NAME(shift)(&left, &b->on, -1);
    NAME(shift)(&right, &b->on, 1);
    NAME(shift)(&below, &b->on, -b->stride);
    NAME(shift)(&above, &b->on, b->stride);
    b->corners = b->on & ~(left & right) & ~(below & above);
    b->sides = b->on & ~(left & right & below & above) & ~b->corners;
    for (int m = 0; m < LINES; m++) {
        int far = moved[m].dx - 1, side = moved[m].dy, at = side == LEFT || side == BOTTOM ? far : size - 1 - far;
        V line = {0};
        for (int k = 0; k < size && at >= 0 && at < size; k++)
            NAME(set)(&line, side == LEFT || side == RIGHT ? k * b->stride + at : at * b->stride + k);
        b->moved[m] = line;
    }
}

/* Set up the board of a position: what stands where, chains, legal moves. */
static void NAME(read_position)(Board *b, const gotools_position *p) {
    int stones = 0, points = p->size * p->size;
    if (b->size != p->size) NAME(set_up)(b, p->size);
    memset(&b->empty, 0, sizeof b->empty);
    for (int y = 0, point = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++, point++) {
            int bit = y * b->stride + x, colour = p->board[point];
            b->cell[PLACE(bit)] = !colour ? 0 : colour == p->to_play ? OWN : OTHER;
            stones += colour != 0;
            b->empty[bit >> 6] |= (uint64_t)!colour << (bit & 63);
        }
    b->stage = stones * 81 <= 10 * points ? 0 : stones * 81 <= 30 * points ? 1 : 2;
    NAME(find_chains)(b);
    NAME(find_legal)(b, p->ko);
}

/* Fill `fixed` and `moved`. */
static void NAME(see)(Board *b, int last, int last2) {
    if (LINKED) NAME(find_linked)(b);
    NAME(see_chains)(b, last, last2);
    NAME(see_moved)(b);
    if (MEASURED) NAME(measure_points)(b, last, last2);
    if (SHAPES) NAME(see_shapes)(b);
    for (int k = 0; STAGES && k < 3; k++)
        for (int w = 0; w < W; w++) b->fixed[FIRST_STAGE + k][w] = -(uint64_t)(k == b->stage);
    for (int k = 0; k < REGIONS; k++) b->fixed[FIRST_REGION + k] = b->chained[CLASSES + k];
    for (int k = 0; k < FIXED_GROUPS; k++) NAME(match)(b, k, 0, &b->fixed[FIRST_GROUP + k]);
    for (int k = 0; k < FRAMED_GROUPS; k++)
        for (int frame = 0; frame < 8; frame++)
            NAME(match)(b, FIXED_GROUPS + k, frame, &b->moved[FIRST_GROUPED + 8 * k + frame]);
    for (int k = 0; k < UNITED; k++) {
        V all = b->moved[united[8 * k]];
        for (int frame = 1; frame < 8; frame++) all |= b->moved[united[8 * k + frame]];
        b->fixed[FIRST_UNITED + k] = all;
    }
}

/* Return two words of the points where in some frame all of `many` boards have a bit; at -- their numbers, by frame. */
static inline Pair NAME(in_frames)(const Pair *moved, const uint16_t *at, int many) {
    Pair found = {0};
#define ON(k) moved[(size_t)at[k] * (W / 2)]
#define IN_FRAMES(all) for (int frame = 0; frame < 8; frame++, at += many) found |= (all)
    switch (many) { /* the usual numbers, unrolled */
    case 2: many = 2; IN_FRAMES(ON(0) & ON(1)); return found;
    case 3: many = 3; IN_FRAMES(ON(0) & ON(1) & ON(2)); return found;
    case 4: many = 4; IN_FRAMES(ON(0) & ON(1) & ON(2) & ON(3)); return found;
    case 5: many = 5; IN_FRAMES(ON(0) & ON(1) & ON(2) & ON(3) & ON(4)); return found;
    case 6: many = 6; IN_FRAMES(ON(0) & ON(1) & ON(2) & ON(3) & ON(4) & ON(5)); return found;
    }
    for (int frame = 0; frame < 8; frame++, at += many) {
        Pair here = ON(0);
        for (int k = 1; k < many; k++) here &= ON(k);
        found |= here;
    }
#undef ON
#undef IN_FRAMES
    return found;
}

/* Find where which rule fires in some frame: in each the points where all its conditions hold. */
static void NAME(fire)(const Board *b, Hits *hits) {
    hits->count = 0;
    for (const Rule *rule = rules; rule < rules + FIRING; rule++) {
        const uint16_t *fixed = conditions + rule->first, *framed = fixed + rule->fixed;
        V *where = &hits->where[hits->count];
        Pair some = {0};
        for (int p = 0; p < W / 2; p++) {
            Pair left = ((const Pair *)&b->legal)[p];
            for (int k = 0; k < rule->fixed; k++) left &= ((const Pair *)b->fixed)[(size_t)fixed[k] * (W / 2) + p];
            if (rule->framed && (left[0] | left[1])) left &= NAME(in_frames)((const Pair *)b->moved + p, framed, rule->framed);
            ((Pair *)where)[p] = left;
            some |= left;
        }
        hits->rule[hits->count] = rule->rule;
        hits->count += (some[0] | some[1]) != 0;
    }
}

/* sum[bit]: the weights of the rules that fire there. */
static void NAME(add_up)(const Hits *hits, int64_t *sum) {
    memset(sum, 0, 64 * W * sizeof *sum);
    for (int k = 0; k < hits->count; k++) {
        int64_t weight = rule_weight[hits->rule[k]];
        for (int w = 0; w < W; w++)
            for (uint64_t left = hits->where[k][w]; left; left &= left - 1) sum[64 * w + __builtin_ctzll(left)] += weight;
    }
}

static void NAME(evaluate)(Board *b, const gotools_position *p, Hits *hits, int64_t *sum) {
    NAME(read_position)(b, p);
    NAME(see)(b, p->last, p->last2);
    NAME(fire)(b, hits);
    NAME(add_up)(hits, sum);
}

static int NAME(score)(const gotools_position *p, double *score, uint8_t *hit) {
    Board board, *b = &board;
    Hits hits;
    int64_t sum[64 * W];
    int points = p->size * p->size, legal = 0;
    b->size = 0;
    NAME(evaluate)(b, p, &hits, sum);
    for (int y = 0, point = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++, point++) {
            int bit = y * b->stride + x, may = NAME(test)(&b->legal, bit);
            legal += may;
            score[point] = may ? sum[bit] / 1e9 : -INFINITY;
        }
    if (!hit) return legal;
    memset(hit, 0, (size_t)RULES * points);
    for (int k = 0; k < hits.count; k++)
        for (int w = 0; w < W; w++)
            for (uint64_t left = hits.where[k][w]; left; left &= left - 1)
                hit[(size_t)hits.rule[k] * points + b->point[64 * w + __builtin_ctzll(left)]] = 1;
    return legal;
}

/* ---- many positions ---- */

/* List the rules that fire at the best points, behind those listed so far, as far as there is room.
 * place -- of each point among the best, by bit; chosen -- the best */
static void NAME(list_rules)(const Hits *hits, const int16_t *place, const V *chosen, int best, gotools_ranking *r) {
    int64_t *at = r->at + r->chosen, next[362];
    memset(at + 1, 0, best * sizeof *at);
    for (int w = 0; w < W; w++)
        for (int k = 0; (*chosen)[w] && k < hits->count; k++)
            for (uint64_t left = hits->where[k][w] & (*chosen)[w]; left; left &= left - 1)
                at[place[64 * w + __builtin_ctzll(left)] + 1]++;
    for (int k = 0; k < best; k++) next[k] = at[k], at[k + 1] += at[k];
    if (at[best] > r->room) return;
    for (int w = 0; w < W; w++)
        for (int k = 0; (*chosen)[w] && k < hits->count; k++)
            for (uint64_t left = hits->where[k][w] & (*chosen)[w]; left; left &= left - 1) {
                int to = place[64 * w + __builtin_ctzll(left)];
                int64_t j = next[to]++;
                for (; j > at[to] && r->rule[j - 1] > hits->rule[k]; j--) r->rule[j] = r->rule[j - 1];
                r->rule[j] = hits->rule[k];
            }
}

/* Rank the positions from number k on, as long as they are of this width; returns the number of the next. */
static int64_t NAME(rank)(const gotools_positions *all, int64_t k, int32_t top, gotools_ranking *r) {
    Board board, *b = &board;
    Hits hits;
    int64_t sum[64 * W];
    int16_t row[64 * W], place[64 * W], first[361];
    gotools_position p;
    for (b->size = 0; k < all->count && width_of(all->size[k]) == W; k++) {
        int best = 0;
        V chosen = {0};
        read_row(all, k, &p);
        if (!is_position(&p)) return -1 - k;
        NAME(evaluate)(b, &p, &hits, sum);
        for (int w = 0; w < W; w++)
            for (uint64_t left = b->legal[w]; left; left &= left - 1) {
                int bit = 64 * w + __builtin_ctzll(left), j;
                row[bit] = r->rows - r->first[k];
                r->point[r->rows] = b->point[bit];
                r->score[r->rows++] = sum[bit] / 1e9;
                if (best == top && (!best || sum[bit] <= sum[first[best - 1]])) continue;
                best += best < top;
                for (j = best - 1; j && sum[first[j - 1]] < sum[bit]; j--) first[j] = first[j - 1];
                first[j] = bit;
            }
        for (int j = 0; j < best; j++) {
            NAME(set)(&chosen, first[j]);
            place[first[j]] = j;
            r->best[r->chosen + j] = r->first[k] + row[first[j]];
        }
        NAME(list_rules)(&hits, place, &chosen, best, r);
        r->chosen += best;
        r->fired[k] = hits.count > 0;
        r->first[k + 1] = r->rows;
    }
    return k;
}

#undef V
#undef Board
#undef Match
#undef Hits
#undef MOST_CHAINS

/* ---- interface ---- */

/* The interface calls nothing that is exported: with two libraries in one process that could be the other's. */
static int32_t evaluate(const gotools_position *p, double *score, uint8_t *hits) {
    if (!is_position(p)) return -1;
    return p->size <= 9 ? score_2(p, score, hits) : p->size <= 14 ? score_4(p, score, hits) : score_8(p, score, hits);
}

int32_t gotools_rules_score(const gotools_position *p, double *score) { return evaluate(p, score, 0); }

int32_t gotools_rules_hits(const gotools_position *p, double *score, uint8_t *hits) { return evaluate(p, score, hits); }

int64_t gotools_rules_rank(const gotools_positions *all, int32_t top, gotools_ranking *r) {
    int64_t k = 0;
    r->rows = r->chosen = r->first[0] = r->at[0] = 0;
    while (k >= 0 && k < all->count) {
        int width = width_of(all->size[k]);
        k = width == 2 ? rank_2(all, k, top, r) : width == 4 ? rank_4(all, k, top, r) : rank_8(all, k, top, r);
    }
    return k;
}

int32_t gotools_rules_abi(void) { return GOTOOLS_RULES_ABI; }

const char *gotools_rules_digest(void) { return strrchr(marker, '=') + 1; }

int32_t gotools_rules_count(void) { return RULES; }

static int is_rule(int32_t rule) { return rule >= 0 && rule < RULES; }

const char *gotools_rules_id(int32_t rule) { return is_rule(rule) ? rule_text[rule].id : 0; }

const char *gotools_rules_clause(int32_t rule) { return is_rule(rule) ? rule_text[rule].clause : 0; }

double gotools_rules_weight(int32_t rule) { return is_rule(rule) ? rule_weight[rule] / 1e9 : 0; }
