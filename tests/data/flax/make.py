#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make.py OUT: the files of this directory, a short training by flax and optax, saved by flax itself."""
import os
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
import flax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import checkpoints, train_state


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(3)(nn.tanh(nn.Dense(5)(x)))


def main():
    flax.config.update("flax_use_orbax_checkpointing", False)
    net = Net()
    params = net.init(jax.random.PRNGKey(0), jnp.ones((1, 4)))["params"]
    state = train_state.TrainState.create(apply_fn=net.apply, params=params, tx=optax.adam(1e-2))
    loss = jax.grad(lambda p, x: ((net.apply({"params": p}, x) - 1) ** 2).mean())
    for step in range(1, 31):
        state = state.apply_gradients(grads=loss(state.params, jax.random.normal(jax.random.PRNGKey(step), (8, 4))))
        if step in (20, 30):
            checkpoints.save_checkpoint(os.path.abspath(sys.argv[1]), state, step=step, keep=9, overwrite=True)


if __name__ == "__main__":
    main()
