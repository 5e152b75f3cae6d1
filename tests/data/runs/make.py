#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make.py OUT: the files of this directory, trained and saved by the frameworks themselves."""
import os
import sys

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch import nn

STEPS = (5, 10, 15)


def net(seed):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))


def train(model, optimizer, scheduler, rank):
    for number in range(5):
        random = torch.Generator().manual_seed(1000 * rank + number + int(torch.initial_seed() % 1000))
        optimizer.zero_grad()
        ((model(torch.randn(8, 4, generator=random)) - torch.randn(8, 2, generator=random)) ** 2).mean().backward()
        optimizer.step()
        scheduler.step()


def tools(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    return optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)


class Stated:
    def __init__(self, state):
        self.state = state

    def state_dict(self):
        return self.state

    def load_state_dict(self, state):
        pass


def place(*parts):
    path = os.path.join(*parts)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def rank_files(root, rank, world, seed):
    model = net(seed)
    wrapped = nn.parallel.DistributedDataParallel(model)
    optimizer, scheduler = tools(wrapped)
    for step in STEPS:
        train(wrapped, optimizer, scheduler, rank)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "scheduler": scheduler.state_dict(), "rank": rank}
        torch.save(state, place(root, "rank_files", "step_%d_rank_%d.pt" % (step, rank)))


def sharded(root, rank, world, seed):
    from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, get_optimizer_state_dict
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    mesh, model = init_device_mesh("cpu", (world,)), net(seed)
    for layer in model:
        if isinstance(layer, nn.Linear):
            fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    optimizer, scheduler = tools(model)
    for step in STEPS:
        train(model, optimizer, scheduler, rank)
        weights = get_model_state_dict(model)
        moments = get_optimizer_state_dict(model, optimizer, options=StateDictOptions(flatten_optimizer_state_dict=True))
        counted = {"step": torch.tensor(step, dtype=torch.int32), "ntokens_seen": torch.tensor(step * 100)}
        dcp.save({**weights, "optimizer": Stated(moments), "lr_scheduler": Stated(scheduler.state_dict()), "train_state": Stated(counted),
                  "dataloader": Stated({"dp_rank_%d" % rank: b"abc", "world_size": world})}, checkpoint_id=os.path.join(root, "titan", "step-%d" % step))
        dcp.save({"model": weights}, checkpoint_id=os.path.join(root, "dcp_parts", "step_%d" % step, "model"))
        dcp.save({"optim": moments}, checkpoint_id=os.path.join(root, "dcp_parts", "step_%d" % step, "optim"))


def accelerated(root, rank, world, seed):
    from accelerate import Accelerator
    torch.manual_seed(seed)
    accelerator = Accelerator(cpu=True)
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(400, 4), torch.randn(400, 2)), batch_size=4)
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    model, *rest = accelerator.prepare(model, *tools(model), data)
    optimizer, scheduler, data = rest
    for step, (given, wanted) in enumerate(data, 1):
        accelerator.backward(((model(given) - wanted) ** 2).mean())
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
        if step in STEPS:
            accelerator.save_state(os.path.join(root, "accelerate", "step_%d" % step))
        if step == STEPS[-1]:
            break
    accelerator.wait_for_everyone()


def work(rank, world, port, seed, root):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), WORLD_SIZE=str(world), LOCAL_RANK=str(rank),
                      ACCELERATE_USE_CPU="true", CUDA_VISIBLE_DEVICES="")
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    for layout in (rank_files, sharded, accelerated):
        layout(root, rank, world, seed)
        dist.barrier()
    dist.destroy_process_group()


def lightning(root, seed):
    import lightning

    class Module(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(4, 2)

        def training_step(self, batch, _):
            return ((self.layer(batch[0]) - batch[1]) ** 2).mean()

        def configure_optimizers(self):
            return torch.optim.AdamW(self.parameters())

    lightning.seed_everything(seed)
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(40, 4), torch.randn(40, 2)), batch_size=4)
    saver = lightning.pytorch.callbacks.ModelCheckpoint(os.path.join(root, "lightning"), every_n_train_steps=5, save_top_k=-1, save_last=True)
    lightning.Trainer(max_steps=15, accelerator="cpu", logger=False, enable_progress_bar=False, callbacks=[saver]).fit(Module(), data)


if __name__ == "__main__":
    for number, name in enumerate(("a", "b")):
        out = os.path.join(sys.argv[1], name)
        mp.spawn(work, args=(2, 29620 + number, number + 1, out), nprocs=2)
        lightning(out, number + 1)
