"""What a tournament came to: standings, gates, and the forms in which they are told."""
