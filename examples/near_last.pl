% Two predicates for rules to use: gotools induce-patterns games --background examples/near_last.pl
% docs/background.md explains this file line by line.

% the last move is this many lines away (the longer way of the two)
modeb(*, near_last(+board, +coord_x, +coord_y, #distance)).

near_last(Board, X, Y, Distance) :-
    last_move(Board, X2, Y2),
    Distance is max(abs(X - X2), abs(Y - Y2)),
    Distance =< 4.

% the chain that the last move is part of
modeb(*, last_block(+board, -block)).

last_block(Board, Block) :-
    last_move(Board, X, Y),
    point_at(Board, X, Y, Point),
    chain_at(Board, Point, Block).
