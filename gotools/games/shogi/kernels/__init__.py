"""The rules of shogi, compiled."""
