% A predicate for rules of Connect-4 to use:
% gotools induce-patterns --game connect4 examples/connect4/learn.tsv --background examples/connect4/four_above.pl

% the nearest cell above the move that then completes four of a side is this many rows up
modeb(*, four_above(+board, +move, +color, #rows)).

four_above(Board, Move, Side, Rows) :-
    move(Board, Move, X, Y),
    fours_then(Board, Move, Side, Cells),
    findall(N, ( member(X-Above, Cells), Above > Y, N is Above - Y ), All),
    min_list(All, Rows).
