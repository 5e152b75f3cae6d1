# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads every byte that a story has left on its nodes and in the console's state directory, for a planted secret."""
import os
import re

from checks import check

PLANTED = "planted-3f9c'7\"51"
PIECE = b"planted-3f9c"  # however the rest is quoted


def check_secrets(directory, state, allowed):
    """Only files whose path within DIRECTORY begins with one of ALLOWED may have the secret: the job file, and the scripts
    of the launch. The files that Rankdeck wrote are for their owner alone."""
    has, wide = [], []
    for folder, _, names in os.walk(directory):
        for path in (os.path.join(folder, name) for name in names):
            if not os.path.isfile(path):
                continue
            with open(path, "rb") as file:
                if PIECE in file.read():
                    has.append(os.path.relpath(path, directory))
            if re.search(r"/slurm-\d+\.out$", path):
                continue  # Slurm writes it, in a directory that is closed
            inside = "/.rankdeck/" in path or path.startswith(state)
            if inside and os.stat(path).st_mode & 0o77:
                wide.append(path)
    check(not [path for path in has if not path.startswith(allowed)], "no file but the launch's own has a secret of launch.env: " + str(has))
    check(not wide, "and what Rankdeck wrote is for its owner alone: " + str(wide))
