"""Problems solved by proof-number search, for `gotools solve`.

answers   the settings, an answer, the table of them
solving   problems -> answers
"""
