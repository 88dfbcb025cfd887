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

/* Points where a move does something to a chain of a class. */
typedef struct { ChainClass class; uint8_t property; } Region;

/* Which conditions a value of a measure fulfils: bits of `words` words a value, values from `cap` on are alike. */
typedef struct { const uint64_t *member; int16_t words, cap, first; } Measure;

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

/* Return how many liberties the chain at s has, 3 for more than two; with two, first < second are they. */
static int two_liberties(Reader *r, const uint8_t *cell, int s, int *first, int *second) {
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
                if (++n == 3) return 3;
                *(n == 1 ? first : second) = q;
                seen[q] = walk;
            } else if (cell[q] == cell[s]) {
                seen[q] = walk;
                queue[found++] = q;
            }
        }
    }
    if (n == 2 && *second < *first) {
        int q = *first;
        *first = *second, *second = q;
    }
    return n;
}

static int has_one_liberty(Reader *r, const uint8_t *cell, int s) {
    int first, second;
    return two_liberties(r, cell, s, &first, &second) == 1;
}

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
    for (int k = 0; k < 4; k++) {
        int q = p + r->steps[k];
        if (!cell[q]) return 0;
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
    int first, second;
    cell[p] = colour;
    for (int k = 0; k < 4; k++)
        if (cell[p + r->steps[k]] == 3 - colour && !two_liberties(r, cell, p + r->steps[k], &first, &second))
            remove_chain(r, cell, p + r->steps[k]);
}

static int caught(Reader *r, const uint8_t *cell, int s);

/* Tell whether the chain at s, which is in atari, is lost when its owner moves; `cell` is played on. */
static int trapped(Reader *r, uint8_t *cell, int s) {
    int out, second;
    if (++r->nodes > MOST_NODES || can_take(r, cell, s)) return 0;
    two_liberties(r, cell, s, &out, &second);
    if (is_suicide(r, cell, out, cell[s])) return 1;
    play(r, cell, out, cell[s]);
    return caught(r, cell, s);
}

/* Tell whether the chain at s is caught when its opponent moves. */
static int caught(Reader *r, const uint8_t *cell, int s) {
    int at[2], n = two_liberties(r, cell, s, &at[0], &at[1]);
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
    int size, stride, chains, stage, to_play;
    uint8_t cell[CELLS];          /* by place (see PLACE): 0 empty, 1 own, 2 the other's, 3 border */
    uint16_t at[CELLS];           /* chain at a place, counted from 1 */
    V on, empty, legal;
    V stones[MOST_CHAINS + 1], liberties[MOST_CHAINS + 1];
    V linked[LINKED ? MOST_CHAINS + 1 : 1];
    int16_t stone_count[MOST_CHAINS + 1], liberty_count[MOST_CHAINS + 1], smallest[MOST_CHAINS + 1];
    uint8_t colour[MOST_CHAINS + 1];
    V class_of[CLASSES + 1];
    V moved[MOVED + 1];           /* boards of classes seen through an offset, and of lines along an edge */
    V fixed[FIXED + 1];           /* conditions that are the same in all frames */
    V framed[FRAMED + 1];         /* conditions in the frame at hand */
} NAME(Board);
#define Board NAME(Board)

static inline void NAME(set)(V *board, int bit) { (*board)[bit >> 6] |= 1ull << (bit & 63); }

static inline int NAME(test)(const V *board, int bit) { return (*board)[bit >> 6] >> (bit & 63) & 1; }

static inline int NAME(count)(const V *board) {
    int n = 0;
    for (int w = 0; w < W; w++) n += __builtin_popcountll((*board)[w]);
    return n;
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
    memset(&b->stones[0], 0, sizeof b->stones[0]);
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

static inline void NAME(add_if)(V *to, const V *board, int wanted) {
    for (int w = 0; w < W; w++) (*to)[w] |= (*board)[w] & -(uint64_t)wanted;
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

static void NAME(see_classes)(Board *b, int last, int last2) {
    for (int k = 0; k < CLASSES; k++) {
        const ChainClass *class = &classes[k];
        V found = {0};
        if (class->kind == CLASS_EMPTY)
            found = b->empty;
        else if (class->kind == CLASS_OUTSIDE)
            found = b->on;
        else if (class->kind == CLASS_LAST || class->kind == CLASS_LAST2) {
            int point = class->kind == CLASS_LAST ? last : last2;
            if (point >= 0) NAME(set)(&found, point / b->size * b->stride + point % b->size);
        } else
            for (int c = 1; c <= b->chains; c++)
                NAME(add_if)(&found, &b->stones[c], NAME(fits)(b, class, c));
        b->class_of[k] = found;
    }
}

/* Fill `moved`: lines along the edges, then classes seen through offsets (down and left first, so that the shifts go
 * one way, then the other), then what lies outside. */
static void NAME(see_moved)(Board *b) {
    int m = 0;
    for (; m < LINES; m++) {
        int far = moved[m].dx - 1, side = moved[m].dy, at = side == LEFT || side == BOTTOM ? far : b->size - 1 - far;
        V line = {0};
        for (int k = 0; k < b->size && at >= 0 && at < b->size; k++)
            NAME(set)(&line, side == LEFT || side == RIGHT ? k * b->stride + at : at * b->stride + k);
        b->moved[m] = line;
    }
    for (; m < MOVED; m++) NAME(shift)(&b->moved[m], &b->class_of[moved[m].class], moved[m].dx + moved[m].dy * b->stride);
    for (m = FIRST_OUTSIDE; m < MOVED; m++) b->moved[m] = ~b->moved[m];
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

static int NAME(distance)(const Board *b, int point, int bit) {
    if (point < 0) return -1;
    int dx = abs(point % b->size - bit % b->stride), dy = abs(point / b->size - bit / b->stride);
    return dx + dy + (dx > dy ? dx : dy);
}

static inline void NAME(note)(Board *b, int measure, int value, int bit) {
    if (value < 0 || !measures[measure].words) return;
    const uint64_t *member =
        measures[measure].member + measures[measure].words * (value < measures[measure].cap ? value : measures[measure].cap);
    for (int w = 0; w < measures[measure].words; w++)
        for (uint64_t left = member[w]; left; left &= left - 1)
            NAME(set)(&b->fixed[measures[measure].first + 64 * w + __builtin_ctzll(left)], bit);
}

/* The measures of a stone of a colour on a place; side 0 for the player's, 1 for the other's. */
static void NAME(measure_stone)(Board *b, Reader *reader, int place, int side, const int *steps) {
    int colour = side ? OTHER : OWN, bit = BIT(place), chains = 0, near_capture = 0, in_atari = 0, few = 0;
    int seen[4];
    for (int k = 0; k < 4; k++) {
        int q = place + steps[k], c = seen[k] = b->at[q], again = 0;
        for (int j = 0; j < k; j++) again |= seen[j] == c;
        if (!c || again) continue;
        if (b->cell[q] == colour) {
            chains++;
            few |= b->liberty_count[c] <= 2;
            in_atari |= b->liberty_count[c] == 1;
        } else
            near_capture |= b->liberty_count[c] <= 2;
    }
    NAME(note)(b, ADJACENT + side, chains, bit);
    NAME(note)(b, JOINS + side, chains >= 2 && few, bit);
    if (measures[LIBERTIES_AFTER + side].words)
        NAME(note)(b, LIBERTIES_AFTER + side, NAME(liberties_after)(b, place, colour, steps), bit);
    if (measures[EYE + side].words) NAME(note)(b, EYE + side, NAME(eye)(b, place, colour, steps), bit);
    if (measures[RESCUES + side].words)
        NAME(note)(b, RESCUES + side, near_capture && NAME(rescues)(b, place, colour, steps), bit);
    if (measures[ESCAPES + side].words) NAME(note)(b, ESCAPES + side, in_atari ? escape(reader, place, colour) : 0, bit);
    if (measures[LADDER + side].words) {
        int hunted[4], n = 0;
        for (int c = near_capture ? 1 : b->chains + 1; c <= b->chains; c++)
            if (b->colour[c] == 3 - colour && b->liberty_count[c] == 2 && n < 4 && NAME(test)(&b->liberties[c], bit))
                hunted[n++] = b->smallest[c];
        NAME(note)(b, LADDER + side, n ? ladder(reader, place, colour, hunted, n) : 0, bit);
    }
}

static void NAME(measure_points)(Board *b, int last, int last2) {
    int steps[4] = {-b->stride, -1, 1, b->stride};
    Reader reader;
    start_reader(&reader, b->cell, b->stride);
    for (int w = 0; w < W; w++)
        for (uint64_t left = b->legal[w]; left; left &= left - 1) {
            int bit = 64 * w + __builtin_ctzll(left), x = bit % b->stride, y = bit / b->stride;
            int across = x < b->size - 1 - x ? x : b->size - 1 - x, up = y < b->size - 1 - y ? y : b->size - 1 - y;
            NAME(note)(b, LINE, (across < up ? across : up) + 1, bit);
            NAME(note)(b, LAST_DISTANCE, NAME(distance)(b, last, bit), bit);
            NAME(note)(b, LAST2_DISTANCE, NAME(distance)(b, last2, bit), bit);
            if (OWN_MEASURES) NAME(measure_stone)(b, &reader, PLACE(bit), 0, steps);
            if (OTHER_MEASURES) NAME(measure_stone)(b, &reader, PLACE(bit), 1, steps);
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

@RULES@

/* Set up the board of a position: what stands where, chains, legal moves. */
static void NAME(read_position)(Board *b, const gotools_position *p) {
    int stones = 0, points = p->size * p->size;
    b->size = p->size, b->stride = p->size + 3;
    memset(b->cell, BORDER, sizeof b->cell);
    memset(&b->on, 0, sizeof b->on);
    memset(&b->empty, 0, sizeof b->empty);
    for (int y = 0, point = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++, point++) {
            int bit = y * b->stride + x, colour = p->board[point];
            b->cell[PLACE(bit)] = !colour ? 0 : colour == p->to_play ? OWN : OTHER;
            stones += colour != 0;
            NAME(set)(&b->on, bit);
            if (!colour) NAME(set)(&b->empty, bit);
        }
    b->stage = stones * 81 <= 10 * points ? 0 : stones * 81 <= 30 * points ? 1 : 2;
    NAME(find_chains)(b);
    NAME(find_legal)(b, p->ko);
}

/* Fill `fixed` and `moved`: all that is the same in all frames. */
static void NAME(see)(Board *b, int last, int last2) {
    if (LINKED) NAME(find_linked)(b);
    NAME(see_classes)(b, last, last2);
    NAME(see_moved)(b);
    memset(b->fixed, 0, sizeof b->fixed);
    if (STAGES)
        for (int w = 0; w < W; w++) b->fixed[FIRST_STAGE + b->stage][w] = ~0ull;
    if (MEASURED) NAME(measure_points)(b, last, last2);
    for (int k = 0; k < REGIONS; k++)
        for (int c = 1; c <= b->chains; c++)
            if (NAME(fits)(b, &regions[k].class, c)) b->fixed[FIRST_REGION + k] |= *NAME(region)(b, regions[k].property, c);
    for (int k = 0; k < FIXED_GROUPS; k++) NAME(match)(b, k, 0, &b->fixed[FIRST_GROUP + k]);
}

/* hit[r]: the points where rule r fires in some frame. */
static void NAME(fire)(Board *b, V *hit) {
    memset(hit, 0, (RULES + 1) * sizeof *hit);
    NAME(fire_fixed)(b->fixed, hit);
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int k = 0; k < SEEN; k++) b->framed[k] = b->moved[seen[frame][k]];
        for (int k = 0; k < FRAMED - SEEN; k++) NAME(match)(b, FIXED_GROUPS + k, frame, &b->framed[SEEN + k]);
        NAME(fire_framed)(b->fixed, b->framed, hit);
    }
}

/* sum[bit]: the weights of the rules that fire there; `hits`, if wanted, by rule and point. */
static void NAME(add_up)(const Board *b, const V *hit, int64_t *sum, uint8_t *hits) {
    int points = b->size * b->size;
    memset(sum, 0, 64 * W * sizeof *sum);
    if (hits) memset(hits, 0, (size_t)RULES * points);
    for (int w = 0; w < W; w++) {
        uint16_t fired[RULES + 1];
        int n = 0;
        for (int r = 0; r < RULES; r++) {
            fired[n] = r;
            n += (hit[r][w] & b->legal[w]) != 0;
        }
        for (int k = 0; k < n; k++)
            for (uint64_t left = hit[fired[k]][w] & b->legal[w]; left; left &= left - 1) {
                int bit = 64 * w + __builtin_ctzll(left);
                sum[bit] += rule_weight[fired[k]];
                if (hits) hits[(size_t)fired[k] * points + bit / b->stride * b->size + bit % b->stride] = 1;
            }
    }
}

static int NAME(evaluate)(const gotools_position *p, double *score, uint8_t *hits) {
    Board board, *b = &board;
    V hit[RULES + 1];
    int64_t sum[64 * W];
    int legal = 0;
    NAME(read_position)(b, p);
    NAME(see)(b, p->last, p->last2);
    NAME(fire)(b, hit);
    NAME(add_up)(b, hit, sum, hits);
    for (int y = 0, point = 0; y < b->size; y++)
        for (int x = 0; x < b->size; x++, point++) {
            int bit = y * b->stride + x, may = NAME(test)(&b->legal, bit);
            legal += may;
            score[point] = may ? sum[bit] / 1e9 : -INFINITY;
        }
    return legal;
}

#undef V
#undef Board
#undef Match
#undef MOST_CHAINS

/* ---- interface ---- */

static int is_position(const gotools_position *p) {
    if (!p || !p->board || p->size < 2 || p->size > 19 || p->to_play < 1 || p->to_play > 2) return 0;
    int points = p->size * p->size;
    if (p->ko < -2 || p->ko >= points || p->last < -2 || p->last >= points || p->last2 < -2 || p->last2 >= points) return 0;
    for (int k = 0; k < points; k++)
        if (p->board[k] > 2) return 0;
    return 1;
}

/* The interface calls nothing that is exported: with two libraries in one process that could be the other's. */
static int32_t evaluate(const gotools_position *p, double *score, uint8_t *hits) {
    if (!is_position(p)) return -1;
    return p->size <= 9 ? evaluate_2(p, score, hits) : p->size <= 14 ? evaluate_4(p, score, hits) : evaluate_8(p, score, hits);
}

int32_t gotools_rules_score(const gotools_position *p, double *score) { return evaluate(p, score, 0); }

int32_t gotools_rules_hits(const gotools_position *p, double *score, uint8_t *hits) { return evaluate(p, score, hits); }

int32_t gotools_rules_abi(void) { return GOTOOLS_RULES_ABI; }

const char *gotools_rules_digest(void) { return strrchr(marker, '=') + 1; }

int32_t gotools_rules_count(void) { return RULES; }

static int is_rule(int32_t rule) { return rule >= 0 && rule < RULES; }

const char *gotools_rules_id(int32_t rule) { return is_rule(rule) ? rule_text[rule].id : 0; }

const char *gotools_rules_clause(int32_t rule) { return is_rule(rule) ? rule_text[rule].clause : 0; }

double gotools_rules_weight(int32_t rule) { return is_rule(rule) ? rule_weight[rule] / 1e9 : 0; }
