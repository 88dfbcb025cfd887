"""One file a command: options, one call into the library, a plain file. No logic, and no heavy import at the top.

options                   options and checks that commands share
usage                     help pages, and one line for what is typed wrong
progress                  the bar
sgf_to_examples ...       the commands
"""
