% The vocabulary of Abalone in Prolog: the meaning that the kernels must match (tests hold them together).
%
% A board is an atom that names a position. Positions are facts supplied by the program that loads this file:
%     marble(Board, X, Y, Side)         a marble of b or w in column X of row Y, both 1 to 9
%     to_play(Board, Side)
%     move(Board, Move, Marbles, U, V)  a legal move by U columns and V rows, of the last marble of a line with all that
%                                       are ahead of it, or of two or three marbles broadside; Marbles = [X-Y, ...]
% A cell is X-Y. Side is b or w; what is said of a side that is not to play is what the move does to it. Everything is
% pure; what is costly is tabled.

:- dynamic marble/4, to_play/2, move/5.
:- multifile marble/4, to_play/2, move/5.
:- discontiguous marble/4, to_play/2, move/5.

% ---- sides, frames, numbers ----
opposite(b, w).
opposite(w, b).
pos_gen(p1).
pos_gen(p2).
range(N, Low, High) :- N >= Low, N =< High.

% ---- the board ----
on_board(X-Y) :- X >= 1, X =< 9, Y >= 1, Y =< 9, abs(X - Y) < 5.

direction(1, 0).
direction(1, 1).
direction(0, 1).
direction(-1, 0).
direction(-1, -1).
direction(0, -1).

step(X-Y, U, V, X2-Y2) :- X2 is X + U, Y2 is Y + V.

neighbour(Cell, Next) :- direction(U, V), step(Cell, U, V, Next).

% steps(Cell, N): steps from the centre, which is 5-5
steps(X-Y, N) :- N is max(max(abs(X - 5), abs(Y - 5)), abs(X - Y)).

% line(From, U, V, Marbles, Line, Front): the marbles from a cell on, one behind the other, and the cell ahead of them
line(From, U, V, Marbles, Line, Front) :-
    (   memberchk(From, Marbles)
    ->  Line = [From|Rest], step(From, U, V, Next), line(Next, U, V, Marbles, Rest, Front)
    ;   Line = [], Front = From
    ).

:- table before/3.
before(Board, Side, Marbles) :- findall(X-Y, marble(Board, X, Y, Side), All), sort(All, Marbles).

% moved(Board, Move, Line, Pushed, U, V): the marbles that move, and those of the other side that they push
:- table moved/6.
moved(Board, Move, Line, Pushed, U, V) :-
    move(Board, Move, Cells, U, V),
    to_play(Board, Side), opposite(Side, Other),
    before(Board, Side, Mine), before(Board, Other, Theirs),
    (   Cells = [Last]
    ->  line(Last, U, V, Mine, Line, Front), line(Front, U, V, Theirs, Pushed, _)
    ;   Line = Cells, Pushed = []
    ).

% after(Board, Move, Side, Marbles): those of a side after the move
:- table after/4.
after(Board, Move, Side, Marbles) :-
    moved(Board, Move, Line, Pushed, U, V),
    ( to_play(Board, Side) -> Moving = Line ; Moving = Pushed ),
    before(Board, Side, Before),
    subtract(Before, Moving, Rest),
    findall(Cell, ( member(From, Moving), step(From, U, V, Cell), on_board(Cell) ), Come),
    append(Rest, Come, All),
    sort(All, Marbles).

% entered(Board, Move, Cells): the cells that hold an own marble after the move, and did not before
entered(Board, Move, Cells) :-
    to_play(Board, Side),
    before(Board, Side, Before), after(Board, Move, Side, After),
    ord_subtract(After, Before, Cells).

% leading(Board, Move, Cell): where the marble comes to that is farthest ahead
leading(Board, Move, Cell) :-
    moved(Board, Move, Line, _, U, V),
    findall(Ahead-From, ( member(From, Line), ahead(From, U, V, Ahead) ), All),
    keysort(All, Sorted), last(Sorted, _-Front),
    step(Front, U, V, Cell).

ahead(X-Y, U, V, Ahead) :- Ahead is X * (2 * U - V) + Y * (2 * V - U).

% ---- numbers of a side with marbles Mine against Theirs ----
number(steps, Mine, _, N) :-
    findall(S, ( member(Cell, Mine), steps(Cell, S) ), All),
    sum_list(All, Sum), length(Mine, Left),
    N is Sum + 5 * (14 - Left).
number(edge, Mine, _, N) :- aggregate_all(count, ( member(Cell, Mine), steps(Cell, 4) ), N).
number(contacts, Mine, _, N) :-
    aggregate_all(count, ( member(Cell, Mine), neighbour(Cell, Next), Cell @< Next, memberchk(Next, Mine) ), N).
number(lines, Mine, _, N) :-
    aggregate_all(count,
        ( member(Cell, Mine), direction(U, V), step(Cell, U, V, Next), Cell @< Next, memberchk(Next, Mine),
          step(Next, U, V, Third), memberchk(Third, Mine) ),
        N).
number(threatened, Mine, Theirs, N) :-
    pushes_of(Theirs, Mine, Pushes),
    findall(Last, ( member(Pushed-Front, Pushes), \+ on_board(Front), last(Pushed, Last) ), All),
    sort(All, Cells), length(Cells, N).
number(pushes, Mine, Theirs, N) :- pushes_of(Mine, Theirs, Pushes), length(Pushes, N).
number(groups, Mine, _, N) :- groups(Mine, Groups), length(Groups, N).
number(largest, Mine, _, N) :-
    groups(Mine, Groups),
    aggregate_all(max(Size), ( member(Group, Groups), length(Group, Size) ), N).
number(protected, Mine, _, N) :-
    aggregate_all(count, ( member(Cell, Mine), forall(neighbour(Cell, Next), memberchk(Next, Mine)) ), N).
number(alone, Mine, _, N) :-
    aggregate_all(count, ( member(Cell, Mine), \+ ( neighbour(Cell, Next), memberchk(Next, Mine) ) ), N).

:- table pushes_of/3.
pushes_of(Mine, Theirs, Pushes) :- findall(Pushed-Front, push(Mine, Theirs, Pushed, Front), Pushes).

% push(Mine, Theirs, Pushed, Front): a line of two or three pushes fewer of the other side, the foremost of them to Front
push(Mine, Theirs, Pushed, Front) :-
    member(From, Mine), direction(U, V),
    line(From, U, V, Mine, Line, Next),
    line(Next, U, V, Theirs, Pushed, Front),
    length(Line, Pushing), Pushing =< 3,
    length(Pushed, Weak), Weak >= 1, Weak < Pushing,
    \+ memberchk(Front, Mine).

:- table groups/2.
groups(Marbles, Groups) :- parted(Marbles, Groups).

parted([], []).
parted([Cell|Cells], [Group|Groups]) :-
    connect([Cell], Cells, Group, Rest),
    parted(Rest, Groups).

connect([], Rest, [], Rest).
connect([Cell|Queue], Cells, [Cell|Group], Rest) :-
    findall(Next, ( neighbour(Cell, Next), memberchk(Next, Cells) ), New),
    subtract(Cells, New, Left),
    append(New, Queue, Queue2),
    connect(Queue2, Left, Group, Rest).

:- table number_before/4.
number_before(Name, Board, Side, N) :-
    opposite(Side, Other),
    before(Board, Side, Mine), before(Board, Other, Theirs),
    number(Name, Mine, Theirs, N).

:- table number_after/5.
number_after(Name, Board, Move, Side, N) :-
    opposite(Side, Other),
    after(Board, Move, Side, Mine), after(Board, Move, Other, Theirs),
    number(Name, Mine, Theirs, N).

rises(Name, Board, Move, Side, N) :-
    number_before(Name, Board, Side, Before), number_after(Name, Board, Move, Side, After),
    N is max(0, After - Before).

falls(Name, Board, Move, Side, N) :-
    number_before(Name, Board, Side, Before), number_after(Name, Board, Move, Side, After),
    N is max(0, Before - After).

% ---- the move itself ----
marbles(Board, Move, N) :- moved(Board, Move, Line, _, _, _), length(Line, N).

broadside(Board, Move) :- move(Board, Move, [_, _|_], _, _).

pushes(Board, Move, N) :- moved(Board, Move, _, Pushed, _, _), length(Pushed, N).

ejects(Board, Move) :-
    moved(Board, Move, _, Pushed, U, V),
    member(Cell, Pushed), step(Cell, U, V, Next), \+ on_board(Next), !.

wedge(Board, Move) :-
    to_play(Board, Side), opposite(Side, Other),
    after(Board, Move, Other, Theirs),
    entered(Board, Move, Cells),
    member(Cell, Cells), direction(U, V),
    step(Cell, U, V, Ahead), memberchk(Ahead, Theirs),
    BackU is -U, BackV is -V, step(Cell, BackU, BackV, Behind), memberchk(Behind, Theirs), !.

centre_distance(Board, Move, N) :- leading(Board, Move, Cell), steps(Cell, N).

touches(Board, Move, Side, N) :-
    entered(Board, Move, Cells), after(Board, Move, Side, Marbles),
    findall(Next, ( member(Cell, Cells), neighbour(Cell, Next), memberchk(Next, Marbles) ), All),
    sort(All, Beside), ord_subtract(Beside, Cells, Found),
    length(Found, N).

% ---- before the move ----
lost(Board, _, Side, N) :- before(Board, Side, Marbles), length(Marbles, Left), N is 14 - Left.

lead(Board, Move, Lead) :-
    to_play(Board, Side), opposite(Side, Other),
    lost(Board, Move, Side, Own), lost(Board, Move, Other, Theirs),
    ( Own < Theirs -> Lead = ahead ; Own =:= Theirs -> Lead = even ; Lead = behind ).

:- table stage/2.
stage(Board, Stage) :-
    lost(Board, _, b, B), lost(Board, _, w, W),
    number_before(steps, Board, b, First), number_before(steps, Board, w, Second),
    ( max(B, W) >= 3 -> Stage = end ; First + Second >= 70 -> Stage = opening ; Stage = middle ).

% ---- what changes, and what there is after the move ----
farther(Board, Move, Side, N) :- rises(steps, Board, Move, Side, N).
nearer(Board, Move, Side, N) :- falls(steps, Board, Move, Side, N).
edge_more(Board, Move, Side, N) :- rises(edge, Board, Move, Side, N).
edge_fewer(Board, Move, Side, N) :- falls(edge, Board, Move, Side, N).
contacts_more(Board, Move, Side, N) :- rises(contacts, Board, Move, Side, N).
contacts_fewer(Board, Move, Side, N) :- falls(contacts, Board, Move, Side, N).
lines_more(Board, Move, Side, N) :- rises(lines, Board, Move, Side, N).
lines_fewer(Board, Move, Side, N) :- falls(lines, Board, Move, Side, N).
threatened_more(Board, Move, Side, N) :- rises(threatened, Board, Move, Side, N).
threatened_fewer(Board, Move, Side, N) :- falls(threatened, Board, Move, Side, N).
pushes_more(Board, Move, Side, N) :- rises(pushes, Board, Move, Side, N).
pushes_fewer(Board, Move, Side, N) :- falls(pushes, Board, Move, Side, N).
groups_more(Board, Move, Side, N) :- rises(groups, Board, Move, Side, N).
groups_fewer(Board, Move, Side, N) :- falls(groups, Board, Move, Side, N).

threatened(Board, Move, Side, N) :- number_after(threatened, Board, Move, Side, N).
pushes_next(Board, Move, Side, N) :- number_after(pushes, Board, Move, Side, N).
groups(Board, Move, Side, N) :- number_after(groups, Board, Move, Side, N).
largest_group(Board, Move, Side, N) :- number_after(largest, Board, Move, Side, N).
protected(Board, Move, Side, N) :- number_after(protected, Board, Move, Side, N).
alone(Board, Move, Side, N) :- number_after(alone, Board, Move, Side, N).

% ---- the window ----
% The offset DX, DY counts half steps to the right and ahead: 1, 1 is the neighbour to the right of the one ahead.
cell(Board, Move, DX, DY, Class, Frame) :-
    offset(DX, DY),
    leading(Board, Move, Cell), move(Board, Move, _, U, V),
    pos_gen(Frame),
    ( Frame == p1 -> Right = DX ; Right is -DX ),
    Steps is (DY - Right) // 2,
    aside(U, V, A, B),
    X2 is Right * A + Steps * U, Y2 is Right * B + Steps * V,
    step(Cell, X2, Y2, At),
    stands(Board, At, Class0),
    Class = Class0.

offset(DX, DY) :-
    between(-2, 2, DX), between(-4, 4, DY),
    (DX + DY) mod 2 =:= 0,
    Reach is abs(DX) + abs(DY), Reach > 0, Reach =< 4.

% aside(U, V, A, B): the direction a sixth to the right of U, V
aside(U, V, V, B) :- B is V - U.

stands(Board, At, Class) :-
    to_play(Board, Side), opposite(Side, Other),
    before(Board, Side, Mine), before(Board, Other, Theirs),
    (   \+ on_board(At) -> Class = outside
    ;   memberchk(At, Mine) -> Class = own
    ;   memberchk(At, Theirs) -> Class = other
    ;   Class = empty
    ).
