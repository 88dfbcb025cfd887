"""Try whether one engine does what a tournament needs; `engine.check_engine` is the whole of it."""
