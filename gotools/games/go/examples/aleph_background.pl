% ---- the vocabulary of gotools over tables, for Aleph ----
% The same meaning as go/background.pl of gotools; here every answer about a position is a fact that was worked out
% before, since Aleph spends nearly all its time in these predicates.
%     go_size(Size)                          of all boards in this folder
%     go_heads(Board, heads(...))            a place a point, row by row from A1: the block that has a stone there, or 0
%     go_chain(Board, Block, Color, Stones, Liberties)
%     go_liberty(Board, Block, Point)
%     go_stage(Board, Stage)
%     go_atari(Board, Block, X, Y, Color) and go_captures, go_connects_direct, go_connects_indirect, for the points of examples
% A block is named by its smallest point number (from 1), an empty point by its own.

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

% go_turned(Frame, DX, DY, BX, BY): the offset DX, DY of the frame is BX, BY on the board
go_turned(p1, X, Y, X, Y).
go_turned(p2, X, Y, A, X) :- A is -Y.
go_turned(p3, X, Y, A, B) :- A is -X, B is -Y.
go_turned(p4, X, Y, Y, B) :- B is -X.
go_turned(p5, X, Y, A, Y) :- A is -X.
go_turned(p6, X, Y, A, B) :- A is -Y, B is -X.
go_turned(p7, X, Y, X, B) :- B is -Y.
go_turned(p8, X, Y, Y, X).

block_on_pos(Board, X, Y, Block, DX, DY, Frame) :-
    go_offset(DX, DY),
    go_turned(Frame, DX, DY, BX, BY),
    go_size(Size),
    X2 is X + BX, X2 >= 1, X2 =< Size,
    Y2 is Y + BY, Y2 >= 1, Y2 =< Size,
    Point is (Y2 - 1) * Size + X2,
    go_heads(Board, Heads),
    arg(Point, Heads, Head),
    Head > 0,
    Block = Head.

go_offset(DX, DY) :- nonvar(DX), nonvar(DY), !.
go_offset(DX, DY) :- between(-3, 3, DX), between(-3, 3, DY), \+ ( DX =:= 0, DY =:= 0 ).

block_color(Board, Block, Color) :- go_chain(Board, Block, Color, _, _).

stone_cnt(Board, Block, N) :- go_chain(Board, Block, _, N, _).

liberty_cnt(Board, Block, N) :- go_chain(Board, Block, _, _, N).

liberty(Board, Block, Point) :- go_liberty(Board, Block, Point).

stage(Board, Stage) :- go_stage(Board, Stage).

go_interval(1, 2).
go_interval(1, 3).
go_interval(2, 3).
go_interval(2, 4).
go_interval(3, 5).
go_interval(4, 8).
go_interval(5, 99).
range(N, Low, High) :- go_interval(Low, High), N >= Low, N =< High.

% Minus the number of the line, counted from the edge that the frame shows at its left (ver) or bottom (hor).
edge_ver(X, Y, D, Frame) :- go_turned(Frame, -1, 0, BX, BY), go_line(BX, BY, X, Y, D).
edge_hor(X, Y, D, Frame) :- go_turned(Frame, 0, -1, BX, BY), go_line(BX, BY, X, Y, D).

go_line(-1, 0, X, _, D) :- D is -X.
go_line(1, 0, X, _, D) :- go_size(Size), D is X - Size - 1.
go_line(0, -1, _, Y, D) :- D is -Y.
go_line(0, 1, _, Y, D) :- go_size(Size), D is Y - Size - 1.

atari(Board, Block, X, Y, Color) :- go_atari(Board, Block, X, Y, Color).
captures(Board, Block, X, Y, Color) :- go_captures(Board, Block, X, Y, Color).
connects_direct(Board, Block, X, Y, Color) :- go_connects_direct(Board, Block, X, Y, Color).
connects_indirect(Board, Block, X, Y, Color) :- go_connects_indirect(Board, Block, X, Y, Color).

% ---- integrity: a clause of which one of these holds may be refined, but is no answer ----
aleph_false :-
    hypothesis(Head, Body, _),
    go_literals(Body, Literals),
    go_unacceptable(Head, Literals), !.

go_literals((Literal, Rest), [Literal|Literals]) :- !, go_literals(Rest, Literals).
go_literals(Literal, [Literal]).

% two literals or fewer
go_unacceptable(_, Literals) :-
    length(Literals, N), N < 3.
% a variable, not of the head, that stands in one literal only
go_unacceptable(Head, Literals) :-
    term_variables(Literals, Variables),
    term_variables(Head, Given),
    member(Variable, Variables),
    \+ go_same_member(Variable, Given),
    \+ ( append(_, [One|Rest], Literals), go_has(One, Variable), member(Other, Rest), go_has(Other, Variable) ).
% a block at an offset whose colour is not told
go_unacceptable(_, Literals) :-
    member(block_on_pos(_, _, _, Block, _, _, _), Literals),
    \+ ( member(block_color(_, Told, _), Literals), Told == Block ).
% outside the opening, no block at all
go_unacceptable(_, Literals) :-
    \+ ( member(Literal, Literals), go_brings_block(Literal) ),
    \+ ( member(stage(_, Stage), Literals), Stage == open ).

go_brings_block(block_on_pos(_, _, _, _, _, _, _)).
go_brings_block(atari(_, _, _, _, _)).
go_brings_block(captures(_, _, _, _, _)).
go_brings_block(connects_direct(_, _, _, _, _)).
go_brings_block(connects_indirect(_, _, _, _, _)).

go_has(Literal, Variable) :- term_variables(Literal, Variables), go_same_member(Variable, Variables).

go_same_member(Variable, Variables) :- member(Other, Variables), Other == Variable, !.

% ---- pruning: clauses that are not even refined ----
prune((_ :- Body)) :-
    go_literals(Body, Literals),
    append(_, [One|Rest], Literals),
    member(Other, Rest),
    go_repeats(One, Other), !.

go_repeats(opposite(_, _), opposite(_, _)).
go_repeats(liberty_cnt(_, Block, _), liberty_cnt(_, Same, _)) :- Block == Same.
go_repeats(stone_cnt(_, Block, _), stone_cnt(_, Same, _)) :- Block == Same.
