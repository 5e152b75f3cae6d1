# SPDX-License-Identifier: GPL-3.0-or-later
"""The loader with a restore strategy: the generator of mindx_elastic says which ranks' dying gasps serve whom, by the
recorded faults and the group files, and overwrites what the environment says."""
import ast
import json
import os

from rank import RANK, SIZE, arguments, fields, load_checkpoint, newest, restore_checkpoint, train


def group_of(rank):
    path = os.environ["GROUP_INFO_FILE"]
    root = os.path.dirname(os.path.dirname(path))
    with open(os.path.join(root, f"device{rank}", os.path.basename(path)), "rb") as file:
        ranks = next(value for number, value in fields(file.read()) if number == 2)
    return tuple(sorted(value for number, value in fields(ranks) if number == 1))


class RestoreStrategyGenerator:
    """In our own words what the package does: -1 without a recorded fault, else of each group the smallest rank that is
    not faulty."""

    def gen_fault_tolerance_strategy(self):
        try:
            with open(os.environ["FAULT_NPUS"]) as file:
                faults = {int(rank) for rank in ast.literal_eval(file.read()).get("FaultRankIds", [])}
        except OSError:
            faults = set()
        if not faults:
            return "-1", {"-1": -1}
        chosen = {}
        for group in {group_of(rank) for rank in range(SIZE)}:
            left = [rank for rank in group if rank not in faults]
            if not left:
                return "-1", {"-1": -1}
            chosen[",".join(map(str, group))] = min(left)
        return ",".join(map(str, sorted(set(chosen.values())))), json.dumps(chosen)


def get_exception_checkpoints(args):
    files = []
    for rank in os.environ["RESTORE_RANKS"].split(","):
        found = newest(os.path.join(args.save_checkpoint_path, f"rank_{rank}"), f"{args.ckpt_name_prefix}*_breakpoint.ckpt")
        if not found:
            return None
        files.append(found[0])
    return files


def restore_exception_checkpoint(args):
    restore_ranks, restore_dict = RestoreStrategyGenerator().gen_fault_tolerance_strategy()
    print(f"restore ranks: {restore_ranks}, restore dict: {restore_dict}", flush=True)
    os.environ["RESTORE_RANKS"], os.environ["RESTORE_RANKS_MAP"] = restore_ranks, str(restore_dict)
    if restore_ranks == "-1":
        return None
    files = get_exception_checkpoints(args)
    if not files or len({os.path.getsize(file) for file in files}) > 1:
        return None
    source = RANK
    for ranks, rank in json.loads(os.environ["RESTORE_RANKS_MAP"]).items():
        if str(RANK) in ranks.split(","):
            source = rank
    print(f"loading map rank id {source}", flush=True)
    files = newest(os.path.join(args.save_checkpoint_path, f"rank_{source}"), f"{args.ckpt_name_prefix}*breakpoint.ckpt")
    print(f" checkpoint files {files[0]}", flush=True)
    loaded = load_checkpoint(files[0])
    print(f" checkpoint param dict epoch num {loaded.get('epoch_num')}", flush=True)
    return loaded


args = arguments()
train(restore_exception_checkpoint(args) or restore_checkpoint(args))
