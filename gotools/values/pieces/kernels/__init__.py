"""Learning of networks over pieces, compiled."""
