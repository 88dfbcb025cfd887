"""Files of every kind: opened, read in lines, recognised, written whole or not at all.

opening     paths and globs, gzip, stdin and stdout; outputs that appear when they are complete
folders     folders that appear when they are complete
appending   files that only grow
lines       lines of text, of a bounded length
tables      tables: header, rows, cells
parquet     the same tables as Parquet: parquet_reading, parquet_writing; as CSV: csv_writing; both: converting
streams     parts of bytes as a stream
archives    members of tar and zip archives
members     files and members of archives alike; archived
ids         names of games, each given once
kinds       what a file holds, by its first bytes
outputs     which files a command may write
"""
