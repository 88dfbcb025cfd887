%% gotools rules 1
%% score=laplace
%% search=best
%% noise=5
%% nodes=500
%% max_body=15
%% seeds=107
%% clauses_searched=53500
:- discontiguous rule/4, move/4.
:- style_check(-singleton).

rule(r1, 9, 0, 9).
move(A,B,C,D) :- pos_gen(E), block_on_pos(A,C,D,F,-1,0,E), liberty_cnt(A,F,3), stage(A,open), opposite(B,G), connects_direct(A,F,C,D,G), block_color(A,F,G).

rule(r2, 6, 0, 6).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,3), stone_cnt(A,E,1), connects_direct(A,F,C,D,B), liberty_cnt(A,F,1).

rule(r3, 11, 0, 11).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,1), stone_cnt(A,E,F), range(F,1,2).

rule(r4, 5, 0, 5).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,2), stone_cnt(A,E,F), range(F,4,8).

rule(r5, 22, 5, 17).
move(A,B,C,D) :- stage(A,middle), opposite(B,E), connects_direct(A,F,C,D,E), liberty_cnt(A,F,3), stone_cnt(A,F,G), range(G,1,3).

rule(r6, 10, 0, 10).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), block_color(A,E,B), opposite(B,F), connects_direct(A,G,C,D,F), liberty_cnt(A,G,4), stone_cnt(A,G,H), range(H,2,3), liberty_cnt(A,E,I), range(I,4,8).

rule(r7, 8, 2, 6).
move(A,B,C,D) :- pos_gen(E), edge_hor(C,D,-5,E), block_on_pos(A,C,D,F,0,2,E), block_color(A,F,G), stage(A,open), opposite(B,G).

rule(r8, 20, 3, 17).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), block_color(A,E,B), opposite(B,F), connects_direct(A,G,C,D,F), stone_cnt(A,G,1), stone_cnt(A,E,1).

rule(r9, 6, 0, 6).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,2), stone_cnt(A,E,2).

rule(r10, 4, 1, 3).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), stone_cnt(A,E,3), connects_direct(A,F,C,D,B), liberty_cnt(A,F,2), stone_cnt(A,F,1).

rule(r11, 9, 0, 9).
move(A,B,C,D) :- atari(A,E,C,D,B), connects_direct(A,F,C,D,B), block_color(A,F,B), opposite(B,G), connects_direct(A,E,C,D,G).

rule(r12, 9, 0, 9).
move(A,B,C,D) :- captures(A,E,C,D,B), block_color(A,E,F), opposite(F,B).

rule(r13, 2, 0, 2).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), stone_cnt(A,E,12), connects_direct(A,F,C,D,B), liberty_cnt(A,F,G), range(G,3,5).

rule(r14, 14, 2, 12).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,3), stone_cnt(A,E,1), connects_direct(A,F,C,D,B), block_color(A,F,B), opposite(B,G), connects_direct(A,H,C,D,G), block_color(A,H,G).

rule(r15, 3, 0, 3).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,3), stone_cnt(A,E,F), range(F,5,99), connects_direct(A,G,C,D,B), stone_cnt(A,G,H), range(H,1,2).

rule(r16, 2, 0, 2).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,2), connects_indirect(A,F,C,D,B), block_color(A,F,B).

rule(r17, 18, 5, 13).
move(A,B,C,D) :- atari(A,E,C,D,B), stone_cnt(A,E,F), range(F,1,2).

rule(r18, 6, 3, 3).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-3,E), block_on_pos(A,C,D,F,2,0,E), block_color(A,F,B), liberty_cnt(A,F,G), range(G,4,8), stone_cnt(A,F,H), range(H,1,3).

rule(r19, 3, 0, 3).
move(A,B,C,D) :- stage(A,end), opposite(B,E), connects_direct(A,F,C,D,E), liberty_cnt(A,F,G), range(G,2,4), stone_cnt(A,F,4).

rule(r20, 5, 3, 2).
move(A,B,C,D) :- pos_gen(E), edge_hor(C,D,-7,E), block_on_pos(A,C,D,F,-1,-2,E), block_color(A,F,B), stage(A,open).

rule(r21, 5, 1, 4).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), block_color(A,E,B), opposite(B,F), connects_direct(A,G,C,D,F), liberty_cnt(A,G,5), liberty_cnt(A,E,5).

rule(r22, 2, 1, 1).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), block_color(A,E,B), opposite(B,F), connects_direct(A,G,C,D,F), stone_cnt(A,G,12).

rule(r23, 2, 1, 1).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,2), stone_cnt(A,E,3).

rule(r24, 2, 0, 2).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), block_color(A,E,B), stone_cnt(A,E,10).

rule(r25, 3, 0, 3).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), block_color(A,E,B), opposite(B,F), connects_indirect(A,G,C,D,F), block_color(A,G,F).

rule(r26, 7, 3, 4).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), stone_cnt(A,E,2), connects_direct(A,F,C,D,B), liberty_cnt(A,F,2).

rule(r27, 3, 3, 0).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,F), range(F,2,4), stone_cnt(A,E,G), range(G,5,99).

rule(r28, 4, 4, 0).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), edge_hor(C,D,-3,E), stage(A,open).

rule(r29, 2, 1, 1).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,6), stone_cnt(A,E,5).

rule(r30, 4, 5, -1).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-4,E), edge_hor(C,D,-2,E), stage(A,open).

rule(r31, 6, 2, 4).
move(A,B,C,D) :- connects_indirect(A,E,C,D,B), block_color(A,E,B), opposite(B,F), connects_indirect(A,G,C,D,F), block_color(A,G,F).

rule(r32, 3, 5, -2).
move(A,B,C,D) :- stage(A,open), opposite(B,E), connects_indirect(A,F,C,D,E), liberty_cnt(A,F,4).

rule(r33, 2, 3, -1).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,3), stone_cnt(A,E,2).

rule(r34, 3, 5, -2).
move(A,B,C,D) :- connects_indirect(A,E,C,D,B), liberty_cnt(A,E,F), range(F,1,3), stone_cnt(A,E,1).

rule(r35, 2, 4, -2).
move(A,B,C,D) :- stage(A,middle), opposite(B,E), connects_direct(A,F,C,D,E), liberty_cnt(A,F,4), stone_cnt(A,F,G), range(G,2,3).

rule(r36, 2, 0, 2).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-5,E), edge_hor(C,D,-8,E), block_on_pos(A,C,D,F,0,-1,E), block_on_pos(A,C,D,F,1,-2,E), block_color(A,F,G), opposite(G,B).

rule(r37, 2, 2, 0).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), block_color(A,E,B), opposite(B,F), connects_direct(A,G,C,D,F), stone_cnt(A,G,5).

rule(r38, 2, 4, -2).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), edge_hor(C,D,-4,E), block_on_pos(A,C,D,F,-3,0,E), block_color(A,F,B).

rule(r39, 2, 3, -1).
move(A,B,C,D) :- stage(A,middle), opposite(B,E), connects_direct(A,F,C,D,E), stone_cnt(A,F,4).

rule(r40, 2, 5, -3).
move(A,B,C,D) :- pos_gen(E), edge_ver(C,D,-7,E), edge_hor(C,D,-8,E), block_on_pos(A,C,D,F,1,-1,E), block_color(A,F,B).

rule(r41, 2, 1, 1).
move(A,B,C,D) :- connects_direct(A,E,C,D,B), liberty_cnt(A,E,2), stone_cnt(A,E,1), connects_direct(A,F,C,D,B), liberty_cnt(A,F,3), stone_cnt(A,F,1).
