% The modes of `gotools induce-patterns`: with this file the rules are those of the default vocabulary, advanced.
% Copy it, delete what rules should not speak of, and give it with --modes. docs/background.md explains
% the form, docs/vocabulary.md the predicates.

:- modeh(*, move(+board, +color, +coord_x, +coord_y)).

% one of the eight symmetries, the same for all conditions of a rule
:- modeb(1, pos_gen(-pos)).

% the point, and the game
:- modeb(1, edge_ver(+coord_x, +coord_y, #disp, +pos)).
:- modeb(1, edge_hor(+coord_x, +coord_y, #disp, +pos)).
:- modeb(1, stage(+board, #stage)).

% chains at offsets; #[-1..1] in the place of #disp looks at the nearest points only
:- modeb(*, block_on_pos(+board, +coord_x, +coord_y, -block, #disp, #disp, +pos)).
:- modeb(1, block_color(+board, +block, -color)).
:- modeb(1, opposite(+color, -color)).

% their liberties and stones: as constants, and as variables for range and for each other
:- modeb(1, liberty_cnt(+board, +block, #nat)).
:- modeb(1, liberty_cnt(+board, +block, -nat)).
:- modeb(1, stone_cnt(+board, +block, #nat)).
:- modeb(1, stone_cnt(+board, +block, -nat)).
:- modeb(*, range(+nat, #nat, #nat)).
:- modeb(*, liberty(+board, +block, -block)).

% what a stone at the point does
:- modeb(*, atari(+board, -block, +coord_x, +coord_y, +color)).
:- modeb(*, captures(+board, -block, +coord_x, +coord_y, +color)).
:- modeb(*, connects_direct(+board, -block, +coord_x, +coord_y, +color)).
:- modeb(*, connects_indirect(+board, -block, +coord_x, +coord_y, +color)).

% the full vocabulary has these besides
% :- modeb(*, empty_on_pos(+board, +coord_x, +coord_y, #disp, #disp, +pos)).
% :- modeb(*, outside_on_pos(+board, +coord_x, +coord_y, #disp, #disp, +pos)).
% :- modeb(1, last_on_pos(+board, +coord_x, +coord_y, #disp, #disp, +pos)).
% :- modeb(1, last2_on_pos(+board, +coord_x, +coord_y, #disp, #disp, +pos)).
% :- modeb(1, last_distance(+board, +coord_x, +coord_y, #nat)).
% :- modeb(1, last_distance(+board, +coord_x, +coord_y, -nat)).
% :- modeb(1, last2_distance(+board, +coord_x, +coord_y, #nat)).
% :- modeb(1, last2_distance(+board, +coord_x, +coord_y, -nat)).
% the line from the nearest edge, in the place of edge_ver and edge_hor if you delete these
% :- modeb(1, line(+board, +coord_x, +coord_y, #nat)).
% :- modeb(1, line(+board, +coord_x, +coord_y, -nat)).
% :- modeb(1, liberties_after(+board, +coord_x, +coord_y, +color, #nat)).
% :- modeb(1, liberties_after(+board, +coord_x, +coord_y, +color, -nat)).
% :- modeb(1, self_atari(+board, +coord_x, +coord_y, +color)).
% :- modeb(1, adjacent_chains(+board, +coord_x, +coord_y, +color, #nat)).
% :- modeb(1, adjacent_chains(+board, +coord_x, +coord_y, +color, -nat)).
% :- modeb(1, escapes(+board, +coord_x, +coord_y, +color, #outcome)).
% :- modeb(1, rescues(+board, +coord_x, +coord_y, +color)).
% :- modeb(1, ladder(+board, +coord_x, +coord_y, +color, #outcome)).
% :- modeb(1, fills_eye(+board, +coord_x, +coord_y, +color, #eye)).
% :- modeb(1, joins(+board, +coord_x, +coord_y, +color)).

% the vocabulary of groups has these besides
% :- modeb(1, linked_sets(+board, +coord_x, +coord_y, +color, #nat)).
% :- modeb(1, linked_sets(+board, +coord_x, +coord_y, +color, -nat)).
% :- modeb(1, linked_liberties(+board, +coord_x, +coord_y, +color, #nat)).
% :- modeb(1, linked_liberties(+board, +coord_x, +coord_y, +color, -nat)).
% :- modeb(1, near_groups(+board, +coord_x, +coord_y, +color, #nat)).
% :- modeb(1, near_groups(+board, +coord_x, +coord_y, +color, -nat)).
% :- modeb(1, group_liberties(+board, +coord_x, +coord_y, +color, #nat)).
% :- modeb(1, group_liberties(+board, +coord_x, +coord_y, +color, -nat)).

% the constraints of rules; off switches one off
:- constraint(variables_twice, on).
:- constraint(coloured_blocks, on).
:- constraint(opposite_once, on).
:- constraint(counts_once, on).
