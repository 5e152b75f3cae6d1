#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make.py OUT: the files of this directory, written by numpy itself, as scripts of JAX save a TrainState: parameters and
the moments of Adam under their paths, and the step."""
import os
import sys

import numpy as np


def state(step, rank):
    random = np.random.default_rng(1000 * rank + step)
    kernel = random.standard_normal((16, 8)).astype(np.float32)
    return {"params/dense/kernel": kernel, "params/dense/bias": np.zeros(8, np.float32), "opt_state/0/mu/dense/kernel": kernel * 0.1,
            "opt_state/0/nu/dense/kernel": (kernel * 0.01).astype(np.float16), "opt_state/0/count": np.int32(step), "step": np.int64(step)}


def main():
    out = sys.argv[1]
    for rank in range(2):
        os.makedirs(f"{out}/rank_{rank}", exist_ok=True)
        for step in (100, 200):
            np.savez(f"{out}/rank_{rank}/state_step_{step}.npz", **state(step, rank))
    np.savez_compressed(f"{out}/compressed.npz", **state(200, 0))
    np.savez(f"{out}/weights.npz", kernel=state(200, 0)["params/dense/kernel"])
    np.savez(f"{out}/objects.npz", kernel=state(200, 0)["params/dense/kernel"], config=np.array({"lr": 1}, dtype=object))
    fortran = np.asfortranarray(state(200, 0)["params/dense/kernel"])
    np.savez(f"{out}/order.npz", kernel=fortran, big=fortran.astype(">f8"), text=np.array("adam"), half=np.ones(3, np.float16))


if __name__ == "__main__":
    main()
