% Read, check and run a user's predicates (--background FILE.pl) inside SWI-Prolog; called by background.py alone.
%
% Nothing of a file runs while it is loaded: its text is read term by term, each clause is checked against a list of
% predicates that are pure and read-only, once more by library(sandbox), and only then added to a module of its own.
%
%     system  <-  gotools_vocabulary (go/background.pl, the position's facts, lists, ...)  <-  gotools_user_N (one file)

:- module(gotools_background, [load_text/3, prepare/2, run/3]).

:- use_module(library(aggregate)).
:- use_module(library(apply)).
:- use_module(library(lists)).
:- use_module(library(ordsets)).
:- use_module(library(pairs)).
:- use_module(library(sandbox)).
:- use_module(library(time)).

:- dynamic template/3.          % template(Module, Number, t(Board, Colour, X, Y, Block, Frame, Constants, Goal));
                                % Block 0 and Frame none where the predicate has no such argument

% Memory for one goal's terms, in bytes: far more than a sane predicate takes, far less than a small machine has.
:- set_prolog_flag(stack_limit, 268435456).

% Calls a goal may make. Board, chains and all: a vocabulary predicate on a full 19x19 board stays below 100,000.
inference_limit(1000000).

% Seconds that stop what makes no calls, such as between(1, inf, X), fail. Dynamic, so that a test need not wait.
:- dynamic time_limit/1.
time_limit(20).

% Seconds of CPU after which run/3 returns what it has, so that Ctrl-C is heeded.
quota(1.0).

% Different constants, and different answers (blocks with constants), of one goal.
most_constants(200).
most_answers(5000).

% Cells of memory of one clause: some 3,000 goals. What compiles and checks a clause recurses over it.
largest_clause(20000).

% ---- the vocabulary's module ----
:- dynamic gotools_vocabulary:to_play/2, gotools_vocabulary:ko/3, gotools_vocabulary:last_move/3.
:- dynamic gotools_vocabulary:last_but_one/3.

start_vocabulary :-
    set_module(gotools_vocabulary:base(system)),
    forall(member(L, [aggregate, apply, lists, ordsets, pairs]),
           use_module(gotools_vocabulary:library(L))),
    module_property(gotools_background, file(Here)),
    file_directory_name(Here, Folder),
    atom_concat(Folder, '/../go/background.pl', File),
    load_files(gotools_vocabulary:File, [silent(true)]).

:- initialization(start_vocabulary, now).

in_vocabulary(Goal) :-
    predicate_property(gotools_vocabulary:Goal, defined),
    \+ predicate_property(gotools_vocabulary:Goal, imported_from(_)),
    \+ predicate_property(system:Goal, built_in).

% ---- loading ----

%   load_text(+Module, +Text, -Answer): one line "refused, line, why", or a line "clause, line, name, arity" for each
%   predicate and a line "mode, line, name, argument, ..." for each mode; with tabs between.
load_text(Module, Text, Answer) :-
    time_limit(Seconds),
    catch(call_with_time_limit(Seconds, load_checked(Module, Text, Answer)), Error, refusal(Error, Answer)),
    !.
load_text(_, _, "refused\t0\tthis is no background file").

refusal(refused(Line, What), Answer) :- !, format(string(Answer), "refused\t~d\t~w", [Line, What]).
refusal(Error, Answer) :-
    one_line(Error, Message),
    format(string(Answer), "refused\t0\t~w", [Message]).

load_checked(Module, Text, Answer) :-
    set_module(Module:base(gotools_vocabulary)),
    op(200, fy, Module:(#)),
    setup_call_cleanup(open_string(Text, Stream), read_all(Stream, Module, Terms), close(Stream)),
    foldl(sort_term, Terms, []-[], Reversed-Modes),
    reverse(Reversed, Clauses),
    maplist(check_head, Clauses),
    findall(Key, ( member(clause(_, Head, _), Clauses), functor(Head, Name, Arity), Key = Name/Arity ), All),
    sort(All, Keys),
    forall(member(Key, Keys), dynamic(Module:Key)),     % empty for now: the sandbox looks at one clause at a time
    maplist(check_clause(Module), Clauses),
    maplist(add_clause(Module), Clauses),
    with_output_to(string(Answer), ( report_clauses(Keys, Clauses), report_modes(Modes) )).

read_all(Stream, Module, Terms) :-
    line_count(Stream, Before),
    catch(read_term(Stream, Term, [module(Module), term_position(Position), syntax_errors(error), cycles(false)]),
          Error, refuse_syntax(Error, Before)),
    stream_position_data(line_count, Position, Line),
    term_size(Term, Size),
    largest_clause(Largest),
    ( Size > Largest -> refuse(Line, "a clause of more than some ~D names; split it", [3000]) ; true ),
    ( Term == end_of_file
    -> Terms = []
    ;  Terms = [Line-Term|More], read_all(Stream, Module, More) ).

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
    check_goal(Body, Line, Module),
    catch(safe_goal(Module:Body), Error, true),
    ( var(Error) -> true
    ; Error == time_limit_exceeded -> throw(Error)
    ; one_line(Error, Message), refuse(Line, "not safe: ~w", [Message]) ).

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
    ; predicate_property(user:Goal, visible)
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

% What a background file may call: `-` a plain argument, 0 a goal, 1.. a goal short of so many arguments.
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

report_clauses(Keys, Clauses) :-
    forall(member(Name/Arity, Keys),
           ( functor(Head, Name, Arity),
             memberchk(clause(Line, Head, _), Clauses),
             format("clause\t~d\t~w\t~d~n", [Line, Name, Arity]) )).

report_modes(Modes) :-
    reverse(Modes, InOrder),
    forall(member(mode(Line, Mode), InOrder),
           ( callable(Mode) -> Mode =.. [Name|Arguments], report_mode(Line, Name, Arguments)
           ; refuse(Line, "no mode: modeb(*, name(+board, ...)) is wanted", []) )).

report_mode(Line, Name, Arguments) :-
    format("mode\t~d\t~w", [Line, Name]),
    forall(member(Argument, Arguments), ( write('\t'), report_argument(Argument) )),
    nl.

report_argument(Argument) :-
    ( nonvar(Argument), Argument =.. [Sign, Type], memberchk(Sign, [+, -, #]), atom(Type)
    -> format("~w~w", [Sign, Type])
    ; shortened(Argument, 4, Short), write_term(Short, [quoted(true), numbervars(true)]) ).

% ---- running ----

%   prepare(+Module, +Templates): say how the predicates with modes are called.
prepare(Module, Templates) :-
    retractall(template(Module, _, _)),
    forall(nth1(Number, Templates, Template), assertz(template(Module, Number, Template))).

%   run(+Module, +Items, -Answer): Items are p(Size, Cells, ToPlay, Facts), which puts a position named `here` on the
%   table, and c(Predicate, Colour, X, Y, Block), a question about it. Answer: a line "question, frame 0..7, block,
%   constants..." for each answer, and at the end "done, questions" or "failed, predicate, why"; with tabs between. One
%   position is there at a time, so that no answer hangs on which others are in the batch.
run(Module, Items, Answer) :-
    statistics(cputime, Start),
    quota(Quota),
    End is Start + Quota,
    time_limit(Limit),
    with_output_to(string(Answer),
                   catch(call_with_time_limit(Limit, ask(Items, 0, End, Module)), Error, report_failure(Error))),
    clear.

report_failure(failed(Predicate, What)) :- !, format("failed\t~d\t~w~n", [Predicate, What]).
report_failure(time_limit_exceeded) :- !,
    nb_getval(gotools_asked, Predicate),
    time_limit(Limit),
    format("failed\t~d\ttook more than ~d seconds; is it endless?~n", [Predicate, Limit]).
report_failure(Error) :-
    nb_getval(gotools_asked, Predicate),
    one_line(Error, Message),
    format("failed\t~d\t~w~n", [Predicate, Message]).

clear :-
    retractall(gotools_vocabulary:position(_, _, _)),
    retractall(gotools_vocabulary:to_play(_, _)),
    retractall(gotools_vocabulary:ko(_, _, _)),
    retractall(gotools_vocabulary:last_move(_, _, _)),
    retractall(gotools_vocabulary:last_but_one(_, _, _)),
    abolish_all_tables.

ask([], Number, _, _) :- format("done\t~d~n", [Number]).
ask([p(Size, Text, ToPlay, Facts)|Items], Number, End, Module) :-
    clear,
    atom_chars(Text, List),
    Cells =.. [cells|List],
    assertz(gotools_vocabulary:position(here, Size, Cells)),
    assertz(gotools_vocabulary:to_play(here, ToPlay)),
    forall(member(Fact, Facts), assertz(gotools_vocabulary:Fact)),
    ask(Items, Number, End, Module).
ask([c(Predicate, Colour, X, Y, Block)|Items], Number, End, Module) :-
    nb_setval(gotools_asked, Predicate),
    template(Module, Predicate, Template),
    Template = t(here, Colour, X, Y, Named, Frame, Constants, Goal),
    ( Block > 0 -> Named = Block ; true ),
    ( var(Frame) -> frames(Frames) ; Frames = [0-Frame] ),
    forall(member(Code-Frame, Frames),
           ( answers(Module:Goal, Named, Constants, Predicate, Answers),
             forall(member(A, Answers), write_answer(Number, Code, A)) )),
    Next is Number + 1,
    statistics(cputime, Now),
    ( Now > End -> format("done\t~d~n", [Next]) ; ask(Items, Next, End, Module) ).

frames([0-p1, 1-p2, 2-p3, 3-p4, 4-p5, 5-p6, 6-p7, 7-p8]).

% answers(Goal, Block, Constants, Predicate, Answers): the different values [Block|Constants] for which Goal holds.
answers(Goal, Block, Constants, Predicate, Answers) :-
    inference_limit(Limit),
    Checked = ( Goal, check_block(Block), check_constants(Constants) ),
    catch(call_with_inference_limit(findall([Block|Constants], Checked, All), Limit, Result), Error, true),
    ( nonvar(Error) -> explain(Error, Predicate) ; true ),
    ( Result == inference_limit_exceeded
    -> format(string(What), "needs more than ~D steps for one answer; is it endless?", [Limit]),
       throw(failed(Predicate, What))
    ; true ),
    sort(All, Answers),
    check_count(Answers, Predicate).

check_count(Answers, Predicate) :-
    length(Answers, Count),
    most_constants(Most),
    ( Count =< Most -> true
    ; most_answers(Most2), Count > Most2
    -> format(string(What), "gives more than ~D answers for one point", [Most2]), throw(failed(Predicate, What))
    ; findall(Constants, member([_|Constants], Answers), All),
      sort(All, Different),
      length(Different, Count2),
      Count2 > Most
    -> format(string(What), "gives more than ~D different constants", [Most]), throw(failed(Predicate, What))
    ; true ).

explain(time_limit_exceeded, _) :- !, throw(time_limit_exceeded).
explain(strange(What), Predicate) :- !, throw(failed(Predicate, What)).
explain(Error, Predicate) :- one_line(Error, What), throw(failed(Predicate, What)).

% Answers are checked one by one, before they are copied: a constant is what a rules file can hold.
check_block(Block) :-
    ( integer(Block), Block >= 0, Block =< 361 -> true
    ; shown(Block, Text),
      format(string(What), "gives ~w as a block; a block is named by a number, as in block_on_pos/7", [Text]),
      throw(strange(What)) ).

check_constants([]).
check_constants([Value|Values]) :-
    ( integer(Value), abs(Value) =< 9999 -> true
    ; atom(Value), plain_atom(Value) -> true
    ; shown(Value, Text),
      format(string(What), "gives ~w as a constant; a constant is a whole number up to 9999 or a plain atom", [Text]),
      throw(strange(What)) ),
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

write_answer(Number, Frame, [Block|Constants]) :-
    format("~d\t~d\t~w", [Number, Frame, Block]),
    forall(member(Constant, Constants), format("\t~w", [Constant])),
    nl.

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
