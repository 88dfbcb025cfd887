% What a chain touches: the relation link(Block, Block2) of the thesis, for --background. The empty points among what it
% touches are its liberties, which the vocabulary has already; these are the chains of the other colour.

% the chain touches a chain of the other colour that has this many liberties
modeb(*, linked_to(+board, +block, #liberties)).

linked_to(Board, Block, Liberties) :-
    link(Board, Block, Other),
    liberty_cnt(Board, Other, Liberties),
    Liberties =< 4.

link(Board, Block, Other) :-
    chain(Board, Block, Colour, Stones, _),
    opposite(Colour, Opponent),
    member(Stone, Stones),
    neighbour(Board, Stone, Point),
    colour_at(Board, Point, Opponent),
    chain_at(Board, Point, Other).
