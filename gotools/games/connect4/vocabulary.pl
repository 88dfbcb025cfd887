% The meaning of the vocabulary of Connect-4. Facts of a board, by the program that loads this file:
%     stone(Board, X, Y, Side)    move(Board, Move, X, Y)    to_play(Board, Side)
% X is the column, 0 to 6; Y the row from below, 1 to 6; sides are b and w; a move has the cell that its stone falls to.

:- dynamic stone/4, move/4, to_play/2.
:- table lines/1, line_through/3, fours/5.

opposite(b, w).
opposite(w, b).
pos_gen(p1).
pos_gen(p2).
range(N, Low, High) :- N >= Low, N =< High.

on_board(X, Y) :- between(0, 6, X), between(1, 6, Y).

lines(All) :- findall(Cells, line(Cells), All).

line(Cells) :-
    on_board(X, Y), member(DX-DY, [1-0, 0-1, 1-1, 1-(-1)]),
    U is X + 3 * DX, V is Y + 3 * DY, once(on_board(U, V)),
    findall(A-B, ( between(0, 3, K), A is X + K * DX, B is Y + K * DY ), Cells).

% line_through(X, Y, Others): the other cells of a line of four through a cell
line_through(X, Y, Others) :- lines(All), member(Cells, All), select(X-Y, Cells, Others).

% stone_after(Board, Move, Player, X, Y, Side): a stone there once a player has made the move
stone_after(B, _, _, X, Y, S) :- stone(B, X, Y, S).
stone_after(B, M, P, X, Y, P) :- move(B, M, X, Y).

free_after(B, M, X, Y) :- \+ stone(B, X, Y, _), \+ move(B, M, X, Y).

playable_after(_, _, _, 1) :- !.
playable_after(B, M, X, Y) :- Below is Y - 1, \+ free_after(B, M, X, Below).

% fours(Board, Move, Player, Side, Cells): those that complete four of a side; the move none: as the board is
fours(B, M, P, S, Cells) :-
    findall(X-Y, ( on_board(X, Y), free_after(B, M, X, Y), completes(B, M, P, S, X, Y) ), Cells).

completes(B, M, P, S, X, Y) :-
    line_through(X, Y, Others), \+ ( member(U-V, Others), \+ stone_after(B, M, P, U, V, S) ), !.

% fours_then(Board, Move, Side, Cells): once the side to play has made the move
fours_then(B, M, S, Cells) :- to_play(B, P), fours(B, M, P, S, Cells).

odd(Y) :- 1 is Y mod 2.
even(Y) :- 0 is Y mod 2.

column(B, M, Name) :-
    move(B, M, X, _), K is min(X, 6 - X), nth0(K, [edge, second, third, middle], Name).
row(B, M, Y) :- move(B, M, _, Y).
parity(B, M, odd) :- move(B, M, _, Y), odd(Y).
parity(B, M, even) :- move(B, M, _, Y), even(Y).
mover(B, _, first) :- to_play(B, b).
mover(B, _, second) :- to_play(B, w).

wins(B, M, S) :- move(B, M, X, Y), fours(B, none, S, S, Cells), memberchk(X-Y, Cells).
gives(B, M, S) :- move(B, M, X, Y), Above is Y + 1, fours_then(B, M, S, Cells), memberchk(X-Above, Cells).

threats(B, M, S, N) :-
    fours(B, M, S, S, Cells), aggregate_all(count, ( member(X-Y, Cells), playable_after(B, M, X, Y) ), N).
leaves(B, M, N) :-
    to_play(B, P), opposite(P, S), fours(B, M, P, S, Cells),
    aggregate_all(count, ( member(X-Y, Cells), playable_after(B, M, X, Y) ), N).

new_waiting(B, M, S, X, Y) :-
    fours(B, M, S, S, Cells), fours(B, none, S, S, Before), member(X-Y, Cells),
    \+ memberchk(X-Y, Before), \+ playable_after(B, M, X, Y).
odd_fours(B, M, S, N) :- aggregate_all(count, ( new_waiting(B, M, S, _, Y), odd(Y) ), N).
even_fours(B, M, S, N) :- aggregate_all(count, ( new_waiting(B, M, S, _, Y), even(Y) ), N).

waiting(B, M, S, X, Y) :- fours_then(B, M, S, Cells), member(X-Y, Cells), \+ playable_after(B, M, X, Y).
has_odd(B, M, S, N) :- aggregate_all(count, ( waiting(B, M, S, _, Y), odd(Y) ), N).
has_even(B, M, S, N) :- aggregate_all(count, ( waiting(B, M, S, _, Y), even(Y) ), N).

two_above(Cells, X, Y) :- member(X-Y, Cells), Above is Y + 1, memberchk(X-Above, Cells).
stacks(B, M, S) :-
    fours(B, M, S, S, Cells), fours(B, none, S, S, Before),
    two_above(Cells, X, Y), \+ two_above(Before, X, Y), !.

% lines(Board, Move, Side, X, Y, N): those through a cell without the other side's stones, with N of the side's
lines(B, M, S, X, Y, N) :-
    to_play(B, P), line_through(X, Y, Others),
    \+ ( member(U-V, Others), stone_after(B, M, P, U, V, T), T \== S ),
    aggregate_all(count, ( member(U-V, Others), stone_after(B, M, P, U, V, S) ), N).
lines_at(B, M, S, K, N) :- move(B, M, X, Y), aggregate_all(count, lines(B, none, S, X, Y, K), N).
lines_above(B, M, S, K, N) :- move(B, M, X, Y), Above is Y + 1, aggregate_all(count, lines(B, M, S, X, Above, K), N).

open_lines(B, M, S, N) :- lines_at(B, M, S, _, N).
twos(B, M, S, N) :- lines_at(B, M, S, 1, N).
threes(B, M, S, N) :- lines_at(B, M, S, 2, N).
lines_above(B, M, S, N) :- lines_above(B, M, S, _, N).
twos_above(B, M, S, N) :- lines_above(B, M, S, 1, N).
threes_above(B, M, S, N) :- lines_above(B, M, S, 2, N).

stage(B, Stage) :-
    aggregate_all(count, stone(B, _, _, _), N), K is min(2, N // 12), nth0(K, [opening, middle, end], Stage).

cell(B, M, DX, DY, Class, Frame) :-
    nth1(K, [p1, p2], Frame), move(B, M, X, Y), U is X + DX * (3 - 2 * K), V is Y + DY, held(B, U, V, Class).

held(_, X, Y, outside) :- \+ on_board(X, Y), !.
held(B, X, Y, own) :- to_play(B, S), stone(B, X, Y, S), !.
held(B, X, Y, other) :- stone(B, X, Y, _), !.
held(B, X, Y, playable) :- move(B, _, X, Y), !.
held(_, _, _, waiting).
