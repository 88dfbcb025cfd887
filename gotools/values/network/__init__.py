"""The network with a policy and a value: shape, samples, games by search, training by PyTorch (model, descent)."""
