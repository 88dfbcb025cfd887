/* Loads a library of compiled rules at run time and counts the legal points of an empty board; docs/compiled-rules.md. */
#include <dlfcn.h>
#include <stdio.h>
#include "gotools_rules.h"

int main(int given, char **argument) {
    void *library = given == 2 ? dlopen(argument[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library) return fputs("usage: open ./rules.so\n", stderr), 2;
    int32_t (*abi)(void) = (int32_t (*)(void))dlsym(library, "gotools_rules_abi");
    int32_t (*score)(const gotools_position *, double *) =
        (int32_t (*)(const gotools_position *, double *))dlsym(library, "gotools_rules_score");
    if (!abi || !score || abi() != GOTOOLS_RULES_ABI) return fputs("no rules of this ABI version\n", stderr), 1;
    uint8_t board[81] = {0};
    double scores[81];
    gotools_position empty = {board, 9, 1, GOTOOLS_NONE, GOTOOLS_NONE, GOTOOLS_NONE};
    printf("%d legal points\n", score(&empty, scores));
    return 0;
}
