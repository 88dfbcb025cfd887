"""From results of games to strengths: reading results, rating models, sequential tests. It knows nothing of boards."""
