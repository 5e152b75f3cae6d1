# SPDX-License-Identifier: GPL-3.0-or-later
"""The loader without a restore strategy: the newest dying gasp of the rank's own folder comes before any periodic file."""
import os

from rank import RANK, arguments, load_checkpoint, newest, restore_checkpoint, train


def restore_exception_checkpoint(args):
    files = newest(os.path.join(args.save_checkpoint_path, f"rank_{RANK}"), f"{args.ckpt_name_prefix}*breakpoint.ckpt")
    if not files:
        return None
    print(f" checkpoint files {files[0]}", flush=True)
    loaded = load_checkpoint(files[0])
    print(f" checkpoint param dict epoch num {loaded.get('epoch_num')}", flush=True)
    return loaded


args = arguments()
train(restore_exception_checkpoint(args) or restore_checkpoint(args))
