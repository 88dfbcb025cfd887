"""Decisions of Go: boards as arrays of bytes, and what is made of them for logic systems.

examples  GoExamples: a decision in each row, read, written and drawn; packed into two bits a point
export    folders for Aleph and Popper, and facts for Prolog
"""
