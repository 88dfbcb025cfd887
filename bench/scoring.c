/* Time of gotools_rules_score for a position, in microseconds: the best of seven rounds over a file of positions. */
#include "gotools_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **argument) {
    FILE *file = count == 2 ? fopen(argument[1], "rb") : NULL;
    gotools_position *positions = NULL;
    int32_t head[5], many = 0;
    if (!file) return 1;
    while (fread(head, sizeof head, 1, file)) {
        size_t points = (size_t)head[0] * head[0];
        uint8_t *board = malloc(points);
        if (!board || fread(board, 1, points, file) != points) return 1;
        positions = realloc(positions, (many + 1) * sizeof *positions);
        if (!positions) return 1;
        positions[many++] = (gotools_position){board, head[0], head[1], head[2], head[3], head[4]};
    }
    double best = 1e9, score[19 * 19];
    for (int round = 0; round < 7; round++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (int k = 0; k < many; k++)
            if (gotools_rules_score(positions + k, score) < 0) return 1;
        clock_gettime(CLOCK_MONOTONIC, &end);
        double took = (end.tv_sec - begin.tv_sec) * 1e6 + (end.tv_nsec - begin.tv_nsec) / 1e3;
        if (took < best) best = took;
    }
    printf("%.3f\n", best / many);
    return 0;
}
