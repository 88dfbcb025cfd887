"""Files of every kind: opened, read in lines, recognised, written whole or not at all.

opening     paths and globs, gzip, stdin and stdout; outputs that appear when they are complete
appending   files that only grow
lines       lines of text, of a bounded length
tables      tables: header, rows, cells
archives    members of tar and zip archives
ids         names of games, each given once
kinds       what a file holds, by its first bytes
outputs     which files a command may write
"""
