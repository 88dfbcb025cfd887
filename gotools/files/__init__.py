"""Files of every kind: opened, read in lines, recognised, written whole or not at all.

opening     paths and globs, gzip, stdin and stdout; outputs that appear when they are complete
writing     folders that appear when they are complete, files that only grow; temporary
lines       text in parts: lines of a bounded length, parts as a stream
tables      tables: header and rows; cells, ids of games
converting  the same tables as CSV; as Parquet: parquet
members     files and members of archives alike; archives
kinds       what each kind of file is called, how it is recognised, the columns of its tables
json_text   values as JSON that every program reads
validating  JSON compared with the schemas in schemas/
outputs     which files a command may write
"""
