# SPDX-License-Identifier: GPL-3.0-or-later
"""ResNet50 for PyTorch after MindX DL's adaptation, in our words, with a small network: --resume is a switch, the file is that
of the first folder ./rank* that a glob meets; device 0 of each node saves over rank_R/model_best.pth.tar when the accuracy has
risen, and nothing else is saved. Its arguments, log lines and layout are the adaptation's. Ranks count on gloo."""
import argparse
import glob
import os
import time

import torch
import torch.distributed as dist

STEPS = 5


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("--data", "--dist-url", "--dist-backend", "--resume"):
        parser.add_argument(name, default="")
    parser.add_argument("--seed", type=int, default=49)
    parser.add_argument("--epoch", type=int, default=90)
    parser.add_argument("--learning-rate", type=float, default=0.05)
    args = parser.parse_args()
    args.rank, args.world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    args.gpu = int(os.environ["LOCAL_RANK"])
    args.start_epoch = 0
    return args


def resume(args, model, optimizer):
    """Whichever folder comes first; the best accuracy so far."""
    found = ""
    for folder in glob.glob(f"./rank*"):
        path = os.path.join(folder, "model_best.pth.tar")
        if os.path.exists(path):
            found = path
            break
    if not found:
        print("no valid ckpt found to resume.", flush=True)
        return 0.0
    print("[gpu id:", args.gpu, "]", "=> loading checkpoint '{}'".format(found), flush=True)
    checkpoint = torch.load(found, map_location="cpu")
    args.start_epoch = checkpoint["epoch"]
    model.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    print("[gpu id:", args.gpu, "]", "=> loaded checkpoint '{}' (epoch {})".format(found, checkpoint["epoch"]), flush=True)
    return checkpoint["best_acc1"]


def save_checkpoint(state, is_best, save_path):
    if is_best:
        target = os.path.join(save_path, "model_best.pth.tar")
        torch.save(state, target)
        print(f"save ckpt to {target} done. Best epoch for now is :{state['epoch']}", flush=True)


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    dist.init_process_group(args.dist_backend, init_method=args.dist_url, world_size=args.world, rank=args.rank)
    model = torch.nn.Linear(16, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.learning_rate, momentum=0.9, weight_decay=1e-4)
    best = resume(args, model, optimizer) if args.resume else 0.0
    nodes = int(os.environ["NODES"])
    data = torch.randn(64, 16, generator=torch.Generator().manual_seed(1))
    target = (data @ torch.randn(16, 4, generator=torch.Generator().manual_seed(2))).argmax(1)
    for epoch in range(args.start_epoch, args.epoch):
        for step in range(STEPS):
            began = time.monotonic()
            loss = torch.nn.functional.cross_entropy(model(data), target)
            optimizer.zero_grad()
            loss.backward()
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad)
                parameter.grad /= args.world
            optimizer.step()
            time.sleep(0.1)
            print("[gpu id: {} ] Epoch: [{}][ {}/{}]\tTime {:6.3f} ({:6.3f})\tLoss {:.4e} ({:.4e})\tAcc@1 {:6.2f} ({:6.2f})".format(
                args.gpu, epoch, step, STEPS, time.monotonic() - began, 0.1, loss.item(), loss.item(), 0, 0), flush=True)
        accuracy = -loss.item()  # it rises for as long as the loss falls
        if args.rank % (args.world // nodes) == 0:  # device 0 of each node
            folder = f"./rank_{args.rank}"
            os.makedirs(folder, exist_ok=True)
            save_checkpoint({"epoch": epoch + 1, "arch": "resnet50", "state_dict": model.state_dict(), "best_acc1": max(accuracy, best or accuracy),
                             "optimizer": optimizer.state_dict()}, best == 0 or accuracy > best, folder)
        best = max(accuracy, best or accuracy)


main()
