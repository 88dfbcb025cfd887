"""Check whether an engine supports what a tournament needs: see `engine.check_engine`."""
