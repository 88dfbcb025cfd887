"""Players against players: engines that speak GTP, and the games between them."""
