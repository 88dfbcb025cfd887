"""Work on several cores (workers.py), and on many machines (cluster/)."""
