"""Rules: written, induced, measured, shown."""
