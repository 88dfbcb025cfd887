"""Say what files hold: as text, as JSON, and as one web page of many.

parts      what a page consists of: sections of facts, tables, figures, games to replay
contents   what one file holds, facts and tables, as text or JSON
showing    what a file is, and who says what it holds: `SHOWN`; the same as a section of a page
of_tables  tables, logs of training, JSON; of_weights, of_rules, of_runs (tournaments; of_run_games), of_lessons
of_games   records of Go, with what rules and learned values say of them; game_sizes: how large a game is
judged     what rules and values say of games, rule_study: how each rule does
svg        elements of SVG, every text escaped
boards     a board of Go as SVG; patterns: a rule as a small board; charts: lines with intervals, bars
replay     games as the data that replay.js shows
page       the page of sections as HTML, with page.html, page.css and replay.js; pictures: each drawing as a file
report     from files to the page; inputs: what the files are
"""
