%% gotools rules 1
%% score=coverage
%% search=breadth
%% noise=30
%% nodes=5000
%% max_body=15
%% seeds=38
%% clauses_searched=185001
:- discontiguous rule/4, move/4.
:- style_check(-singleton).

rule(r1, 138, 27, 111).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,-1,-1,E), block_color(A,F,B), opposite(B,G), connects_direct(A,H,C,D,G), block_color(A,H,G).

rule(r2, 47, 16, 31).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-2,E), connects_direct(A,F,C,D,B), liberty_cnt(A,F,G), range(G,2,4).

rule(r3, 30, 12, 18).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,F), range(F,1,2).

rule(r4, 3, 0, 3).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-4,E), block_on_pos(A,C,D,F,-2,-3,E), block_color(A,F,B), stone_cnt(A,F,3).

rule(r5, 11, 3, 8).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), block_on_pos(A,C,D,F,-2,-1,E), block_color(A,F,B), liberty_cnt(A,F,4), stone_cnt(A,F,1).

rule(r6, 7, 4, 3).
move(A,B,C,D) :- opposite(B,E), connects_direct(A,F,C,D,E), stone_cnt(A,F,2), connects_direct(A,G,C,D,B), block_color(A,G,B).

rule(r7, 6, 4, 2).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-3,E), edge_hor(C,D,-7,E), stage(A,open).

rule(r8, 6, 1, 5).
move(A,B,C,D) :- connects_indirect(A,E,C,D,B), liberty_cnt(A,E,2), stone_cnt(A,E,1).

rule(r9, 6, 0, 6).
move(A,B,C,D) :- opposite(B,E), connects_indirect(A,F,C,D,E), block_color(A,F,E), connects_indirect(A,G,C,D,B), liberty_cnt(A,G,4).

rule(r10, 2, 0, 2).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,1,3,E), block_on_pos(A,C,D,F,3,2,E), block_on_pos(A,C,D,F,3,3,E), block_color(A,F,B).

rule(r11, 5, 2, 3).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,2,2,E), block_color(A,F,B), liberty_cnt(A,F,5), stone_cnt(A,F,2).

rule(r12, 6, 2, 4).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-5,E), block_on_pos(A,C,D,F,2,0,E), block_color(A,F,G), stage(A,open), opposite(B,G).

rule(r13, 2, 0, 2).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), edge_hor(C,D,-4,E), block_on_pos(A,C,D,F,-1,2,E), block_color(A,F,G), liberty_cnt(A,F,4), opposite(B,G).

rule(r14, 5, 1, 4).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-4,E), block_on_pos(A,C,D,F,-1,-1,E), block_color(A,F,G), stage(A,open), opposite(B,G).

rule(r15, 2, 0, 2).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), edge_hor(C,D,-4,E), block_on_pos(A,C,D,F,-3,-1,E), block_color(A,F,B), liberty_cnt(A,F,5).

rule(r16, 2, 0, 2).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), block_on_pos(A,C,D,F,-3,-3,E), block_color(A,F,B), liberty_cnt(A,F,3).
