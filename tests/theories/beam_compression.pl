%% gotools rules 1
%% score=compression
%% search=beam
%% noise=20
%% nodes=2000
%% max_body=6
%% seeds=79
%% clauses_searched=37928
:- discontiguous rule/4, move/4.
:- style_check(-singleton).

rule(r1, 89, 17, 72).
move(A,B,C,D) :- opposite(B,E), connects_direct(A,F,C,D,E), liberty_cnt(A,F,G), range(G,1,3).

rule(r2, 28, 17, 11).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), block_color(A,E,B), stone_cnt(A,E,2).

rule(r3, 37, 12, 25).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,F), range(F,1,2).

rule(r4, 24, 14, 10).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), block_on_pos(A,C,D,F,-2,-1,E), block_color(A,F,B), liberty_cnt(A,F,G), range(G,4,8).

rule(r5, 13, 3, 10).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,-2,0,E), stone_cnt(A,F,2), block_on_pos(A,C,D,F,-1,0,E), block_color(A,F,G), opposite(G,B).

rule(r6, 20, 5, 15).
move(A,B,C,D) :- opposite(B,E), connects_direct(A,F,C,D,E), liberty_cnt(A,F,4), connects_direct(A,G,C,D,B), block_color(A,G,B).

rule(r7, 17, 11, 6).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,3), stone_cnt(A,E,1).
