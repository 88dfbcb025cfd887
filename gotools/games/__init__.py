"""Games other than Go, a file each, and what all share: records (records, text_games), examples, replays."""
