"""The client side of GTP: a program behind a pipe.

process   starts it, reads and writes with time limits, ends it and its children
answers   its output -> answers
client    commands -> answers
bridged   engines that speak USI
"""
