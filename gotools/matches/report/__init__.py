"""The result of a tournament: standings, gates, and reports in several forms."""
