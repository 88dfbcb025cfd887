% The vocabulary of gotools' rules, in Prolog: the meaning that the kernels must match (tests hold them together).
%
% A board is an atom that names a position. Positions are facts that whoever loads this file supplies:
%     position(Board, Size, Cells)     Cells = cells(C1, C2, ...), one of e, b, w a point, row by row from A1
% Coordinates X, Y run from 1 (column from the left, row from the bottom). A chain ("block" in the thesis) is named by its
% smallest point number, an empty point is a block of its own, named by its point number. Everything is pure; what is
% costly is tabled once a position.

:- dynamic position/3.
:- multifile position/3.

% ---- colours, symmetries, numbers ----
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

% turned(Frame, DX, DY, BX, BY): the offset DX, DY of the frame is BX, BY on the board
turned(p1, X, Y, X, Y).
turned(p2, X, Y, A, X) :- A is -Y.
turned(p3, X, Y, A, B) :- A is -X, B is -Y.
turned(p4, X, Y, Y, B) :- B is -X.
turned(p5, X, Y, A, Y) :- A is -X.
turned(p6, X, Y, A, B) :- A is -Y, B is -X.
turned(p7, X, Y, X, B) :- B is -Y.
turned(p8, X, Y, Y, X).

interval(1, 2).
interval(1, 3).
interval(2, 3).
interval(2, 4).
interval(3, 5).
interval(4, 8).
interval(5, 99).
range(N, Low, High) :- interval(Low, High), N >= Low, N =< High.

displacement(D) :- between(-3, 3, D).

% ---- the board ----
colour_at(Board, Point, Colour) :- position(Board, _, Cells), arg(Point, Cells, Colour).

point_at(Board, X, Y, Point) :-
    position(Board, Size, _),
    X >= 1, X =< Size, Y >= 1, Y =< Size,
    Point is (Y - 1) * Size + X.

neighbour(Board, Point, Next) :-
    position(Board, Size, _),
    X is (Point - 1) mod Size + 1,
    Y is (Point - 1) // Size + 1,
    ( X2 = X, Y2 is Y - 1 ; X2 is X - 1, Y2 = Y ; X2 is X + 1, Y2 = Y ; X2 = X, Y2 is Y + 1 ),
    point_at(Board, X2, Y2, Next).

% chains(Board, List): every chain as chain(Id, Colour, Stones, Liberties), both sorted lists of points
:- table chains/2.
chains(Board, Chains) :-
    findall(Point, ( colour_at(Board, Point, Colour), Colour \== e ), Points),
    chains_from(Points, Board, [], Chains).

chains_from([], _, _, []).
chains_from([Point|Points], Board, Seen, Chains) :-
    memberchk(Point, Seen), !,
    chains_from(Points, Board, Seen, Chains).
chains_from([Point|Points], Board, Seen, [chain(Point, Colour, Stones, Liberties)|Chains]) :-
    colour_at(Board, Point, Colour),
    flood([Point], Board, Colour, [Point], Unsorted, [], Empty),
    sort(Unsorted, Stones),
    sort(Empty, Liberties),
    append(Stones, Seen, Seen2),
    chains_from(Points, Board, Seen2, Chains).

flood([], _, _, Stones, Stones, Empty, Empty).
flood([Point|Queue], Board, Colour, Stones0, Stones, Empty0, Empty) :-
    findall(Next, ( neighbour(Board, Point, Next), colour_at(Board, Next, Colour), \+ memberchk(Next, Stones0) ), New),
    findall(Next, ( neighbour(Board, Point, Next), colour_at(Board, Next, e) ), Free),
    append(New, Queue, Queue2),
    append(New, Stones0, Stones2),
    append(Free, Empty0, Empty2),
    flood(Queue2, Board, Colour, Stones2, Stones, Empty2, Empty).

chain(Board, Id, Colour, Stones, Liberties) :-
    chains(Board, Chains),
    ( var(Id) -> member(chain(Id, Colour, Stones, Liberties), Chains)
    ; memberchk(chain(Id, Colour0, Stones0, Liberties0), Chains),
      Colour = Colour0, Stones = Stones0, Liberties = Liberties0 ).

:- table chain_at/3.
chain_at(Board, Point, Id) :-
    chains(Board, Chains),
    member(chain(Id, _, Stones, _), Chains),
    memberchk(Point, Stones), !.

% ---- basic predicates ----
block_color(Board, Block, Colour) :- chain(Board, Block, Colour, _, _).

liberty(Board, Block, Liberty) :- chain(Board, Block, _, _, Liberties), member(Liberty, Liberties).

liberty_cnt(Board, Block, N) :- chain(Board, Block, _, _, Liberties), length(Liberties, N).

stone_cnt(Board, Block, N) :- chain(Board, Block, _, Stones, _), length(Stones, N).

block_on_pos(Board, X, Y, Block, DX, DY, Frame) :-
    ( var(DX) -> displacement(DX) ; true ),
    ( var(DY) -> displacement(DY) ; true ),
    \+ ( DX =:= 0, DY =:= 0 ),
    turned(Frame, DX, DY, BX, BY),
    X2 is X + BX, Y2 is Y + BY,
    point_at(Board, X2, Y2, Point),
    chain_at(Board, Point, Block0),
    Block = Block0.

% The distance is negative, counted from 1: -1 on the edge that the frame shows at its left (ver) or its bottom (hor).
% The thesis gives these two no board, so all positions that are loaded together must be of one size.
edge_ver(X, Y, D, Frame) :- turned(Frame, -1, 0, BX, BY), edge_distance(BX, BY, X, Y, D).
edge_hor(X, Y, D, Frame) :- turned(Frame, 0, -1, BX, BY), edge_distance(BX, BY, X, Y, D).

edge_distance(-1, 0, X, _, D) :- D is -X.
edge_distance(1, 0, X, _, D) :- board_size(Size), D is X - Size - 1.
edge_distance(0, -1, _, Y, D) :- D is -Y.
edge_distance(0, 1, _, Y, D) :- board_size(Size), D is Y - Size - 1.

board_size(Size) :- position(_, Size, _), !.

% By the share of the board that is covered: 9x9 opens with up to 10 stones and ends above 30.
:- table stage/2.
stage(Board, Stage) :-
    position(Board, Size, _),
    aggregate_all(count, ( colour_at(Board, _, Colour), Colour \== e ), Stones),
    Share is Stones * 81, Area is Size * Size,
    ( Share =< 10 * Area -> Stage = open ; Share =< 30 * Area -> Stage = middle ; Stage = end ).

% ---- what a stone of Colour on X, Y would do ----
% beside(Board, X, Y, Colour, Blocks): the chains of Colour that touch the point
beside(Board, X, Y, Colour, Blocks) :-
    point_at(Board, X, Y, Point),
    findall(Block, ( neighbour(Board, Point, Next), colour_at(Board, Next, Colour), chain_at(Board, Next, Block) ), All),
    sort(All, Blocks).

beside_opponent(Board, X, Y, Colour, Liberties, Block) :-
    opposite(Colour, Other),
    beside(Board, X, Y, Other, Blocks),
    member(Block, Blocks),
    liberty_cnt(Board, Block, Liberties).

atari(Board, Block, X, Y, Colour) :- beside_opponent(Board, X, Y, Colour, 2, Block).

captures(Board, Block, X, Y, Colour) :- beside_opponent(Board, X, Y, Colour, 1, Block).

connects_direct(Board, Block, X, Y, Colour) :- beside(Board, X, Y, Colour, Blocks), member(Block, Blocks).

% A chain that does not touch the point but shares at least two of its liberties with the point's empty neighbours.
connects_indirect(Board, Block, X, Y, Colour) :-
    point_at(Board, X, Y, Point),
    beside(Board, X, Y, Colour, Direct),
    setof(Free, ( neighbour(Board, Point, Free), colour_at(Board, Free, e) ), Frees),
    chain(Board, Block, Colour, _, Liberties),
    \+ memberchk(Block, Direct),
    aggregate_all(count, ( member(Free, Frees), memberchk(Free, Liberties) ), Shared),
    Shared >= 2.
