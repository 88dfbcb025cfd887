% Of what a few short rules of Connect-4 may be made, for --modes.
:- modeb(1, opposite(+color, -color)).
:- modeb(1, wins(+board, +move, +color)).
:- modeb(1, leaves(+board, +move, #[0])).
:- modeb(1, column(+board, +move, #[second, third, middle])).
:- modeb(1, threes(+board, +move, +color, #[1..3])).
