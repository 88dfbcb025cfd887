"""What knows neither files nor games: errors, text for a terminal, interrupts, memory, clocks, phases, settings."""
