"""Rules as C.

plan      a clause as steps
c_source  rules -> C (with c_tables, rules_runtime.c and gotools_rules.h)
build     C -> a library, by the compiler of the system
native    a loaded library
"""
