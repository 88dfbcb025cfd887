% The meaning of the vocabulary of tic-tac-toe. Facts of a board, by the program that loads this file:
%     stone(Board, X, Y, Side)    move(Board, Move, X, Y)    to_play(Board, Side)      X, Y from 0; sides are b and w

:- dynamic stone/4, move/4, to_play/2.

opposite(b, w).
opposite(w, b).
pos_gen(p1).
pos_gen(p2).
pos_gen(p3).
pos_gen(p4).
pos_gen(p5).
pos_gen(p6).
pos_gen(p7).
pos_gen(p8).
range(N, Low, High) :- N >= Low, N =< High.

line([0-0, 1-0, 2-0]).
line([0-1, 1-1, 2-1]).
line([0-2, 1-2, 2-2]).
line([0-0, 0-1, 0-2]).
line([1-0, 1-1, 1-2]).
line([2-0, 2-1, 2-2]).
line([0-0, 1-1, 2-2]).
line([0-2, 1-1, 2-0]).

% through(Board, Move, Side, N): a line through the move without the other side's stones, with N of the side's
through(B, M, S, N) :-
    move(B, M, X, Y), line(L), memberchk(X-Y, L),
    \+ ( member(U-V, L), stone(B, U, V, T), T \== S ),
    findall(U-V, ( member(U-V, L), stone(B, U, V, S) ), Own), length(Own, N).

place(B, M, corner) :- move(B, M, X, Y), X =\= 1, Y =\= 1.
place(B, M, centre) :- move(B, M, 1, 1).
place(B, M, edge) :- move(B, M, X, Y), \+ place(B, M, corner), ( X =\= 1 ; Y =\= 1 ), !.

wins(B, M, S) :- through(B, M, S, 2), !.

threats(B, M, S, N) :- findall(x, through(B, M, S, 1), Found), length(Found, N).

open_lines(B, M, S, N) :- findall(x, through(B, M, S, _), Found), length(Found, N).

opposite_corner(B, M) :-
    place(B, M, corner), move(B, M, X, Y), U is 2 - X, V is 2 - Y,
    to_play(B, S), stone(B, U, V, T), T \== S.

stage(B, Stage) :-
    findall(x, stone(B, _, _, _), Stones), length(Stones, N),
    K is min(2, N // 3), nth0(K, [opening, middle, end], Stage).

turned(p1, X, Y, X, Y).
turned(p2, X, Y, A, X) :- A is -Y.
turned(p3, X, Y, A, B) :- A is -X, B is -Y.
turned(p4, X, Y, Y, B) :- B is -X.
turned(p5, X, Y, A, Y) :- A is -X.
turned(p6, X, Y, A, B) :- A is -Y, B is -X.
turned(p7, X, Y, X, B) :- B is -Y.
turned(p8, X, Y, Y, X).

cell(B, M, DX, DY, Class, Frame) :-
    turned(Frame, DX, DY, BX, BY), move(B, M, X, Y), U is X + BX, V is Y + BY,
    held(B, U, V, Class).

held(_, X, Y, outside) :- \+ ( between(0, 2, X), between(0, 2, Y) ), !.
held(B, X, Y, own) :- to_play(B, S), stone(B, X, Y, S), !.
held(B, X, Y, other) :- stone(B, X, Y, _), !.
held(_, _, _, empty).
