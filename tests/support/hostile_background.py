"""Files that a stranger may hand to --background, and what is said of each; LEGAL where it is harmless.

MODE stands in line 1, so that what follows begins in line 2. A file that begins with "whole:" has no MODE before it.
"""

MODE = "modeb(*, p(+board, +coord_x, #n)).\n"
GOOD = "p(_, X, X).\n"


def body(goal: str, constant: str = "1") -> str:
    """Return a predicate that runs a goal for every question."""
    return f"p(B, X, {constant}) :- {goal}.\n"


def forged(name: str) -> str:
    """Return a clause whose name holds records of the format that gotools once read back from Prolog."""
    records = f"x\\t1\\nclause\\t1\\t{name}\\t1\\nmode\\t1\\t{name}\\t+color\\nclause\\t1\\tq"
    return f"'{records}'(A) :- A > 1.\n{GOOD}"


LEGAL = ""
NOT_ALLOWED = "which a background file may not"
UNKNOWN_GOAL = "not known before it runs"

FORGED = {
    "records in a name: consult": (forged("consult"), LEGAL),
    "records in a name: shell": (forged("shell"), LEGAL),
    "records in a name: tell": (forged("tell"), LEGAL),
    "records in a name: delete_file": (forged("delete_file"), LEGAL),
    "records in a name: halt": (forged("halt"), LEGAL),
    "JSON in a name": (f'\'"],[1,\\"shell\\",1]],"modes":[[],[1,"shell",["+board"]]]}}\'.\n{GOOD}', LEGAL),
    "newline in a mode's name": ("whole:modeb(*, 'p\\nq'(+board)).\n'p\\nq'(_).\n", "not a name for a predicate"),
    "tab in a mode's name": ("whole:modeb(*, 'p\\tq'(+board)).\n'p\\tq'(_).\n", "not a name for a predicate"),
    "carriage return in a mode's name": (
        "whole:modeb(*, 'p\\rq'(+board)).\n'p\\rq'(_).\n",
        "not a name for a predicate",
    ),
    "escape in a mode's name": ("whole:modeb(*, '\\e[2Jp'(+board)).\n'\\e[2Jp'(_).\n", "not a name for a predicate"),
    "quote in a mode's name": ("whole:modeb(*, 'p\"'(+board)).\n'p\"'(_).\n", "not a name for a predicate"),
    "goal in a mode's name": ("whole:modeb(*, 'p,halt'(+board)).\n'p,halt'(_).\n", "not a name for a predicate"),
    "empty name": ("whole:modeb(*, ''(+board)).\n''(_).\n", "not a name for a predicate"),
    "letter from elsewhere": ("whole:modeb(*, pä(+board)).\npä(_).\n", "not a name for a predicate"),
    "newline in a type": ("whole:modeb(*, p(+'board\\n')).\np(_).\n", "unknown type"),
    "newline in a constant's type": ("whole:modeb(*, p(+board, #'n\\nmode')).\np(_, 1).\n", "unknown type"),
    "goal in a constant's type": ("whole:modeb(*, p(+board, #'n),halt')).\np(_, 1).\n", "unknown type"),
    "compound type": ("whole:modeb(*, p(+board(halt))).\np(_).\n", "unknown type"),
    "mode of a system predicate": ("whole:modeb(*, halt(+color)).\n" + GOOD, "no clause"),
    "mode of shell": ("whole:modeb(*, shell(+color)).\n" + GOOD, "no clause"),
    "mode of a helper of the loader": ("whole:modeb(*, load_text(+board, +color, +pos)).\n" + GOOD, "no clause"),
    "mode of the vocabulary's helper": ("whole:modeb(*, chains(+board, #n)).\n" + GOOD, "no clause"),
    "mode with a module": ("whole:modeb(*, system:halt).\n" + GOOD, "not a name for a predicate"),
    "mode that is a list": ("whole:modeb(*, [p]).\n" + GOOD, "not a name for a predicate"),
    "mode that is a string": ('whole:modeb(*, "p(+board)").\n' + GOOD, "no mode"),
    "mode with many arguments": (f"whole:modeb(*, p(+board{', #n' * 40})).\np(_{', 1' * 40}).\n", "arguments"),
    "block that is a record": ("whole:modeb(*, p(+board, -block)).\np(_, '1\\n0\\t0\\t5').\n", "as a block"),
    "block that is JSON": ("whole:modeb(*, p(+board, -block)).\np(_, '1],[0,0,5').\n", "as a block"),
    "constant that is a record": (body("true", "'a\\n0\\t0\\t0\\tb'"), "as a constant"),
    "constant that is JSON": (body("true", "'a\"],[0,0,0,\"b'"), "as a constant"),
    "constant with an escape": (body("true", "'\\e[31m'"), "as a constant"),
    "constant that turns the text": (body("true", "'\u202eabc'"), "as a constant"),
    "constant of another script": (body("true", "'é'"), "as a constant"),
    "constant that is a string": (body("true", '"near"'), "as a constant"),
    "constant that is a list": (body("true", "[]"), "as a constant"),
    "constant that is a float": (body("true", "1.5"), "as a constant"),
    "constant with 41 letters": (body("true", "a" * 41), "as a constant"),
}

META = {
    "call of a variable": (body("G = halt, G"), UNKNOWN_GOAL),
    "call/1": (body("G = halt, call(G)"), UNKNOWN_GOAL),
    "call/2 of a variable": (body("G = shell, call(G, ls)"), UNKNOWN_GOAL),
    "call of shell": (body("call(shell, ls)"), f"shell/1, {NOT_ALLOWED}"),
    "call of call": (body("call(call, halt)"), UNKNOWN_GOAL),
    "call of a list": (body("call([b])"), NOT_ALLOWED),
    "consult by a list": (body("[b]"), NOT_ALLOWED),
    "univ and call": (body("G =.. [shell, ls], call(G)"), UNKNOWN_GOAL),
    "maplist of shell": (body("maplist(shell, [ls])"), "shell/1"),
    "maplist of a variable": (body("G = shell, maplist(G, [ls])"), UNKNOWN_GOAL),
    "maplist of call": (body("maplist(call, [halt])"), UNKNOWN_GOAL),
    "foldl of assertz": (body("foldl(assertz, [a], [b], _)"), "assertz/3"),
    "include of halt": (body("include(halt, [0], _)"), "halt/1"),
    "predsort of a module": (body("predsort(user:foo, [a], _)"), "module"),
    "findall of halt": (body("findall(a, halt, _)"), "halt/0"),
    "forall of halt": (body("forall(true, halt)"), "halt/0"),
    "setof behind ^": (body("setof(a, Z^Y^halt, _)"), "halt/0"),
    "bagof of a variable": (body("G = halt, bagof(a, Z^G, _)"), UNKNOWN_GOAL),
    "aggregate_all of halt": (body("aggregate_all(count, halt, _)"), "halt/0"),
    "negated halt": (body("\\+ halt"), "halt/0"),
    "halt in a condition": (body("( halt -> true ; true )"), "halt/0"),
    "halt in a soft condition": (body("( true *-> halt ; true )"), "halt/0"),
    "halt as an argument": ("p(_, _, 1) :- q(halt).\nq(G) :- call(G).\n", UNKNOWN_GOAL),
    "halt in a closure": ("p(_, _, 1) :- q(halt).\nq(G) :- ignore(G).\n", UNKNOWN_GOAL),
    "halt of a module": (body("system:halt"), "module"),
    "halt of an unknown module": (body("M = system, M:halt"), "module"),
    "module in a closure": (body("maplist(system:shell, [ls])"), "module"),
    "@": (body("@(halt, system)"), NOT_ALLOWED),
    "apply": (body("apply(shell, [ls])"), NOT_ALLOWED),
    "catch": (body("catch(halt, _, true)"), NOT_ALLOWED),
    "catch_with_backtrace": (body("catch_with_backtrace(p(B, X, 2), _, true)"), NOT_ALLOWED),
    "call_cleanup": (body("call_cleanup(true, halt)"), NOT_ALLOWED),
    "setup_call_cleanup": (body("setup_call_cleanup(true, true, halt)"), NOT_ALLOWED),
    "freeze": (body("freeze(Y, halt), Y = 1"), NOT_ALLOWED),
    "when": (body("when(nonvar(Y), halt), Y = 1"), NOT_ALLOWED),
    "findnsols": (body("findnsols(1, a, halt, _)"), NOT_ALLOWED),
    "not": (body("not(shell(ls))"), "shell/1"),
    "delimited continuations": (body("reset(halt, _, _)"), NOT_ALLOWED),
    "an engine": (body("engine_create(a, halt, _)"), NOT_ALLOWED),
    "yall": (body("maplist([Y]>>shell(Y), [ls])"), ">>"),
    "dict in a goal": (body("_{a: 1}.put(b, 2) = _"), "dict"),
    "dict as a term": (body("Y = _{a: 1}, Y = Y"), "dict"),
    "zero arguments": (body("halt()"), "no goal"),
    "a goal that is a number": (body("3"), "no goal"),
    "a goal that is a string": (body('"halt"'), "no goal"),
}

MODULES = {
    "directive": (":- shell(ls).\n" + GOOD, "directive"),
    "directive in two lines": (":-\n shell(ls).\n" + GOOD, "directive"),
    "prefix directive": ("(:-)(shell(ls)).\n" + GOOD, "Syntax error"),
    "query": ("?- halt.\n" + GOOD, "query"),
    "initialization": (":- initialization(halt).\n" + GOOD, "directive"),
    "initialization as a fact": ("initialization(halt).\n" + GOOD, "cannot be defined"),
    "module directive": (":- module(system, [p/3]).\n" + GOOD, "directive"),
    "use_module": (":- use_module(library(process)).\n" + GOOD, "directive"),
    "clause for user": ("user:portray(_) :- halt.\n" + GOOD, "another module"),
    "clause for system": ("system:halt.\n" + GOOD, "another module"),
    "clause for the loader": ("gotools_background:allowed(shell(-)).\n" + GOOD, "another module"),
    "clause for a variable module": ("M:p(_, _, 1) :- true.\n" + GOOD, "another module"),
    "term expansion": ("term_expansion(_, []) :- halt.\n" + GOOD, "cannot be defined"),
    "goal expansion": ("goal_expansion(true, halt).\n" + GOOD, "cannot be defined"),
    "DCG": ("q --> [a], { halt }.\n" + GOOD, "grammar rule"),
    "DCG with pushback": ("q, [a] --> [b].\n" + GOOD, "grammar rule"),
    "single-sided rule": ("q(X) => halt.\n" + GOOD, "rule with =>"),
    "guarded rule": ("q(X), halt => true.\n" + GOOD, "rule with =>"),
    "op directive": (":- op(700, xfx, shell).\n" + GOOD, "directive"),
    "op in a body": (body("op(700, xfx, foo)"), NOT_ALLOWED),
    "flag": (":- set_prolog_flag(double_quotes, codes).\n" + GOOD, "directive"),
    "flag in a body": (body("set_prolog_flag(autoload, true)"), NOT_ALLOWED),
    "dynamic": (":- dynamic p/3.\n" + GOOD, "directive"),
    "multifile": (":- multifile user:portray/1.\n" + GOOD, "directive"),
    "portray of its own": ("portray(_) :- fail.\n" + GOOD, LEGAL),
    "message_hook of its own": ("message_hook(_, _, _) :- fail.\n" + GOOD, LEGAL),
    "exception of its own": ("exception(_, _, _).\n" + GOOD, LEGAL),
    "allowed of its own": ("allowed(halt).\nq :- halt.\n" + GOOD, "halt/0"),
    "member of its own": ("member(X, X).\np(_, X, Y) :- member(X, Y).\n", LEGAL),
    "true of its own": ("true :- fail.\n" + GOOD, "cannot be defined"),
    "is of its own": ("X is X.\n" + GOOD, "cannot be defined"),
    "atom_concat of its own": ("atom_concat(a, b, c).\n" + GOOD, "cannot be defined"),
    "$ of its own": ("'$load_context_module'(a, b, c).\n" + GOOD, "cannot be defined"),
    "vocabulary of its own": ("position(here, 9, cells).\n" + GOOD, "of the vocabulary"),
    "end_of_file": (GOOD + "end_of_file.\nq :- halt.\n", "end_of_file hides"),
    "end_of_file before the modes": ("whole:end_of_file.\n" + MODE + GOOD, "end_of_file hides"),
    "end_of_file at the end": (GOOD + "end_of_file.", LEGAL),
    "include": (":- include('/etc/passwd').\n" + GOOD, "directive"),
    "if": (":- if(halt).\n" + GOOD + ":- endif.\n", "directive"),
    "encoding": (":- encoding(utf16).\n" + GOOD, "directive"),
    "set_prolog_load_context": (body("prolog_load_context(directory, _)"), NOT_ALLOWED),
    "import_module": (body("add_import_module(user, system, start)"), NOT_ALLOWED),
    "assertz": (body("assertz(user:a)"), NOT_ALLOWED),
    "retract": (body("retract(a)"), NOT_ALLOWED),
    "abolish": (body("abolish(p/3)"), NOT_ALLOWED),
    "clause": (body("clause(p(_, _, _), _)"), NOT_ALLOWED),
    "current_op": (body("current_op(_, _, _)"), NOT_ALLOWED),
    "module transparent": (body("strip_module(a, _, _)"), NOT_ALLOWED),
}

GOALS = r"""
shell(ls)
shell(ls, _)
shell
halt
halt(0)
open(f, write, _)
open_null_stream(_)
see(f)
tell(f)
append(f)
consult(f)
load_files(f, [])
ensure_loaded(f)
use_module(library(lists))
delete_file(f)
rename_file(f, g)
make_directory(f)
delete_directory(f)
tmp_file(a, _)
exists_file(f)
directory_files('.', _)
working_directory(_, '/')
getenv(a, _)
setenv(a, b)
read(_)
read_term(_, [])
get_char(_)
write(a)
print(a)
nl
format(a)
format("~w", [a])
print_message(error, format(a, []))
writeq(a)
put_char(a)
with_output_to(string(_), true)
current_output(_)
set_output(user_error)
current_stream(_, _, _)
set_stream(user_error, alias(a))
stream_property(_, _)
close(user_error)
copy_stream_data(a, b)
use_foreign_library(foreign(a))
open_shared_object(a, _)
qcompile(a)
qsave_program(a)
prolog
trace
spy(p)
prolog_stack_property(_, _)
thread_create(true, _, [])
thread_self(_)
thread_send_message(main, a)
mutex_create(_)
message_queue_create(_)
with_mutex(a, true)
first_solution(_, [true], [])
concurrent_maplist(atom, [a])
alarm(1, true, _, [])
sleep(1)
call_with_time_limit(1, true)
call_with_depth_limit(true, 1, _)
call_with_inference_limit(true, 1, _)
prolog_alert_signal(_, _)
on_signal(int, _, _)
table(p/3)
abolish_all_tables
tnot(a)
untable(p/3)
current_table(_, _)
undefined
b_setval(a, 1)
b_getval(a, _)
nb_setval(a, 1)
nb_getval(a, _)
setarg(1, f(a), b)
nb_setarg(1, f(a), b)
recorda(a, b)
recorded(a, _)
flag(a, _, 1)
gensym(a, _)
reset_gensym
statistics(cputime, _)
get_time(_)
prolog_current_frame(_)
garbage_collect
random(1, 2, _)
random_between(1, 2, _)
random_member(_, [a])
random_permutation([a], _)
set_random(seed(1))
term_to_atom(_, 'halt')
atom_to_term('halt', _, _)
term_string(_, "halt")
read_term_from_atom(a, _, [])
sformat(_, a, [])
string_concat(a, b, _)
sub_atom(a, _, _, _, _)
atom_codes(a, _)
char_code(a, _)
atomic_list_concat([a], b, _)
string_code(1, a, _)
throw(a)
current_predicate(a/0)
predicate_property(a, _)
current_atom(_)
current_prolog_flag(_, _)
term_variables(a, _)
term_hash(a, _)
variant_sha1(a, _)
put_attr(_, a, b)
dif(a, b)
copy_predicate_clauses(a, b)
prolog_cut_to(_)
'$set_source_module'(user)
'$sig_atomic'(true)
'$tbl_variant_table'(_)
'$call_no_catch'(true)
tcp_socket(_)
process_create(a, [], _)
crypto_n_random_bytes(1, _)
numbervars(a, 0, _)
tab(3)
"""
"""What would change or read something outside, or say something new each time."""

OUTSIDE = {goal: (body(goal), NOT_ALLOWED) for goal in GOALS.split("\n") if goal}

NEST = "q(0, T, T).\nq(N, T, U) :- N > 0, M is N - 1, q(M, f(T, T), U).\n"
"""Shares its arguments, so that it is small in memory, and 2^N when it is walked through."""

ATOMS = {
    "atom_concat doubling": (
        "p(_, _, 1) :- q(40, a).\nq(0, _).\nq(N, A) :- N > 0, M is N - 1, atom_concat(A, A, C), q(M, C).\n",
        "memory",
    ),
    "list doubling": ("p(_, _, 1) :- q([a]).\nq(L) :- append(L, L, M), q(M).\n", "steps"),
    "atomic_list_concat doubling": (
        "p(_, _, 1) :- q(a).\nq(A) :- atomic_list_concat([A, A, A, A], C), q(C).\n",
        "memory",
    ),
    "many atoms": ("p(_, _, 1) :- between(1, inf, N), atom_concat(a, N, _), fail.\n", "steps"),
    "an atom of a million letters": (body(f"atom_length({'a' * 900_000}, N), N > 9"), LEGAL),
    "a long string": (body(f'Y = "{"a" * 900_000}", Y = Y'), "split it"),
    "atom_chars of a long list": (
        "p(_, _, 1) :- length(L, 10000000), q(L), atom_chars(_, L).\nq([]).\nq([a|L]) :- q(L).\n",
        "memory",
    ),
    "length of an open list": (body("length(L, N), N > 100000000"), "steps"),
    "numlist": (body("numlist(1, 1000000000, _)"), "steps"),
    "findall without end": (body("findall(Y, between(1, inf, Y), _)"), "steps"),
    "deep term": ("p(_, _, 1) :- q(a).\nq(T) :- q(f(T)).\n", "steps"),
    "deep term that is copied": (
        "p(_, _, 1) :- r(900000, a, T), copy_term(T, U), T == U.\n"
        "r(0, T, T).\n"
        "r(N, T, U) :- N > 0, M is N - 1, r(M, f(T), U).\n",
        "steps",
    ),
    "wide term": (body("functor(T, f, 10000000), T = T"), LEGAL),
    "very wide term": (body("functor(T, f, 1000000000), T = T"), "memory"),
    "cyclic term": (body("Y = f(Y), Y = Y"), LEGAL),
    "cyclic constant": (body("Y = f(Y)", "Y"), "as a constant"),
    "cyclic list": (body("Y = [a|Y], length(Y, _)"), "Type error"),
    "cyclic sum": (body("Y = 1 + Y, Z is Y, Z > 0"), "Type error"),
    "sharing that explodes": (
        "p(_, _, 1) :- q(60, a, T), T = T, copy_term(T, U), atom_length(U, _).\n" + NEST,
        "Type error",
    ),
    "comparison that explodes": ("p(_, _, 1) :- q(60, a, T), q(60, a, U), T == U.\n" + NEST, LEGAL),
    "unification that explodes": ("p(_, _, 1) :- q(60, _, T), q(60, _, U), T = U.\n" + NEST, LEGAL),
    "sort that is long": (body("numlist(1, 3000000, L), msort(L, _)"), "steps"),
}

NUMBERS = {
    "random": (body("Y is random(3), Y >= 0"), "random"),
    "random_float": (body("Y is random_float, Y > 2"), "random_float"),
    "cputime": (body("Y is cputime, Y > 0"), "cputime"),
    "realtime": (body("Y is realtime, Y > 0"), "realtime"),
    "random in a comparison": (body("random(9) > 2"), "random"),
    "random in a variable": (body("Y = random(3), Z is Y"), "random"),
    "random through the vocabulary": (body("point_at(B, random(5) + 1, 1, _)"), "random"),
    "random in sum_list": (body("sum_list([random(5)], Y), Y > 1"), "random"),
    "random in a total": (body("aggregate_all(sum(random(5)), true, Y), Y > 1"), "random"),
    "random that is made by =..": (body("Y =.. [random, 5], Z is Y"), "random"),
    "random that is made by functor": (body("functor(Y, random, 1), Y = random(2)"), "random"),
    "random as a constant": (body("Y is random", "Y"), "random"),
    "random by atom_concat": (body("atom_concat(ran, dom, Y), Z =.. [Y, 9], A is Z, A > 2"), "makes the atom random"),
    "random by a part of an atom": (
        body("atom_concat(Y, x, randomx), Z =.. [Y, 9], A is Z, A > 2"),
        "makes the atom random",
    ),
    "random by the end of an atom": (
        body("atom_concat(x, Y, xrandom), Z =.. [Y, 9], A is Z, A > 2"),
        "makes the atom random",
    ),
    "random by letters": (
        body("atom_chars(Y, [r, a, n, d, o, m]), Z =.. [Y, 9], A is Z, A > 2"),
        "makes the atom random",
    ),
    "cputime by a list": (body("atomic_list_concat([cpu, time], Y), Z is Y, Z > 0"), "makes the atom cputime"),
    "cputime in a closure": (body("maplist(atom_concat(cpu), [time], [Y]), Z is Y, Z > 0"), "makes the atom cputime"),
    "random from the list of what may not be named": (body("unrepeatable(F), Y is F, Y > 2"), "defined nowhere"),
    "that list by call": (body("call(unrepeatable, F), Y is F, Y > 2"), "defined nowhere"),
    "that list in findall": (body("findall(F, unrepeatable(F), L), msort(L, M), M = M"), "defined nowhere"),
    "that list in a closure": (body("maplist(unrepeatable, [F]), Y is F, Y > 2"), "defined nowhere"),
    "that list of its own": ("unrepeatable(1).\np(_, _, Y) :- unrepeatable(Y).\n", LEGAL),
    "the check of atoms that are made": (body("repeatable([a])"), NOT_ALLOWED),
    "a list of the loader": (body("evaluable([F|_]), F = F"), "defined nowhere"),
    "tables of the vocabulary": (body("'$tabled'(chains(_, _), M), M = M"), NOT_ALLOWED),
    "a wrapper of the vocabulary": (body("'$wrap$chains'(B, L), L = L"), "defined nowhere"),
    "random as a name": ("random(1).\n" + GOOD, "random"),
    "random as a mode's type": ("whole:modeb(*, p(+board, #random)).\np(_, 1).\n", "random"),
    "a literal of 900 KB": (body(f"Y = {'7' * 900_000}, Y > 2"), "second"),
    "a hexadecimal literal of 900 KB": (body(f"Y = 0x{'7' * 900_000}, Y > 2"), "second"),
    "a literal of radix 36": (body(f"Y = 36'{'Z' * 200_000}, Y > 2"), "digits"),
    "the digits of a float": (body(f"Y = 1.{'7' * 2000}e5, Y > 2"), LEGAL),
    "short literals of each kind": (
        body("Y = [0x1F_F, 0b1_1, 0o7, 36'Zz, 0'a, 0''', 1 000, 1_000, 1.5e3], Y = Y"),
        LEGAL,
    ),
    "a literal in groups": (body("Y = " + "_".join(["777"] * 600) + ", Y > 2"), "digits"),
    "a literal that is a fraction": (body("X is 1r3 ** 100000000"), "a fraction"),
    "a fraction that is computed": (body("Y is 1 rdiv 3, Z is Y ** 100000000, Z > 0"), "rdiv"),
    "a fraction from an atom": (body("atom_number('1r3', Y), Z is Y ** 10000000, Z > 0"), LEGAL),
    "a power": (body("Y is 7 ** (7 ** 11), Y > 0"), "memory"),
    "a power cubed": (body("Y is 2 ** 100000000, Z is Y * Y * Y, Z < 0"), "second"),
    "a power cubed as a constant": (body("Y is 2 ** 10000000, Z is Y ** 3", "Z"), "as a constant"),
    "a shift": (body("Y is 1 << 100000000000, Y > 0"), "memory"),
    "a shift without end": (body("Y is 1 << (1 << 70), Y > 0"), "memory"),
    "factorials": (
        "p(_, _, 1) :- q(300000, 1, _).\nq(0, N, N).\nq(K, N, M) :- K > 0, L is K - 1, O is K * N, q(L, O, M).\n",
        "second",
    ),
    "inf": (body("Y is inf, Y > 3"), LEGAL),
    "nan": (body("Y is nan, Y > 3"), LEGAL),
    "a large float": (body("Y is 1.0e308 * 10, Y > 3"), "overflow"),
    "division by zero": (body("Y is 1 // 0, Y > 3"), "zero_divisor"),
    "a string that is a number": (body('Y is "a" + 1, Y > 200'), LEGAL),
    "endless recursion": ("p(_, _, 1) :- p(_, _, 1), p(_, _, 1).\n", "steps"),
    "endless choice": (body("between(1, inf, Y), Y < 0"), "steps"),
    "5,001 answers": (body("between(1, 9999, Y)", "Y"), "more than"),
}

SHOWN = {
    "newline in an unknown goal": (body("'a\\nb'(1)"), "defined nowhere"),
    "escape in an unknown goal": (body("'\\e[31mred'(1)"), "defined nowhere"),
    "C1 control in an unknown goal": (body("'\x9b31mred'(1)"), "defined nowhere"),
    "text turned in an unknown goal": (body("'\u202eabc'(1)"), "defined nowhere"),
    "line separator in an unknown goal": (body("'a\u2028b'(1)"), "defined nowhere"),
    "a long name in an unknown goal": (body(f"{'a' * 100_000}(1)"), "calls aaaa"),
    "newline in an error": (body("Y is 'a\\nb' + 1, Y > 1"), "a"),
    "escape in an error": (body("Y is '\\e[2J' + 1, Y > 1"), "not a function"),
    "format directives in an error": (body("Y is '~w~a~p~@' + 1, Y > 1"), "not a function"),
    "a long name in an error": (body(f"Y is {'a' * 100_000} + 1, Y > 1"), "aaaa"),
    "a goal in an error": (body("atom_length(f(halt), _)"), "Type error"),
    "newline in a head": ("'a\\nb':q.\n" + GOOD, "another module"),
    "markup in an unknown goal": (body("'[bold red]x[/]'(1)"), "[bold red]x[/]"),
    "a comment with an escape": ("whole:% \x1b[2J red\n" + MODE + GOOD, LEGAL),
    "a comment with carriage returns": ("whole:% a\rrule(r1, 1, 0, 9).\r\n" + MODE + GOOD, LEGAL),
    "other ends of lines": ("whole:% a\x0bb\x0cc\u2028d\u0085e\n" + MODE + GOOD, LEGAL),
    "comments without end": ("whole:" + "/*" * 400_000, "Syntax error"),
    "quotes without end": ("whole:" + "'\\'" * 300_000, "Syntax error"),
    "many brackets": ("p(_, _, " + "(" * 5000 + "1" + ")" * 5000 + ").\n", LEGAL),
    "far too many brackets": (body("X = " + "(" * 300_000 + "1" + ")" * 300_000), "too deep"),
    "many operators": (body("X = " + "- " * 19_000 + "1"), "split it"),
    "far too many operators": (body("X = " + "- " * 400_000 + "1"), "split it"),
    "a long list": (body("X = [" + "a," * 400_000 + "a]"), "split it"),
    "many clauses": ("q(1).\n" * 5000 + GOOD, LEGAL),
    "many modes": ("whole:" + "".join(f"modeb(*, p{k}(+coord_x)).\np{k}(1).\n" for k in range(300)), LEGAL),
    "far too many modes": (
        "whole:" + "".join(f"modeb(*, p{k}(+coord_x)).\np{k}(1).\n" for k in range(1100)),
        "more than 1,000 modes",
    ),
    "NUL": ("whole:" + MODE + GOOD + "\0", "binary"),
    "a byte order mark": ("whole:\ufeff" + MODE + GOOD, LEGAL),
}

TABLES = {
    "forged": FORGED, "meta": META, "modules": MODULES, "outside": OUTSIDE,
    "atoms": ATOMS, "numbers": NUMBERS, "shown": SHOWN,
}  # fmt: skip
CASES = {case: attack for table in TABLES.values() for case, attack in table.items()}


def text_of(case: str) -> str:
    text = CASES[case][0]
    return text.removeprefix("whole:") if text.startswith("whole:") else MODE + text
