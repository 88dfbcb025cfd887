% The vocabulary of rules about moves of shogi, in Prolog: the meaning that the kernels must match (a test compares).
%
% A board is an atom that names a position, a move the number that the game gives it. Facts of a position:
%     piece(Board, X, Y, Side, Kind)             on file X, 1 to 9, and rank Y, 1 for a; sides b, who moves up, and w
%     holds(Board, Side, Kind, N)                N pieces of a kind in hand, 0 too
%     to_play(Board, Side)
%     move(Board, Move, X, Y, X2, Y2, Promotes)  a legal move from X, Y to X2, Y2; Promotes is 1 or 0
%     drop(Board, Move, Kind, X, Y)              a legal drop
%     declaration(Board, Move)                   the declaration of victory
% after(Board, Move) is the board after a move, without(Board, X, Y) one with a square cleared. Side is who makes the move, or the other one, where a measure has a side.

:- dynamic piece/5, holds/4, to_play/2, move/7, drop/5, declaration/2.
:- multifile piece/5, holds/4, to_play/2, move/7, drop/5, declaration/2.

% ---- sides, frames, numbers ----
opposite(b, w).
opposite(w, b).
pos_gen(p1).
pos_gen(p2).
range(N, Low, High) :- N >= Low, N =< High.

% ---- pieces ----
worth(pawn, 1).
worth(lance, 3).
worth(knight, 4).
worth(silver, 5).
worth(gold, 6).
worth(bishop, 8).
worth(rook, 10).
worth(king, 15).
worth(tokin, 7).
worth(promoted_lance, 6).
worth(promoted_knight, 6).
worth(promoted_silver, 6).
worth(horse, 10).
worth(dragon, 12).

promoted(pawn, tokin).
promoted(lance, promoted_lance).
promoted(knight, promoted_knight).
promoted(silver, promoted_silver).
promoted(bishop, horse).
promoted(rook, dragon).

% cheapest(Kind, Word): kinds of the worth of a gold are called so, a horse a rook
cheapest(promoted_lance, gold) :- !.
cheapest(promoted_knight, gold) :- !.
cheapest(promoted_silver, gold) :- !.
cheapest(horse, rook) :- !.
cheapest(Kind, Kind).

% line_kind(Kind, Line): the ranging pieces
line_kind(lance, lance).
line_kind(bishop, bishop).
line_kind(horse, bishop).
line_kind(rook, rook).
line_kind(dragon, rook).

% steps(Kind, DX, DY), slides(Kind, DX, DY): DX to the right, DY ahead
straight(0, 1).
straight(0, -1).
straight(1, 0).
straight(-1, 0).
slanting(1, 1).
slanting(1, -1).
slanting(-1, 1).
slanting(-1, -1).
direction(DX, DY) :- straight(DX, DY) ; slanting(DX, DY).

golden(DX, DY) :- straight(DX, DY) ; slanting(DX, DY), DY =:= 1.

steps(pawn, 0, 1).
steps(knight, 1, 2).
steps(knight, -1, 2).
steps(silver, DX, DY) :- slanting(DX, DY) ; DX = 0, DY = 1.
steps(gold, DX, DY) :- golden(DX, DY).
steps(tokin, DX, DY) :- golden(DX, DY).
steps(promoted_lance, DX, DY) :- golden(DX, DY).
steps(promoted_knight, DX, DY) :- golden(DX, DY).
steps(promoted_silver, DX, DY) :- golden(DX, DY).
steps(king, DX, DY) :- direction(DX, DY).
steps(horse, DX, DY) :- straight(DX, DY).
steps(dragon, DX, DY) :- slanting(DX, DY).

slides(lance, 0, 1).
slides(bishop, DX, DY) :- slanting(DX, DY).
slides(horse, DX, DY) :- slanting(DX, DY).
slides(rook, DX, DY) :- straight(DX, DY).
slides(dragon, DX, DY) :- straight(DX, DY).

% ---- the board ----
on_board(X, Y) :- X >= 1, X =< 9, Y >= 1, Y =< 9.

% beyond(Side, X, Y, DX, DY, N, X2, Y2): the square N times an offset away, as the side sees it
beyond(b, X, Y, DX, DY, N, X2, Y2) :- X2 is X - N * DX, Y2 is Y - N * DY, on_board(X2, Y2).
beyond(w, X, Y, DX, DY, N, X2, Y2) :- X2 is X + N * DX, Y2 is Y + N * DY, on_board(X2, Y2).

% row_of(Side, Y, Row): counted from the side's own last row
row_of(b, Y, Row) :- Row is 10 - Y.
row_of(w, Y, Y).

% at(Board, X, Y, Side, Kind): what stands on the board, also on one after a move
at(Board, X, Y, Side, Kind) :- atom(Board), piece(Board, X, Y, Side, Kind).
at(after(Board, Move), X, Y, Side, Kind) :-
    comes(Board, Move, X2, Y2),
    to_play(Board, Mover),
    becomes(Board, Move, Now),
    (   X = X2, Y = Y2, Side = Mover, Kind = Now
    ;   piece(Board, X, Y, Side, Kind),
        \+ ( X =:= X2, Y =:= Y2 ),
        \+ move(Board, Move, X, Y, _, _, _)
    ).
at(without(Board, X2, Y2), X, Y, Side, Kind) :- at(Board, X, Y, Side, Kind), \+ ( X =:= X2, Y =:= Y2 ).

empty(Board, X, Y) :- \+ at(Board, X, Y, _, _).

comes(Board, Move, X, Y) :- move(Board, Move, _, _, X, Y, _) ; drop(Board, Move, _, X, Y).

leaves_square(Board, Move, X, Y) :- move(Board, Move, X, Y, _, _, _).

becomes(Board, Move, Kind) :- drop(Board, Move, Kind, _, _).
becomes(Board, Move, Kind) :-
    move(Board, Move, X, Y, _, _, Promotes),
    piece(Board, X, Y, _, Kind0),
    ( Promotes =:= 1 -> promoted(Kind0, Kind) ; Kind = Kind0 ).

% king(Board, Move, Side, X, Y): a side's king, if the move is not its own
king(Board, Move, Side, X, Y) :- piece(Board, X, Y, Side, king), \+ leaves_square(Board, Move, X, Y).

% apart(X, Y, X2, Y2, N): a king's steps between two squares
apart(X, Y, X2, Y2, N) :- N is max(abs(X - X2), abs(Y - Y2)).

% ---- what reaches what ----
% aligned(X, Y, X2, Y2, SX, SY, N): X2, Y2 is N steps SX, SY away on a line
aligned(X, Y, X2, Y2, SX, SY, N) :-
    DX is X2 - X, DY is Y2 - Y, N is max(abs(DX), abs(DY)),
    N > 0, ( DX =:= 0 ; DY =:= 0 ; abs(DX) =:= abs(DY) ), !,
    SX is sign(DX), SY is sign(DY).

% squares_between(X, Y, X2, Y2, Squares): those of a line between two squares, the nearest to X, Y first
squares_between(X, Y, X2, Y2, Squares) :-
    aligned(X, Y, X2, Y2, SX, SY, N),
    Last is N - 1,
    findall(U-V, ( between(1, Last, I), U is X + I * SX, V is Y + I * SY ), Squares).

% in_view(Side, SX, SY, DX, DY): a step on the board as the side sees it
in_view(b, SX, SY, DX, DY) :- DX is -SX, DY is -SY.
in_view(w, SX, SY, SX, SY).

steps_to(Side, Kind, X, Y, X2, Y2) :- SX is X2 - X, SY is Y2 - Y, in_view(Side, SX, SY, DX, DY), steps(Kind, DX, DY), !.

faces(Side, Kind, X, Y, X2, Y2) :-
    line_kind(Kind, _),
    aligned(X, Y, X2, Y2, SX, SY, _), in_view(Side, SX, SY, DX, DY), slides(Kind, DX, DY), !.

% reaches(Board, X, Y, Side, Kind, X2, Y2): a piece on X, Y attacks X2, Y2, whatever stands there
reaches(_, X, Y, Side, Kind, X2, Y2) :- steps_to(Side, Kind, X, Y, X2, Y2), !.
reaches(Board, X, Y, Side, Kind, X2, Y2) :-
    faces(Side, Kind, X, Y, X2, Y2),
    squares_between(X, Y, X2, Y2, Squares),
    \+ ( member(U-V, Squares), \+ empty(Board, U, V) ).

reaching(Board, X2, Y2, Side, Kind, X, Y) :- at(Board, X, Y, Side, Kind), reaches(Board, X, Y, Side, Kind, X2, Y2).

attacked(Board, X, Y, Side) :- reaching(Board, X, Y, Side, _, _, _), !.

% behind(Board, X, Y, Side, Kind, X2, Y2): a ranging piece would reach X2, Y2 if those before it, which do, had left
behind(Board, X, Y, Side, Kind, X2, Y2) :-
    faces(Side, Kind, X, Y, X2, Y2),
    squares_between(X, Y, X2, Y2, Squares),
    \+ ( member(U-V, Squares), at(Board, U, V, S, K), \+ makes_way(Board, U, V, S, K, X2, Y2) ).

makes_way(Board, X, Y, Side, Kind, X2, Y2) :-
    Kind \== king,
    ( reaches(Board, X, Y, Side, Kind, X2, Y2) -> true ; behind(Board, X, Y, Side, Kind, X2, Y2) ).

% forces(Board, X, Y, Side, Worths): of the pieces of a side that reach a square, or would from behind
forces(Board, X, Y, Side, Worths) :-
    findall(Worth,
        ( at(Board, U, V, Side, Kind),
          once(( reaches(Board, U, V, Side, Kind, X, Y) ; behind(Board, U, V, Side, Kind, X, Y) )),
          worth(Kind, Worth) ),
        Unsorted),
    msort(Unsorted, Worths).

% won(Board, X, Y, Side, N): what a side wins by taking the other side's piece, where both go on as long as it pays
won(Board, X, Y, Side, N) :-
    (   attacked(Board, X, Y, Side)
    ->  at(Board, X, Y, Other, Kind),
        worth(Kind, Worth),
        forces(Board, X, Y, Side, Takers),
        forces(Board, X, Y, Other, Others),
        exchange(Worth, Takers, Others, N)
    ;   N = 0
    ).

exchange(_, [], _, 0).
exchange(Worth, [Least|Takers], Others, N) :- exchange(Least, Others, Takers, Lost), N is max(0, Worth - Lost).

% ---- what a move is ----
declares(Board, Move) :- declaration(Board, Move).

piece(Board, Move, Kind) :- drop(Board, Move, Kind, _, _).
piece(Board, Move, Kind) :- move(Board, Move, X, Y, _, _, _), piece(Board, X, Y, _, Kind).

drop(Board, Move) :- drop(Board, Move, _, _, _).

promotes(Board, Move) :- move(Board, Move, _, _, _, _, 1).

declines(Board, Move) :-
    move(Board, Move, X, Y, _, Y2, 0),
    piece(Board, X, Y, Side, Kind),
    promoted(Kind, _),
    row_of(Side, Y, Row), row_of(Side, Y2, Row2),
    max(Row, Row2) >= 7.

captured(Board, Move, Kind) :- comes(Board, Move, X, Y), piece(Board, X, Y, _, Kind).

captured_worth(Board, Move, N) :- captured(Board, Move, Kind), worth(Kind, N).

% net(Board, Move, Taken, Lost): what it takes, and what the other side then wins on that square
net(Board, Move, Taken, Lost) :-
    comes(Board, Move, X, Y),
    to_play(Board, Side), opposite(Side, Other),
    ( captured_worth(Board, Move, Worth) -> Taken = Worth ; Taken = 0 ),
    won(after(Board, Move), X, Y, Other, Lost).

wins(Board, Move, N) :- net(Board, Move, Taken, Lost), Taken > Lost, N is Taken - Lost.

loses(Board, Move, N) :- net(Board, Move, Taken, Lost), Taken < Lost, N is Lost - Taken.

trades(Board, Move) :- net(Board, Move, Worth, Worth), Worth > 0.

% ---- checks ----
% checker(Board, Move, Where): who then checks the other king: the piece that moved (moved), or one behind (other)
checker(Board, Move, Where) :-
    comes(Board, Move, X2, Y2),
    to_play(Board, Side), opposite(Side, Other),
    king(Board, Move, Other, X, Y),
    reaching(after(Board, Move), X, Y, Side, _, U, V),
    ( U =:= X2, V =:= Y2 -> Where = moved ; Where = other ).

check(Board, Move) :- checker(Board, Move, _), !.

double_check(Board, Move) :- checker(Board, Move, moved), checker(Board, Move, other), !.

discovers(Board, Move) :- checker(Board, Move, other), !.

answers_check(Board, Move, Word) :-
    comes(Board, Move, X, Y),
    to_play(Board, Side), opposite(Side, Other),
    piece(Board, KX, KY, Side, king),
    attacked(Board, KX, KY, Other),
    (   reaching(Board, KX, KY, Other, _, X, Y) -> Word0 = take
    ;   leaves_square(Board, Move, KX, KY) -> Word0 = flee
    ;   Word0 = block
    ),
    Word = Word0.

% ---- where it goes ----
row(Board, Move, N) :- comes(Board, Move, _, Y), to_play(Board, Side), row_of(Side, Y, N).

file(Board, Move, N) :- comes(Board, Move, X, _), to_play(Board, Side), ( Side == b -> N is X ; N is 10 - X ).

direction(Board, Move, Word) :-
    move(Board, Move, _, Y, _, Y2, _),
    to_play(Board, Side),
    row_of(Side, Y, Row), row_of(Side, Y2, Row2),
    compare(Order, Row2, Row),
    nth0(I, [>, =, <], Order), nth0(I, [ahead, aside, back], Word).

king_distance(Board, Move, Side, N) :- comes(Board, Move, X, Y), king(Board, Move, Side, U, V), apart(X, Y, U, V, N).

approach(Board, Move, Side, Word) :-
    leaves_square(Board, Move, X, Y),
    king(Board, Move, Side, U, V),
    apart(X, Y, U, V, Before),
    king_distance(Board, Move, Side, After),
    compare(Order, After, Before),
    nth0(I, [<, =, >], Order), nth0(I, [nearer, same, farther], Word).

covers(Board, Move, Side, N) :-
    comes(Board, Move, X, Y),
    to_play(Board, Mover),
    becomes(Board, Move, Kind),
    king(Board, Move, Side, U, V),
    aggregate_all(count,
        ( direction(DX, DY), beyond(b, U, V, DX, DY, 1, U2, V2),
          reaches(after(Board, Move), X, Y, Mover, Kind, U2, V2) ),
        N).

% ---- attackers and defenders ----
attackers_to(Board, Move, Side, N) :-
    comes(Board, Move, X, Y),
    aggregate_all(count, reaching(after(Board, Move), X, Y, Side, _, _, _), N).

least_attacker(Board, Move, Side, Kind) :-
    comes(Board, Move, X, Y),
    aggregate_all(min(W, K), ( reaching(after(Board, Move), X, Y, Side, K, _, _), worth(K, W) ), min(_, Kind0)),
    cheapest(Kind0, Kind).

attackers_from(Board, Move, Side, N) :-
    leaves_square(Board, Move, X, Y),
    aggregate_all(count, reaching(Board, X, Y, Side, _, _, _), N).

% ---- threats ----
% at_risk(Board, Side, X, Y, N): a piece of a side by which the other one would win if it were to move
:- table at_risk/5.
at_risk(Board, Side, X, Y, N) :-
    piece(Board, X, Y, Side, Kind), Kind \== king,
    opposite(Side, Other),
    won(Board, X, Y, Other, N), N > 0.

flees(Board, Move, N) :- leaves_square(Board, Move, X, Y), to_play(Board, Side), at_risk(Board, Side, X, Y, N).

% threat(Board, Move, Kind, X, Y, N): the piece that has moved reaches another on which its side then wins
threat(Board, Move, Kind, U, V, N) :-
    comes(Board, Move, X, Y),
    to_play(Board, Side), opposite(Side, Other),
    becomes(Board, Move, Mover),
    piece(Board, U, V, Other, Kind),
    reaches(after(Board, Move), X, Y, Side, Mover, U, V),
    ( Kind == king -> N = 0 ; won(after(Board, Move), U, V, Side, N), N > 0 ).

threats(Board, Move, N) :-
    comes(Board, Move, _, _),
    aggregate_all(count, threat(Board, Move, _, _, _, _), N).

threatens(Board, Move, N) :- aggregate_all(max(Won), threat(Board, Move, _, _, _, Won), N), N > 0.

defends(Board, Move) :-
    comes(Board, Move, X, Y),
    to_play(Board, Side),
    becomes(Board, Move, Kind),
    at_risk(Board, Side, U, V, _),
    \+ leaves_square(Board, Move, U, V),
    reaches(after(Board, Move), X, Y, Side, Kind, U, V), !.

% leaves(Board, Move, N): the square come to does not count, nor does the king
leaves(Board, Move, N) :-
    comes(Board, Move, X2, Y2),
    to_play(Board, Side), opposite(Side, Other),
    findall(Won,
        ( piece(Board, X, Y, Side, Kind), Kind \== king,
          \+ leaves_square(Board, Move, X, Y), \+ ( X =:= X2, Y =:= Y2 ),
          won(after(Board, Move), X, Y, Other, Won) ),
        All),
    max_list([0|All], N).

% the most that the other side would win, the same for all moves
risk(Board, _, N) :- to_play(Board, Side), findall(Won, at_risk(Board, Side, _, _, Won), All), max_list([0|All], N).

% ---- lines ----
% blockers(Board, X, Y, X2, Y2, Blockers): the squares between with a piece, the nearest to X, Y first
blockers(Board, X, Y, X2, Y2, Blockers) :-
    squares_between(X, Y, X2, Y2, Squares),
    findall(U-V, ( member(U-V, Squares), \+ empty(Board, U, V) ), Blockers).

pins(Board, Move) :-
    comes(Board, Move, X, Y),
    to_play(Board, Side), opposite(Side, Other),
    becomes(Board, Move, Kind),
    piece(Board, KX, KY, Other, king),
    faces(Side, Kind, X, Y, KX, KY),
    blockers(after(Board, Move), X, Y, KX, KY, [U-V]),
    at(after(Board, Move), U, V, Other, _), !.

% on_line(Board, Side, Line, X, Y, SX, SY): a side's ranging piece reaches X, Y by steps SX, SY; the square behind is empty
on_line(Board, Side, Line, X, Y, SX, SY) :-
    piece(Board, U, V, Side, Kind),
    line_kind(Kind, Line),
    faces(Side, Kind, U, V, X, Y),
    reaches(Board, U, V, Side, Kind, X, Y),
    aligned(U, V, X, Y, SX, SY, _),
    X2 is X + SX, Y2 is Y + SY, on_board(X2, Y2), empty(Board, X2, Y2).

% along(Board, Move, SX, SY): the move keeps to a line
along(Board, Move, SX, SY) :-
    move(Board, Move, X, Y, X2, Y2, _),
    aligned(X, Y, X2, Y2, SX2, SY2, _),
    SX * SY2 =:= SY * SX2.

opens_line(Board, Move, Side, Line) :-
    leaves_square(Board, Move, X, Y),
    findall(L, ( on_line(Board, Side, L, X, Y, SX, SY), \+ along(Board, Move, SX, SY) ), Lines),
    member(Line0, [rook, bishop, lance]), memberchk(Line0, Lines), !,
    Line = Line0.

% ---- pawns, hands, castles ----
pawn_on_file(Board, Move, Side) :-
    comes(Board, Move, X, _),
    piece(Board, X, Y, Side, pawn),
    \+ leaves_square(Board, Move, X, Y), !.

hand(Board, _, Side, N) :- aggregate_all(sum(Held), holds(Board, Side, _, Held), N).

% castle_shape(Castle, Pieces): p(Kind, File, Row), the file from the side's right, the row from its own last one
castle_shape(mino, [p(king, 2, 2), p(silver, 3, 2), p(gold, 4, 1)]).
castle_shape(yagura, [p(king, 8, 2), p(gold, 7, 2), p(silver, 7, 3), p(gold, 6, 3)]).
castle_shape(anaguma, [p(king, 9, 1), p(lance, 9, 2), p(silver, 8, 2)]).

castle(Board, _, Side, Castle) :-
    piece(Board, _, _, Side, king),
    castle_shape(Castle, Pieces),
    member(Mirrored, [0, 1]),
    forall(member(p(Kind, File, Row), Pieces),
        ( ( Mirrored =:= 1 -> F is 10 - File ; F = File ),
          ( Side == b -> X = F ; X is 10 - F ),
          row_of(Side, Row, Y), piece(Board, X, Y, Side, Kind) )), !.

% ---- the other king ----
flights(Board, Move, N) :-
    comes(Board, Move, _, _),
    to_play(Board, Side), opposite(Side, Other),
    piece(Board, X, Y, Other, king),
    aggregate_all(count,
        ( direction(DX, DY), beyond(b, X, Y, DX, DY, 1, U, V),
          \+ at(after(Board, Move), U, V, Other, _),
          \+ attacked(without(after(Board, Move), X, Y), U, V, Side) ),
        N).

% ---- the stage ----
:- table stage/2.
stage(Board, Stage) :-
    aggregate_all(sum(Held), holds(Board, _, _, Held), InHand),
    (   InHand =< 3, \+ ( piece(Board, _, _, _, Kind), promoted(_, Kind) )
    ->  Stage = opening
    ;   to_play(Board, Side), opposite(Side, Other),
        pressure(Board, Side, Own), pressure(Board, Other, Others),
        Lead is Own - Others,
        ( Lead >= 2 -> Stage = attack ; Lead =< -2 -> Stage = defence ; Stage = even )
    ).

% pressure(Board, Side, N): its pieces within two squares of the other king
pressure(Board, Side, N) :-
    opposite(Side, Other),
    aggregate_all(count,
        ( piece(Board, KX, KY, Other, king), piece(Board, X, Y, Side, _), apart(X, Y, KX, KY, Apart), Apart =< 2 ),
        N).

% ---- what stands around the square come to, before the move ----
cell(Board, Move, DX, DY, Class, Frame) :-
    comes(Board, Move, X, Y),
    between(-2, 2, DX), between(-2, 4, DY), \+ ( DX =:= 0, DY =:= 0 ),
    turned(Frame, DX, Right),
    to_play(Board, Side),
    (   beyond(Side, X, Y, Right, DY, 1, X2, Y2)
    ->  stands(Board, X2, Y2, Side, Class)
    ;   Class = outside
    ).

turned(p1, DX, DX).
turned(p2, DX, Right) :- Right is -DX.

stands(Board, X, Y, _, empty) :- empty(Board, X, Y).
stands(Board, X, Y, Side, Class) :-
    piece(Board, X, Y, Of, Kind),
    ( Of == Side -> Whose = own ; Whose = other ),
    ( Class = Whose ; named(Name, Kind), atomic_list_concat([Whose, '_', Name], Class) ).

named(pawn, pawn).
named(knight, knight).
named(silver, silver).
named(gold, gold).
named(gold, tokin).
named(gold, promoted_lance).
named(gold, promoted_knight).
named(gold, promoted_silver).
named(ranging, Kind) :- line_kind(Kind, _).
named(king, king).
