"""An engine behind GTP: its process and pipes, its answers, its client."""
