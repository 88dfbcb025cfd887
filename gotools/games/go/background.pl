% The vocabulary of gotools' rules, in Prolog: the meaning that the kernels must match (tests hold them together).
%
% A board is an atom that names a position. Positions are facts supplied by the program that loads this file:
%     position(Board, Size, Cells)     Cells = cells(C1, C2, ...), one of e, b, w a point, row by row from A1
%     last_move(Board, X, Y)           the opponent's last move; no fact without one or after a pass
%     last_but_one(Board, X, Y)        the own move before it, likewise
% Coordinates X, Y run from 1 (column from the left, row from the bottom). A chain ("block" in the thesis) is named by its
% smallest point number, an empty point is a block of its own, named by its point number. Everything is pure; what is
% costly is tabled once a position.

:- dynamic position/3, to_play/2, ko/3, last_move/3, last_but_one/3.
:- multifile position/3, to_play/2, ko/3, last_move/3, last_but_one/3.

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

% ---- the full vocabulary: what lies around ----
% at_offset(X, Y, DX, DY, Frame, X2, Y2): the point at an offset of the frame, on the board or off it
at_offset(X, Y, DX, DY, Frame, X2, Y2) :-
    ( var(DX) -> displacement(DX) ; true ),
    ( var(DY) -> displacement(DY) ; true ),
    \+ ( DX =:= 0, DY =:= 0 ),
    turned(Frame, DX, DY, BX, BY),
    X2 is X + BX, Y2 is Y + BY.

empty_on_pos(Board, X, Y, DX, DY, Frame) :-
    at_offset(X, Y, DX, DY, Frame, X2, Y2),
    point_at(Board, X2, Y2, Point),
    colour_at(Board, Point, e).

outside_on_pos(Board, X, Y, DX, DY, Frame) :-
    at_offset(X, Y, DX, DY, Frame, X2, Y2),
    \+ point_at(Board, X2, Y2, _).

last_on_pos(Board, X, Y, DX, DY, Frame) :- at_offset(X, Y, DX, DY, Frame, X2, Y2), last_move(Board, X2, Y2).

last2_on_pos(Board, X, Y, DX, DY, Frame) :- at_offset(X, Y, DX, DY, Frame, X2, Y2), last_but_one(Board, X2, Y2).

last_distance(Board, X, Y, N) :- last_move(Board, X2, Y2), distance(X, Y, X2, Y2, N).

last2_distance(Board, X, Y, N) :- last_but_one(Board, X2, Y2), distance(X, Y, X2, Y2, N).

distance(X, Y, X2, Y2, N) :-
    DX is abs(X - X2), DY is abs(Y - Y2),
    N is DX + DY + max(DX, DY).

line(Board, X, Y, N) :-
    position(Board, Size, _),
    N is min(min(X, Size + 1 - X), min(Y, Size + 1 - Y)).

% ---- the full vocabulary: what a stone of Colour on X, Y would be ----
adjacent_chains(Board, X, Y, Colour, N) :- beside(Board, X, Y, Colour, Blocks), length(Blocks, N).

joins(Board, X, Y, Colour) :-
    beside(Board, X, Y, Colour, [First, Second|More]),
    member(Block, [First, Second|More]),
    liberty_cnt(Board, Block, Liberties),
    Liberties =< 2, !.

rescues(Board, X, Y, Colour) :-
    captures(Board, Block, X, Y, Colour),
    chain(Board, Block, _, Stones, _),
    member(Stone, Stones),
    neighbour(Board, Stone, Next),
    colour_at(Board, Next, Colour),
    chain_at(Board, Next, Own),
    liberty_cnt(Board, Own, 1), !.

fills_eye(Board, X, Y, Colour, Eye) :-
    point_at(Board, X, Y, Point),
    forall(neighbour(Board, Point, Next), colour_at(Board, Next, Colour)),
    opposite(Colour, Other),
    findall(D, ( diagonal(X, Y, X2, Y2), point_at(Board, X2, Y2, D) ), Diagonals),
    aggregate_all(count, ( member(D, Diagonals), colour_at(Board, D, Other) ), Bad),
    length(Diagonals, Corners),
    ( Bad >= 2 -> Eye0 = false ; Bad >= 1, Corners < 4 -> Eye0 = false ; Eye0 = real ),
    Eye = Eye0.

diagonal(X, Y, X2, Y2) :- member(DX, [-1, 1]), member(DY, [-1, 1]), X2 is X + DX, Y2 is Y + DY.

liberties_after(Board, X, Y, Colour, N) :-
    point_at(Board, X, Y, Point),
    stones_of(Board, Before),
    put(Board, Point, Colour, Before, After),
    ( get_assoc(Point, After, Colour) -> liberties_in(Board, Point, After, Liberties), length(Liberties, N0) ; N0 = 0 ),
    N = N0.

self_atari(Board, X, Y, Colour) :- liberties_after(Board, X, Y, Colour, 1).

escapes(Board, X, Y, Colour, Outcome) :-
    beside(Board, X, Y, Colour, Blocks),
    member(Block, Blocks),
    liberty_cnt(Board, Block, 1), !,
    point_at(Board, X, Y, Point),
    stones_of(Board, Before),
    put(Board, Point, Colour, Before, After),
    (   get_assoc(Point, After, Colour),
        \+ caught(Board, Point, After, 0, _, true)
    ->  Outcome0 = works
    ;   Outcome0 = fails
    ),
    Outcome = Outcome0.

ladder(Board, X, Y, Colour, Outcome) :-
    opposite(Colour, Other),
    beside(Board, X, Y, Other, Blocks),
    findall(Block, ( member(Block, Blocks), liberty_cnt(Board, Block, 2) ), Hunted),
    Hunted = [_|_],
    point_at(Board, X, Y, Point),
    stones_of(Board, Before),
    put(Board, Point, Colour, Before, After),
    (   get_assoc(Point, After, Colour),
        any_trapped(Hunted, Board, After, 0)
    ->  Outcome0 = works
    ;   Outcome0 = fails
    ),
    Outcome = Outcome0.

any_trapped([Block|Blocks], Board, Stones, Nodes) :-
    trapped(Board, Block, Stones, Nodes, Nodes2, Lost),
    ( Lost == true -> true ; any_trapped(Blocks, Board, Stones, Nodes2) ).

% ---- the vocabulary of groups: what chains are together ----
% Linked chains share two liberties. One chain of a group reaches the next over one or two empty points: they share a
% liberty, or have two next to each other. united(Board, Kind, Sets): every set as set(Colour, Liberties).
:- table united/3.
united(Board, Kind, Sets) :- chains(Board, Chains), sets_of(Chains, Board, Kind, Sets).

sets_of([], _, _, []).
sets_of([Chain|Chains], Board, Kind, [set(Colour, Liberties)|Sets]) :-
    Chain = chain(_, Colour, _, _),
    unite([Chain], Chains, Board, Kind, Points, Rest),
    sort(Points, Liberties),
    sets_of(Rest, Board, Kind, Sets).

unite([], Rest, _, _, [], Rest).
unite([Chain|Queue], Chains, Board, Kind, Points, Rest) :-
    partition(meets(Kind, Board, Chain), Chains, New, Left),
    append(New, Queue, Queue2),
    unite(Queue2, Left, Board, Kind, More, Rest),
    Chain = chain(_, _, _, Liberties),
    append(Liberties, More, Points).

meets(linked, _, chain(_, Colour, _, Liberties), chain(_, Colour, _, Others)) :-
    aggregate_all(count, ( member(Free, Liberties), memberchk(Free, Others) ), Shared),
    Shared >= 2.
meets(group, Board, chain(_, Colour, _, Liberties), chain(_, Colour, _, Others)) :-
    member(Free, Liberties),
    ( Next = Free ; neighbour(Board, Free, Next) ),
    memberchk(Next, Others), !.

% counts(Board, Kind, X, Y, Colour, Counts): the liberties of each set that touches the point or that it would reach
counts(Board, Kind, X, Y, Colour, Counts) :-
    point_at(Board, X, Y, Point),
    findall(Free, over(Kind, Board, Point, Free), Frees),
    united(Board, Kind, Sets),
    findall(N,
        ( member(set(Colour, Liberties), Sets), once(( member(Free, Frees), memberchk(Free, Liberties) )),
          length(Liberties, N) ),
        Counts).

over(_, _, Point, Point).
over(group, Board, Point, Free) :- empty_beside(Board, Point, Free).
over(group, Board, Point, Free) :- empty_beside(Board, Point, Next), empty_beside(Board, Next, Free).

empty_beside(Board, Point, Free) :- neighbour(Board, Point, Free), colour_at(Board, Free, e).

linked_sets(Board, X, Y, Colour, N) :- counts(Board, linked, X, Y, Colour, Counts), length(Counts, N).

linked_liberties(Board, X, Y, Colour, N) :- counts(Board, linked, X, Y, Colour, Counts), min_list(Counts, Least), N = Least.

near_groups(Board, X, Y, Colour, N) :- counts(Board, group, X, Y, Colour, Counts), length(Counts, N).

group_liberties(Board, X, Y, Colour, N) :- counts(Board, group, X, Y, Colour, Counts), min_list(Counts, Least), N = Least.

% ---- the full vocabulary: what stands on all points within a distance ----
% A shape is an atom of rows from the top, centred on the point: * the point, . empty, # off the board, x Colour, o the
% other colour, such as '.../.*x/o..'. It may be turned and mirrored.
shape(Board, X, Y, Colour, Shape) :-
    signs(Shape, Signs),
    pos_gen(Frame),
    forall(member(sign(Sign, DX, DY), Signs), ( turned(Frame, DX, DY, BX, BY), stands(Sign, Board, X, Y, Colour, BX, BY) )), !.

% signs(Shape, Signs): sign(Sign, DX, DY) for each point but the one in the middle
:- table signs/2.
signs(Shape, Signs) :-
    atomic_list_concat(Rows, '/', Shape),
    length(Rows, Height),
    findall(sign(Sign, DX, DY),
        ( nth1(R, Rows, Row), atom_length(Row, Width), sub_atom(Row, Before, 1, _, Sign), Sign \== '*',
          DY is (Height + 1) // 2 - R, DX is Before - Width // 2 ),
        Signs).

stands('.', Board, X, Y, _, DX, DY) :- at(Board, X, Y, DX, DY, e).
stands('x', Board, X, Y, Colour, DX, DY) :- at(Board, X, Y, DX, DY, Colour).
stands('o', Board, X, Y, Colour, DX, DY) :- opposite(Colour, Other), at(Board, X, Y, DX, DY, Other).
stands('#', Board, X, Y, _, DX, DY) :- X2 is X + DX, Y2 is Y + DY, \+ point_at(Board, X2, Y2, _).

at(Board, X, Y, DX, DY, Content) :-
    X2 is X + DX, Y2 is Y + DY,
    point_at(Board, X2, Y2, Point),
    colour_at(Board, Point, Content).

% ---- the reader of ladders ----
% It looks at no ko. A chain is caught if its opponent can keep it in atari until it is lost; one that can take a chain
% around it counts as safe, and so does one whose fate is open after 200 defences. Stones: an assoc of point to colour.
stones_of(Board, Stones) :-
    findall(Point-Colour, ( colour_at(Board, Point, Colour), Colour \== e ), Pairs),
    list_to_assoc(Pairs, Stones).

% put(Board, Point, Colour, Before, After): captures are taken off; a suicide leaves Before, without the stone
put(Board, Point, Colour, Before, After) :-
    put_assoc(Point, Before, Colour, With),
    opposite(Colour, Other),
    findall(Next, ( neighbour(Board, Point, Next), get_assoc(Next, With, Other) ), Beside),
    foldl(take_if_dead(Board), Beside, With, Taken),
    ( liberties_in(Board, Point, Taken, []) -> After = Before ; After = Taken ).

take_if_dead(Board, Stone, Before, After) :-
    (   get_assoc(Stone, Before, _),
        liberties_in(Board, Stone, Before, [])
    ->  chain_in(Board, Stone, Before, Chain),
        foldl(take_off, Chain, Before, After)
    ;   After = Before
    ).

take_off(Point, Before, After) :- del_assoc(Point, Before, _, After).

chain_in(Board, Stone, Stones, Chain) :-
    get_assoc(Stone, Stones, Colour),
    spread([Stone], Board, Colour, Stones, [Stone], Chain).

spread([], _, _, _, Chain, Chain).
spread([Point|Queue], Board, Colour, Stones, Chain0, Chain) :-
    findall(Next, ( neighbour(Board, Point, Next), get_assoc(Next, Stones, Colour), \+ memberchk(Next, Chain0) ), New),
    append(New, Queue, Queue2),
    append(New, Chain0, Chain1),
    spread(Queue2, Board, Colour, Stones, Chain1, Chain).

% the liberties in the order of the points
liberties_in(Board, Stone, Stones, Liberties) :-
    chain_in(Board, Stone, Stones, Chain),
    findall(Free, ( member(Point, Chain), neighbour(Board, Point, Free), \+ get_assoc(Free, Stones, _) ), Found),
    sort(Found, Liberties).

% caught(Board, Stone, Stones, Nodes, Nodes2, Lost): the opponent of the chain at Stone moves
caught(Board, Stone, Stones, Nodes, Nodes2, Lost) :-
    liberties_in(Board, Stone, Stones, Liberties),
    length(Liberties, N),
    (   N >= 3 -> Lost = false, Nodes2 = Nodes
    ;   N =< 1 -> Lost = true, Nodes2 = Nodes
    ;   get_assoc(Stone, Stones, Owner),
        opposite(Owner, Hunter),
        hunt(Liberties, Board, Stone, Hunter, Stones, Nodes, Nodes2, Lost)
    ).

hunt([], _, _, _, _, Nodes, Nodes, false).
hunt([Point|Points], Board, Stone, Hunter, Stones, Nodes, Nodes2, Lost) :-
    put(Board, Point, Hunter, Stones, After),
    (   get_assoc(Point, After, Hunter)
    ->  trapped(Board, Stone, After, Nodes, Nodes1, Lost1)
    ;   Lost1 = false, Nodes1 = Nodes
    ),
    (   Lost1 == true -> Lost = true, Nodes2 = Nodes1
    ;   hunt(Points, Board, Stone, Hunter, Stones, Nodes1, Nodes2, Lost)
    ).

% trapped(Board, Stone, Stones, Nodes, Nodes2, Lost): the owner of the chain at Stone moves, which is in atari
trapped(Board, Stone, Stones, Nodes, Nodes2, Lost) :-
    Nodes1 is Nodes + 1,
    get_assoc(Stone, Stones, Owner),
    (   ( Nodes1 > 200 ; can_take(Board, Stone, Owner, Stones) )
    ->  Lost = false, Nodes2 = Nodes1
    ;   liberties_in(Board, Stone, Stones, [Out|_]),
        put(Board, Out, Owner, Stones, After),
        (   get_assoc(Out, After, Owner)
        ->  caught(Board, Stone, After, Nodes1, Nodes2, Lost)
        ;   Lost = true, Nodes2 = Nodes1
        )
    ).

can_take(Board, Stone, Owner, Stones) :-
    opposite(Owner, Hunter),
    chain_in(Board, Stone, Stones, Chain),
    member(Point, Chain),
    neighbour(Board, Point, Next),
    get_assoc(Next, Stones, Hunter),
    liberties_in(Board, Next, Stones, [_]), !.
