% Read, check and run a user's predicates (--background FILE.pl) inside SWI-Prolog; called by background.py alone, in a
% process of its own with limits on memory, time and files (prolog_worker.py).
%
% Nothing of a file runs while it is loaded: its text is read term by term, each clause is checked against a list of
% predicates that are pure and read-only, and only then added to a module of its own. library(sandbox) would allow more:
% clocks, output, state that outlives a question.
% Answers are JSON in ASCII. user_error is a file: the line or the predicate that Prolog is at, for when it is killed.
%
%     system  <-  gotools_vocabulary (a game's, the position's facts, lists, ...)  <-  gotools_user_N (one file)

:- module(gotools_background, [start_vocabulary/1, load_text/3, prepare/2, run/3, repeatable/1]).

% Libraries that others name as a source for autoloading are loaded at once: the process cannot open files later.
:- set_prolog_flag(autoload, false).

:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- use_module(library(pairs)).
:- use_module(library(terms), [term_size/2]).

:- dynamic template/3.          % template(Module, Number, t(Board, Colour, X, Y, Block, Frame, Constants, Goal));
                                % X is the move in other games than Go; Block 0 and Frame none where there is none

% Memory for one goal's terms and for tables, in bytes: far more than a sane predicate takes.
:- set_prolog_flag(stack_limit, 268435456).
:- set_prolog_flag(table_space, 134217728).

% All in this one thread, so that the same question takes the same steps; nothing is printed.
:- set_prolog_gc_thread(false).
:- set_stream(user_error, buffer(line)).
:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.
user:message_hook(_, _, _).

% Calls a goal may make. Board, chains and all: a vocabulary predicate on a full 19x19 board stays below 100,000.
inference_limit(1000000).

% Different answers (blocks with constants) of one goal.
most_answers(5000).

% Answers after which run/3 returns what it has.
answers_at_once(50000).

% Cells of memory of one clause: some 3,000 goals. What compiles and checks a clause recurses over it.
largest_clause(20000).

% Digits of a number in the text.
most_digits(1000).

% ---- arithmetic ----
% What may be evaluated. The other functions of SWI-Prolog say something new each time (random, random_float, cputime),
% or compute with fractions, whose digits grow without end. Arithmetic evaluates terms that are made as it runs, so such
% a function is kept out by its name: unrepeatable/1 may stand nowhere in a file, and no atom with it may be made.
evaluable([+, -, *, /, //, mod, rem, div, **, ^, abs, sign, copysign, min, max, gcd, lcm, eval]).
evaluable([<<, >>, /\, \/, \, xor, msb, lsb, popcount, getbit]).
evaluable([floor, ceil, ceiling, round, truncate, integer, float, float_fractional_part, float_integer_part]).
evaluable([sqrt, exp, log, log10, log2, sin, cos, tan, asin, acos, atan, atan2]).
evaluable([sinh, cosh, tanh, asinh, acosh, atanh, numerator, denominator]).
evaluable([e, pi, inf, nan, epsilon]).

:- dynamic unrepeatable/1.
unrepeatable(random).
unrepeatable(random_float).
unrepeatable(cputime).
unrepeatable(realtime).

find_unrepeatable :-
    forall(( current_arithmetic_function(Function), functor(Function, Name, _) ),
           ( ( unrepeatable(Name) ; evaluable(Names), memberchk(Name, Names) ) -> true
           ; assertz(unrepeatable(Name)) )).

:- initialization(find_unrepeatable, now).

% ---- the vocabulary's module ----
:- dynamic frame/2, fact/1.      % frame(Code, Name); fact(Head): a predicate that the facts of a position define

%   start_vocabulary(+File): load the vocabulary of a game; once, before anything else.
start_vocabulary(File) :-
    set_module(gotools_vocabulary:base(system)),
    forall(member(L, [aggregate, apply, lists, ordsets, pairs, sort]),
           use_module(gotools_vocabulary:library(L))),
    load_files(gotools_vocabulary:File, [silent(true)]),
    forall(( current_predicate(gotools_vocabulary:Name/Arity), functor(Head, Name, Arity), is_fact(Head) ),
           assertz(fact(Head))),
    findall(Frame, gotools_vocabulary:pos_gen(Frame), Frames),
    forall(nth0(Code, Frames, Frame), assertz(frame(Code, Frame))).

is_fact(Head) :- in_vocabulary(Head), predicate_property(gotools_vocabulary:Head, dynamic).

% A built-in predicate that can make an atom which is not in the file: each file's module gets one of its own that looks
% at what was made. (To redefine it in gotools_vocabulary would not do: what is built in is found before.)
makes_atoms(atom_concat(A, B, C), [A, B, C]).
makes_atoms(atom_chars(A, _), [A]).
makes_atoms(atomic_list_concat(_, A), [A]).

guard(Module) :-
    forall(makes_atoms(Goal, Made),
           ( redefine_system_predicate(Module:Goal),
             assertz(Module:(Goal :- system:Goal, gotools_background:repeatable(Made))) )).

repeatable([]).
repeatable([Text|More]) :-
    ( atom(Text), unrepeatable(Text) -> fault("makes the atom ~q, which a background file may not name", [Text])
    ; repeatable(More) ).

% What the game's file defines or says that facts define; names with $ are those by which SWI-Prolog keeps its tables.
in_vocabulary(Goal) :-
    functor(Goal, Name, _),
    \+ sub_atom(Name, 0, 1, _, $),
    predicate_property(gotools_vocabulary:Goal, defined),
    \+ predicate_property(gotools_vocabulary:Goal, imported_from(_)),
    \+ predicate_property(system:Goal, built_in).

% Load now what error messages and refusals need later.
load_messages :-
    ignore('$in_library'(append, 3, _)),
    one_line(error(type_error(evaluable, a/0), context(system:(is)/2, _)), _).

:- initialization(load_messages).

% ---- loading ----

%   load_text(+Module, +Text, -Answer): {"refused": [line, why]}, or {"clauses": [[line, name, arity], ...], "modes":
%   [[line, name, [argument, ...]], ...]}, each with an empty list in front.
load_text(Module, Text, Answer) :-
    catch(load_checked(Module, Text, Answer), Error, refusal(Error, Answer)),
    !.
load_text(_, _, Answer) :- refusal(refused(0, "this is no background file"), Answer).

refusal(Error, Answer) :-
    ( Error = refused(Line, What) -> true ; Line = 0, one_line(Error, What) ),
    with_output_to(string(Answer), ( format("{\"refused\":[~d,", [Line]), write_json(What), write("]}") )).

% write_json(Text): as a string of JSON, in ASCII, so that nothing in a text is anything but text.
write_json(Text) :-
    string_codes(Text, Codes),
    put_char('"'),
    forall(member(Code, Codes), write_code(Code)),
    put_char('"').

write_code(Code) :- memberchk(Code, [0'", 0'\\]), !, put_char(\), put_code(Code).
write_code(Code) :- Code >= 32, Code < 127, !, put_code(Code).
write_code(Code) :- Code > 0xffff, !,
    High is 0xd800 + ((Code - 0x10000) >> 10), Low is 0xdc00 + ((Code - 0x10000) /\ 0x3ff),
    write_code(High), write_code(Low).
write_code(Code) :-
    write("\\u"),
    forall(member(Shift, [12, 8, 4, 0]), ( Digit is Code >> Shift /\ 15, format("~16r", [Digit]) )).

load_checked(Module, Text, Answer) :-
    set_module(Module:base(gotools_vocabulary)),
    op(200, fy, Module:(#)),
    guard(Module),
    setup_call_cleanup(open_string(Text, Stream), read_all(Stream, Module, Terms), close(Stream)),
    foldl(sort_term, Terms, []-[], Reversed-Modes),
    reverse(Reversed, Clauses),
    maplist(check_head, Clauses),
    findall(Key, ( member(clause(_, Head, _), Clauses), functor(Head, Name, Arity), Key = Name/Arity ), All),
    sort(All, Keys),
    forall(member(Key, Keys), dynamic(Module:Key)),     % so that check_goal/3 knows them
    maplist(check_clause(Module), Clauses),
    maplist(add_clause(Module), Clauses),
    with_output_to(string(Answer), report(Keys, Clauses, Modes)).

read_all(Stream, Module, Terms) :-
    line_count(Stream, Before),
    at(Before),
    catch(read_term(Stream, Term, [module(Module), term_position(Position), syntax_errors(error), cycles(false)]),
          Error, refuse_syntax(Error, Before)),
    stream_position_data(line_count, Position, Line),
    term_size(Term, Size),
    largest_clause(Largest),
    ( Size > Largest -> refuse(Line, "a clause of more than some ~D names; split it", [3000]) ; true ),
    check_names(Term, Line),
    ( Term == end_of_file
    -> ( at_end_of_stream(Stream) -> Terms = []
       ; refuse(Line, "end_of_file hides the rest of the file; take it out", []) )
    ;  Terms = [Line-Term|More], read_all(Stream, Module, More) ).

% at(Number): the line of a file, or the predicate asked, in case this process does not live to say it.
at(Number) :- format(user_error, "~d~n", [Number]).

% check_names(Term, Line): no name of unrepeatable/1 anywhere, no number without end, no dict.
check_names(Term, _) :- var(Term), !.
check_names(Term, Line) :- number(Term), !,
    ( \+ rational(Term) -> true
    ; \+ integer(Term) -> refuse(Line, "~w is a fraction; a background file may not compute with them", [Term])
    ; most_digits(Most), abs(Term) >= 10 ** Most -> refuse(Line, "a number of more than ~D digits", [Most])
    ; true ).
check_names(Term, Line) :- is_dict(Term), !, refuse(Line, "a dict; write plain terms", []).
check_names(Term, Line) :- compound(Term), !,
    compound_name_arity(Term, Name, Arity),
    check_name(Name, Line),
    forall(between(1, Arity, N), ( arg(N, Term, Argument), check_names(Argument, Line) )).
check_names(Term, Line) :- check_name(Term, Line).

check_name(Name, Line) :-
    ( atom(Name), unrepeatable(Name)
    -> refuse(Line, "names ~q, a function of chance, time or fractions, which a background file may not", [Name])
    ; true ).

refuse_syntax(error(syntax_error(What), Where), Before) :-
    ( Where = stream(_, Line, _, _), Line > 0 -> true ; Line = Before ),
    one_line(error(syntax_error(What), _), Message),
    refuse(Line, "~w", [Message]).
refuse_syntax(Error, _) :- throw(Error).

sort_term(Line-Term, Clauses-Modes, Clauses2-Modes2) :-
    ( var(Term) -> refuse(Line, "a variable is no clause", []) ; true ),
    ( not_clause(Term, Why) -> refuse(Line, Why, []) ; true ),
    ( Term = modeb(Recall, Mode)
    -> check_recall(Line, Recall),
       Clauses2 = Clauses, Modes2 = [mode(Line, Mode)|Modes]
    ;  ( Term = (Head :- Body) -> true ; Head = Term, Body = true ),
       Clauses2 = [clause(Line, Head, Body)|Clauses], Modes2 = Modes ).

not_clause((:- _), "a directive; nothing of a background file is run as it is loaded; modes are facts: modeb(*, ...).").
not_clause((?- _), "a query; nothing of a background file is run as it is loaded").
not_clause((_ --> _), "a grammar rule; write plain clauses").
not_clause((_ => _), "a rule with =>; write plain clauses with :-").
not_clause(modeh(_, _), "modeh; the head of a rule is always move/4, only modeb facts are needed").

check_recall(Line, Recall) :-
    ( Recall == * -> true
    ; integer(Recall), Recall > 0 -> true
    ; refuse(Line, "the recall of a mode is * or a number: modeb(*, ...)", []) ).

refuse(Line, Format, Arguments) :-
    format(string(What), Format, Arguments),
    throw(refused(Line, What)).

check_head(clause(Line, Head, _)) :-
    ( callable(Head), Head \= (_:_), \+ is_dict(Head), \+ no_arguments(Head) -> true
    ; Head = (_:_) -> refuse(Line, "a clause for another module", [])
    ; refuse(Line, "no clause: a name in small letters is wanted", []) ),
    functor(Head, Name, Arity),
    ( in_vocabulary(Head) -> refuse(Line, "~q is of the vocabulary and cannot be defined anew", [Name/Arity])
    ; own_name(Name, Head) -> refuse(Line, "~q is SWI-Prolog's own and cannot be defined", [Name/Arity])
    ; true ).

own_name(_, Head) :- predicate_property(system:Head, built_in).
own_name(Name, _) :- sub_atom(Name, 0, 1, _, $).
own_name(Name, _) :- memberchk(Name, [term_expansion, goal_expansion, modeb, modeh]).

no_arguments(Term) :- compound(Term), compound_name_arity(Term, _, 0).

check_clause(Module, clause(Line, _, Body)) :-
    at(Line),
    check_goal(Body, Line, Module).

add_clause(Module, clause(Line, Head, Body)) :-
    catch(assertz(Module:(Head :- Body)), Error, true),
    ( var(Error) -> true ; one_line(Error, Message), refuse(Line, "~w", [Message]) ).

% check_goal(Goal, Line, Module): Goal calls only the file's own predicates, the vocabulary, and what allowed/1 lists.
check_goal(Goal, Line, _) :- var(Goal), !,
    refuse(Line, "calls what is not known before it runs (a variable)", []).
check_goal(Goal, Line, _) :- ( \+ callable(Goal) ; is_dict(Goal) ; no_arguments(Goal) ), !,
    refuse(Line, "~q is no goal", [Goal]).
check_goal(_:_, Line, _) :- !,
    refuse(Line, "calls a predicate of a module by name", []).
check_goal(Goal, Line, Module) :-
    functor(Goal, Name, Arity),
    ( current_predicate(Module:Name/Arity), \+ predicate_property(Module:Goal, imported_from(_)) -> true
    ; in_vocabulary(Goal) -> true
    ; functor(Allowed, Name, Arity), allowed(Allowed)
    -> ( compound(Allowed)
       -> forall(arg(N, Allowed, Kind), ( arg(N, Goal, Argument), check_argument(Kind, Argument, Line, Module) ))
       ; true )
    ; ( predicate_property(user:Goal, defined) ; '$in_library'(Name, Arity, _) )
    -> refuse(Line, "calls ~q, which a background file may not", [Name/Arity])
    ; refuse(Line, "calls ~q, which is defined nowhere", [Name/Arity]) ).

check_argument(-, _, _, _) :- !.
check_argument(^, Goal, Line, Module) :- nonvar(Goal), Goal = _^Inner, !, check_argument(^, Inner, Line, Module).
check_argument(^, Goal, Line, Module) :- !, check_goal(Goal, Line, Module).
check_argument(0, Goal, Line, Module) :- !, check_goal(Goal, Line, Module).
check_argument(Extra, Closure, Line, Module) :-
    ( callable(Closure), Closure \= _:_
    -> Closure =.. List, length(More, Extra), append(List, More, Full), Goal =.. Full,
       check_goal(Goal, Line, Module)
    ; check_goal(Closure, Line, Module) ).

% What a background file may call: `-` a plain argument, 0 a goal, 1.. a goal that lacks this number of arguments.
% catch/3 is missing because it could catch the limits; what writes, asserts, reads clocks or draws numbers is, too.
allowed((0, 0)).            allowed((0 ; 0)).            allowed((0 -> 0)).          allowed((0 *-> 0)).
allowed(\+ 0).              allowed(!).                  allowed(true).              allowed(fail).
allowed(false).             allowed(call(0)).            allowed(call(1, -)).        allowed(call(2, -, -)).
allowed(call(3, -, -, -)).  allowed(call(4, -, -, -, -)). allowed(once(0)).          allowed(ignore(0)).
allowed(not(0)).            allowed(forall(0, 0)).       allowed(findall(-, 0, -)).  allowed(findall(-, 0, -, -)).
allowed(bagof(-, ^, -)).    allowed(setof(-, ^, -)).     allowed(aggregate_all(-, 0, -)).
allowed(aggregate_all(-, -, 0, -)).
allowed(- = -).             allowed(- \= -).             allowed(- == -).            allowed(- \== -).
allowed(- @< -).            allowed(- @> -).             allowed(- @=< -).           allowed(- @>= -).
allowed(compare(-, -, -)).  allowed(- is -).             allowed(- =:= -).           allowed(- =\= -).
allowed(- < -).             allowed(- > -).              allowed(- =< -).            allowed(- >= -).
allowed(between(-, -, -)).  allowed(succ(-, -)).         allowed(plus(-, -, -)).
allowed(var(-)).            allowed(nonvar(-)).          allowed(integer(-)).        allowed(float(-)).
allowed(number(-)).         allowed(atom(-)).            allowed(atomic(-)).         allowed(compound(-)).
allowed(callable(-)).       allowed(ground(-)).          allowed(is_list(-)).        allowed(functor(-, -, -)).
allowed(arg(-, -, -)).      allowed(- =.. -).            allowed(copy_term(-, -)).   allowed(atom_concat(-, -, -)).
allowed(atom_length(-, -)). allowed(atom_chars(-, -)).   allowed(atom_number(-, -)). allowed(atomic_list_concat(-, -)).
allowed(append(-, -)).      allowed(append(-, -, -)).    allowed(member(-, -)).      allowed(memberchk(-, -)).
allowed(length(-, -)).      allowed(nth0(-, -, -)).      allowed(nth1(-, -, -)).     allowed(last(-, -)).
allowed(reverse(-, -)).     allowed(select(-, -, -)).    allowed(selectchk(-, -, -)). allowed(delete(-, -, -)).
allowed(exclude(1, -, -)).  allowed(include(1, -, -)).   allowed(partition(1, -, -, -)).
allowed(maplist(1, -)).     allowed(maplist(2, -, -)).   allowed(maplist(3, -, -, -)). allowed(maplist(4, -, -, -, -)).
allowed(foldl(3, -, -, -)). allowed(foldl(4, -, -, -, -)). allowed(predsort(3, -, -)).
allowed(sort(-, -)).        allowed(sort(-, -, -, -)).   allowed(msort(-, -)).       allowed(keysort(-, -)).
allowed(sum_list(-, -)).    allowed(max_list(-, -)).     allowed(min_list(-, -)).    allowed(max_member(-, -)).
allowed(min_member(-, -)).  allowed(numlist(-, -, -)).   allowed(flatten(-, -)).     allowed(list_to_set(-, -)).
allowed(subtract(-, -, -)). allowed(intersection(-, -, -)). allowed(union(-, -, -)). allowed(subset(-, -)).
allowed(list_to_ord_set(-, -)). allowed(ord_memberchk(-, -)). allowed(ord_union(-, -, -)).
allowed(ord_subtract(-, -, -)). allowed(ord_intersection(-, -, -)).
allowed(pairs_keys_values(-, -, -)). allowed(pairs_keys(-, -)). allowed(pairs_values(-, -)).

report(Keys, Clauses, Modes) :-
    write("{\"clauses\":[[]"),
    forall(member(Name/Arity, Keys),
           ( functor(Head, Name, Arity),
             memberchk(clause(Line, Head, _), Clauses),
             format(",[~d,", [Line]), write_json(Name), format(",~d]", [Arity]) )),
    write("],\"modes\":[[]"),
    reverse(Modes, InOrder),
    forall(member(mode(Line, Mode), InOrder),
           ( callable(Mode), \+ is_dict(Mode) -> compound_or_atom(Mode, Name, Arguments), report_mode(Line, Name, Arguments)
           ; refuse(Line, "no mode: modeb(*, name(+board, ...)) is wanted", []) )),
    write("]}").

compound_or_atom(Mode, Name, Arguments) :-
    ( compound(Mode) -> compound_name_arguments(Mode, Name, Arguments) ; Name = Mode, Arguments = [] ).

report_mode(Line, Name, Arguments) :-
    format(",[~d,", [Line]), write_json(Name), write(",["),
    forall(nth0(N, Arguments, Argument), ( ( N > 0 -> write(",") ; true ), report_argument(Argument) )),
    write("]]").

report_argument(Argument) :-
    ( nonvar(Argument), Argument =.. [Sign, Type], memberchk(Sign, [+, -, #]), atom(Type)
    -> atom_concat(Sign, Type, Text)
    ; shortened(Argument, 4, Short), format(string(Text), "~W", [Short, [quoted(true), numbervars(true)]]) ),
    write_json(Text).

% ---- running ----

%   prepare(+Module, +Templates): say how the predicates with modes are called.
prepare(Module, Templates) :-
    retractall(template(Module, _, _)),
    forall(nth1(Number, Templates, Template), assertz(template(Module, Number, Template))).

%   run(+Module, +Items, -Answer): Items are p(Facts), which puts a position named `here` on the table, and
%   c(Predicate, Colour, X, Y, Block), a question about it. Answer: {"answers": [[], [question, frame 0..7, block,
%   constants...], ...], "done": questions}, or {"failed": [predicate, why]}. One position is there at a time, so that no
%   answer hangs on which others are in the batch.
run(Module, Items, Answer) :-
    catch(with_output_to(string(Answer), ( write("{\"answers\":[[]"), ask(Items, 0, 0, Module) )),
          Error, report_failure(Error, Answer)),
    clear.

report_failure(Error, Answer) :-
    nb_getval(gotools_asked, Predicate),
    ( Error = fault(What) -> true ; one_line(Error, What) ),
    with_output_to(string(Answer), ( format("{\"failed\":[~d,", [Predicate]), write_json(What), write("]}") )).

clear :-
    forall(fact(Head), retractall(gotools_vocabulary:Head)),
    abolish_all_tables.

ask([], Number, _, _) :- format("],\"done\":~d}", [Number]).
ask([p(Facts)|Items], Number, Said, Module) :-
    clear,
    forall(member(Fact, Facts), assertz(gotools_vocabulary:Fact)),
    ask(Items, Number, Said, Module).
ask([c(Predicate, Colour, X, Y, Block)|Items], Number, Said, Module) :-
    nb_setval(gotools_asked, Predicate),
    at(Predicate),
    template(Module, Predicate, Template),
    Template = t(here, Colour, X, Y, Named, Frame, Constants, Goal),
    ( Block > 0 -> Named = Block ; true ),
    ( var(Frame) -> findall(Code-Name, frame(Code, Name), Frames) ; Frames = [0-Frame] ),
    aggregate_all(sum(Count),
                  ( member(Code-Frame, Frames),
                    answers(Module:Goal, Named, Constants, Answers),
                    forall(member(A, Answers), write_answer(Number, Code, A)),
                    length(Answers, Count) ),
                  Here),
    Next is Number + 1,
    Said2 is Said + Here,
    answers_at_once(Most),
    ( Said2 > Most -> ask([], Next, Said2, Module) ; ask(Items, Next, Said2, Module) ).

% answers(Goal, Block, Constants, Answers): the different values [Block|Constants] for which Goal holds.
answers(Goal, Block, Constants, Answers) :-
    inference_limit(Limit),
    Checked = ( Goal, check_block(Block), check_constants(Constants) ),
    call_with_inference_limit(findall([Block|Constants], Checked, All), Limit, Result),
    ( Result == inference_limit_exceeded -> fault("needs more than ~D steps for one answer; is it endless?", [Limit])
    ; true ),
    sort(All, Answers),
    length(Answers, Count),
    most_answers(Most),
    ( Count > Most -> fault("gives more than ~D answers for one point", [Most]) ; true ).

% fault(Format, Arguments): end the batch with what is wrong with the predicate that is asked.
fault(Format, Arguments) :-
    format(string(What), Format, Arguments),
    throw(fault(What)).

% Answers are checked one by one, before they are copied: a constant is what a rules file can hold.
check_block(Block) :-
    ( integer(Block), Block >= 0, Block =< 361 -> true
    ; shown(Block, Text),
      fault("gives ~w as a block; a block is named by a number, as in block_on_pos/7", [Text]) ).

check_constants([]).
check_constants([Value|Values]) :-
    ( integer(Value), abs(Value) =< 9999 -> true
    ; atom(Value), plain_atom(Value) -> true
    ; shown(Value, Text),
      fault("gives ~w as a constant; a constant is a whole number up to 9999 or a plain atom", [Text]) ),
    check_constants(Values).

plain_atom(Atom) :-
    atom_length(Atom, Length), Length >= 1, Length =< 40,
    atom_codes(Atom, [First|Codes]),
    First >= 0'a, First =< 0'z,
    forall(member(Code, Codes), ( Code < 128, code_type(Code, csym) )).

shown(Whole, Text) :-
    shortened(Whole, 4, Value),
    ( var(Whole) -> Text = "no value (an unbound variable)"
    ; format(string(Text), "~W", [Value, [quoted(true), numbervars(true)]]) ).

% Numbers and plain atoms alone (check_block/1, check_constants/1): nothing in an answer can be mistaken for another.
write_answer(Number, Frame, [Block|Constants]) :-
    format(",[~d,~d,~d", [Number, Frame, Block]),
    forall(member(Constant, Constants),
           ( integer(Constant) -> format(",~d", [Constant]) ; format(",\"~w\"", [Constant]) )),
    put_char(']').

% one_line(Error, Text): SWI-Prolog's message without line breaks.
one_line(error(resource_error(What), _), Text) :- !,
    ( atom(What) -> Name = What ; Name = memory ),
    format(atom(Text), "not enough memory (~w); is it endless?", [Name]).
one_line(Error, Text) :-
    ( catch(message_text(Error, Long), _, fail) -> true ; Long = "an error that cannot be shown" ),
    split_string(Long, "\n\r\t ", "\n\r\t ", Words0),
    exclude(==(""), Words0, Words),
    atomic_list_concat(Words, ' ', Atom),
    ( sub_atom(Atom, 0, 300, _, Start) -> atom_concat(Start, ' ...', Text) ; Text = Atom ).

message_text(Error, Text) :-
    ( Error = error(Formal, Context)
    -> shortened(Formal, 6, Short0),
       ( nonvar(Context), Context = context(Where, _) -> Short = error(Short0, context(Where, _)) ; Short = error(Short0, _) )
    ; shortened(Error, 6, Short) ),
    '$messages':translate_message(Short, Lines, []),
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)).

% shortened(Term, Depth, Short): without what is deep, long or huge: to write that takes for ever, or ends the process.
shortened(Term, _, '$VAR'('_')) :- var(Term), !.
shortened(Term, _, Short) :- integer(Term), !, ( abs(Term) < 10**18 -> Short = Term ; Short = huge_number ).
shortened(Term, _, Term) :- \+ compound(Term), !.
shortened(_, 0, ...) :- !.
shortened(Term, Depth, Short) :-
    compound_name_arguments(Term, Name, Arguments),
    length(Arguments, Count),
    ( Count > 8 -> Short = ...
    ; Less is Depth - 1,
      findall(Argument, ( member(Any, Arguments), shortened(Any, Less, Argument) ), Shorter),
      compound_name_arguments(Short, Name, Shorter) ).
