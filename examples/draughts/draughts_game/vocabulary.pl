% The meaning of the vocabulary of draughts. Facts of a board, by the program that loads this file:
%     piece(Board, Square, Side, Kind)    move(Board, Move, Squares)    to_play(Board, Side)
% A square is X-Y, column and row from 0, Black's men begin in row 0; sides are b and w, kinds man and king. Squares are
% those that the piece of a legal move visits. Pieces are a list of Side/Kind/Square.

:- dynamic piece/4, move/3, to_play/2.
:- table now/2, then/3.

opposite(b, w).
opposite(w, b).
pos_gen(p1).
pos_gen(p2).
range(N, Low, High) :- N >= Low, N =< High.

on_board(X-Y) :- between(0, 7, X), between(0, 7, Y), 1 is (X + Y) mod 2.

ahead(b, 1).
ahead(w, -1).

% way(Side, Kind, U, V): columns and rows of a step
way(Side, man, U, V) :- member(U, [1, -1]), ahead(Side, V).
way(_, king, U, V) :- member(U, [1, -1]), member(V, [1, -1]).

% row(Side, Square, N): the row as a side counts, 0 its back row
row(b, _-Y, Y).
row(w, _-Y, N) :- N is 7 - Y.

% ---- moves ----

% jump(Side, Kind, From, Pieces, Over, To): a piece that stands at From captures another
jump(Side, Kind, X-Y, Pieces, A-B, C-D) :-
    way(Side, Kind, U, V), A is X + U, B is Y + V, C is A + U, D is B + V, on_board(C-D),
    memberchk(Other/_/(A-B), Pieces), Other \== Side, \+ memberchk(_/_/(C-D), Pieces).

% jumps(Side, Kind, From, Pieces, Squares): jumps as long as it can; the piece is not among the pieces
jumps(Side, Kind, From, Pieces, [To|More]) :-
    jump(Side, Kind, From, Pieces, Over, To), exclude([_/_/At]>>(At == Over), Pieces, Left),
    ( jump(Side, Kind, To, Left, _, _) -> jumps(Side, Kind, To, Left, More) ; More = [] ).

capture(Side, Pieces, [From|Squares]) :-
    select(Side/Kind/From, Pieces, Others), jumps(Side, Kind, From, Others, Squares).

% jumped(Squares, Over): what a move goes over; nothing, if it is a step
jumped([X-Y, U-V|Rest], [A-B|Over]) :-
    2 is abs(U - X), !, A is (X + U) // 2, B is (Y + V) // 2, jumped([U-V|Rest], Over).
jumped(_, []).

% made(Squares, Pieces, After): a man that comes to the last row becomes a king
made(Squares, Pieces, [Side/New/To|Rest]) :-
    Squares = [From|_], last(Squares, To), jumped(Squares, Over), select(Side/Kind/From, Pieces, Others),
    exclude([_/_/At]>>memberchk(At, Over), Others, Rest), ( row(Side, To, 7) -> New = king ; New = Kind ).

now(B, Pieces) :- findall(S/K/At, piece(B, At, S, K), Pieces).
then(B, M, Pieces) :- now(B, Before), move(B, M, Squares), made(Squares, Before, Pieces).

from(B, M, Side, Kind, From) :- move(B, M, [From|_]), piece(B, From, Side, Kind).
to(B, M, To) :- move(B, M, Squares), last(Squares, To).

count(Goal, N) :- findall(x, Goal, Found), length(Found, N).

% ---- measures ----

piece(B, M, Kind) :- from(B, M, _, Kind, _).

captures(B, M, N) :- move(B, M, Squares), jumped(Squares, Over), length(Over, N).
captured_kings(B, M, N) :-
    move(B, M, Squares), jumped(Squares, Over), count(( member(At, Over), piece(B, At, _, king) ), N).

crowned(B, M) :- from(B, M, Side, man, _), to(B, M, To), row(Side, To, 7).
to_go(B, M, N) :- from(B, M, Side, man, _), to(B, M, To), row(Side, To, Row), Row < 7, N is 7 - Row.

place(B, M, Where) :- to(B, M, X-Y), where(X, Y, Where).
where(X, Y, centre) :- between(2, 5, X), between(2, 5, Y), !.
where(X, Y, edge) :- ( memberchk(X, [0, 7]) ; memberchk(Y, [0, 7]) ), !.
where(_, _, between).

leaves_back(B, M) :- from(B, M, Side, _, From), row(Side, From, 0), to(B, M, To), \+ row(Side, To, 0).

bridge(b, 1-0).
bridge(b, 5-0).
bridge(w, 6-7).
bridge(w, 2-7).
breaks_bridge(B, M) :-
    to_play(B, S), now(B, Now), then(B, M, Then),
    \+ ( bridge(S, At), \+ memberchk(S/_/At, Now) ), bridge(S, Gone), \+ memberchk(S/_/Gone, Then), !.

% most(Side, Pieces, N): the most pieces that a side can capture with a move
most(Side, Pieces, N) :- findall(K, ( capture(Side, Pieces, [_|To]), length(To, K) ), Found), max_list([0|Found], N).

loses(B, M, N) :- to_play(B, S), opposite(S, Other), then(B, M, Pieces), most(Other, Pieces, N).
regains(B, M, N) :-
    to_play(B, S), opposite(S, Other), then(B, M, Pieces),
    findall(K, ( capture(Other, Pieces, Squares), made(Squares, Pieces, After), most(S, After, K) ), Found),
    min_list(Found, N).

lead(B, _, Word) :-
    to_play(B, S), count(piece(B, _, S, _), Own), count(( piece(B, _, T, _), T \== S ), Others),
    compare(Order, Own, Others), memberchk(Order-Word, [(>)-ahead, (=)-even, (<)-behind]).

back_row(B, M, S, N) :- then(B, M, Pieces), count(( member(S/_/At, Pieces), row(S, At, 0) ), N).

exposed(B, M, S, N) :-
    then(B, M, Pieces), opposite(S, Other),
    findall(At, ( member(Other/Kind/From, Pieces), jump(Other, Kind, From, Pieces, At, _) ), Found),
    sort(Found, Once), length(Once, N).

steps(B, M, S, N) :- then(B, M, Pieces), count(( member(S/Kind/At, Pieces), step(S, Kind, At, Pieces) ), N).
step(S, Kind, X-Y, Pieces) :-
    way(S, Kind, U, V), A is X + U, B is Y + V, on_board(A-B), \+ memberchk(_/_/(A-B), Pieces).

touches(B, M, S, N) :-
    to(B, M, X-Y), then(B, M, Pieces), count(( member(S/_/(U-V), Pieces), 1 is abs(U - X), 1 is abs(V - Y) ), N).

stage(B, Stage) :- count(piece(B, _, _, _), N), K is min(2, (24 - N) // 8), nth0(K, [opening, middle, end], Stage).

% ---- what stands around the square that a move comes to, in the frame of who moves, and mirrored ----

cell(B, M, DX, DY, Class, Frame) :-
    to_play(B, S), ahead(S, V), nth0(F, [p1, p2], Frame), to(B, M, X-Y),
    A is X + DX * V * (2 * F - 1), C is Y + DY * V, held(B, S, A-C, Class).

held(_, _, At, outside) :- \+ on_board(At), !.
held(B, _, At, empty) :- \+ piece(B, At, _, _), !.
held(B, S, At, own) :- piece(B, At, S, _).
held(B, S, At, other) :- piece(B, At, T, _), T \== S.
held(B, S, At, own_king) :- piece(B, At, S, king).
held(B, S, At, other_king) :- piece(B, At, T, king), T \== S.
