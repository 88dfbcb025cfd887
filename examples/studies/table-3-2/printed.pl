%% gotools rules 1
%% game=go
%% sizes=9-9
:- discontiguous rule/4, move/4.
:- style_check(-singleton).

% 3.4, keima.
rule(t4, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,2,1,E), block_color(A,F,B).

% 3.5, diagonal.
rule(t5, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,1,-1,E), block_color(A,F,B).

% 3.6, contact.
rule(t6, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,1,0,E), block_color(A,F,B).

% 3.7, one-point jump.
rule(t7, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,-2,0,E), block_color(A,F,B).

% 3.8 to 3.10, the centre in the opening.
rule(t8, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-6,E), stage(A,open).

rule(t9, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-5,E), stage(A,open).

rule(t10, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), edge_hor(C,D,-4,E), stage(A,open).

% 3.11 and 3.12, near the centre of a quadrant.
rule(t11, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-6,E), edge_hor(C,D,-4,E).

rule(t12, 0, 0, 1).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), edge_hor(C,D,-3,E).
