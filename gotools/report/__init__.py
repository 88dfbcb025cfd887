"""Make one web page of what files of ours hold.

parts      what a page consists of: sections of facts, tables, figures, games to replay
svg        elements of SVG, every text escaped
boards     a board of Go as SVG
patterns   a rule as a small board
charts     lines with intervals, intervals by name, bars
replay     games as the data that replay.js shows
inputs     what the files are; judged: what rules and values say of games, rule_study: how each rule does
of_runs    a tournament; of_run_games its games
of_rules   rules, with example positions
of_games   records of Go, with what rules and learned values say of them
of_lessons what separates players
of_tables  ratings, logs of training and all else that `gotools show` knows
page       the page of sections as HTML, with page.html, page.css and replay.js
pictures   each drawing as a file
report     from files to the page, and to SVG files
"""
