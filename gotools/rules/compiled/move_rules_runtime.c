/* Frames in which a condition holds of a move, a bit each; all where it looks at no place. */
static unsigned frames_of(const condition *c, const gotools_moves *m, int32_t i)
{
    const int32_t *measure = m->measure + (int64_t)i * COLUMNS;
    const int32_t *seen;
    unsigned frames = 0;
    if (c->kind == AT_STAGE)
        return m->stage == c->a ? 255 : 0;
    if (c->kind == WITHIN)
        return c->b <= measure[c->a] && measure[c->a] <= c->c ? 255 : 0;
    seen = m->seen + (int64_t)i * FRAMES * PLACES;
    for (int f = 0; f < FRAMES; f++)
        frames |= (unsigned)(seen[f * PLACES + c->a] >> c->b & 1) << f;
    return frames;
}

static int32_t match(const gotools_moves *m, double *score, uint8_t *hits)
{
    for (int32_t i = 0; i < m->moves; i++) {
        uint8_t held[CONDITIONS + 1];
        int64_t total = 0;
        for (int k = 0; k < CONDITIONS; k++)
            held[k] = (uint8_t)frames_of(&conditions[k], m, i);
        for (int k = 0; k < RULES; k++) {
            unsigned left = rules[k].never ? 0 : 255;
            for (int j = rules[k].begin; j < rules[k].end && left; j++)
                left &= held[members[j]];
            if (left)
                total += rules[k].weight;
            if (hits)
                hits[(int64_t)k * m->moves + i] = left != 0;
        }
        score[i] = (double)total / UNITS;
    }
    return m->moves;
}

int32_t gotools_move_rules_abi(void) { return GOTOOLS_MOVE_RULES_ABI; }
const char *gotools_move_rules_game(void) { return GAME; }
int32_t gotools_move_rules_vocabulary(void) { return VOCABULARY; }
const char *gotools_move_rules_digest(void) { return strstr(marker, "digest=") + 7; }
int32_t gotools_move_rules_columns(void) { return COLUMNS; }
const char *gotools_move_rules_column(int32_t k) { return k >= 0 && k < COLUMNS ? columns[k] : 0; }
int32_t gotools_move_rules_frames(void) { return FRAMES; }
int32_t gotools_move_rules_places(void) { return PLACES; }
int32_t gotools_move_rules_looks(void) { return LOOKS; }
int32_t gotools_move_rules_count(void) { return RULES; }
const char *gotools_move_rules_id(int32_t k) { return k >= 0 && k < RULES ? texts[k].id : 0; }
const char *gotools_move_rules_clause(int32_t k) { return k >= 0 && k < RULES ? texts[k].clause : 0; }
double gotools_move_rules_weight(int32_t k) { return k >= 0 && k < RULES ? (double)rules[k].weight / UNITS : 0; }

int32_t gotools_move_rules_score(const gotools_moves *m, double *score) { return match(m, score, 0); }
int32_t gotools_move_rules_hits(const gotools_moves *m, double *score, uint8_t *hits) { return match(m, score, hits); }
