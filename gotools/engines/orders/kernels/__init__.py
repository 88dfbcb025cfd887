"""The searches, compiled; no_knowledge holds the ordering and the evaluation that know nothing."""
