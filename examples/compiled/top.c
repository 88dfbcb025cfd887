/* Prints the five best moves of a position by compiled rules; docs/compiled-rules.md says how to build and call it. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "gotools_rules.h"

static const char columns[] = "ABCDEFGHJKLMNOPQRST";

/* The number of a point such as D4. */
static int number(const char *text, int size) {
    char letter;
    int row;
    if (!strcmp(text, "pass")) return GOTOOLS_PASS;
    if (sscanf(text, "%c%d", &letter, &row) != 2 || !strchr(columns, letter)) return GOTOOLS_NONE;
    return (row - 1) * size + (int)(strchr(columns, letter) - columns);
}

int main(int given, char **argument) {
    if (given != 6) return fputs("usage: top b|w ROWS KO LAST LAST2\n", stderr), 2;
    const char *rows = argument[2];
    int size = (int)strcspn(rows, "/");
    uint8_t board[361];
    double score[361], most = -INFINITY, sum = 0;
    if (gotools_rules_abi() != GOTOOLS_RULES_ABI) return fputs("another ABI version\n", stderr), 1;
    if (size > 19 || strlen(rows) + 1 != (size_t)size * (size + 1)) return fputs("no square board\n", stderr), 1;
    for (int point = 0; point < size * size; point++) {
        char cell = rows[(size - 1 - point / size) * (size + 1) + point % size]; /* the top row comes first */
        board[point] = cell == 'X' ? 1 : cell == 'O' ? 2 : 0;
    }
    gotools_position position = {
        board, size, argument[1][0] == 'b' ? 1 : 2,
        number(argument[3], size), number(argument[4], size), number(argument[5], size),
    };
    int legal = gotools_rules_score(&position, score);
    if (legal < 0) return fputs("no position\n", stderr), 1;
    for (int point = 0; point < size * size; point++) most = fmax(most, score[point]);
    for (int point = 0; point < size * size; point++) sum += exp(score[point] - most);
    for (int place = 1; place <= 5 && place <= legal; place++) {
        int best = 0;
        for (int point = 1; point < size * size; point++)
            if (score[point] > score[best]) best = point;
        printf("%d\t%c%d\t", place, columns[best % size], best / size + 1);
        printf("%.4f\t%.4f\n", score[best], exp(score[best] - most) / sum);
        score[best] = -INFINITY;
    }
    return 0;
}
