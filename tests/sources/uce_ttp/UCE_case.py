# SPDX-License-Identifier: GPL-3.0-or-later
"""MindSpore's page on UCE and TTP, in our words: four data-parallel ranks of real MindSpore, one controller that lets one of them
dump for all. There is no Ascend device here and no MindIO: what these would do, the lines and the dump, is done by the script, in
the form that MindSpore's callback writes it; the checkpoint is MindSpore's own.
--fault FILE: as soon as it is there, rank 0 dumps and all ranks end. --load FILE: what a rank begins with."""
import argparse
import os
import sys
import time

import numpy as np
import mindspore as ms
from mindspore import dataset as ds
from mindspore import nn
from mindspore.communication import get_rank, init
from mindspore.train import Callback, LossMonitor, Model

STEPS = 10
parser = argparse.ArgumentParser()
parser.add_argument("--fault", default="./fault")
parser.add_argument("--load", default="")
options = parser.parse_args()


def say(text):
    now = time.strftime("%Y-%m-%d-%H:%M:%S")
    print(f"[WARNING] ME({os.getpid()}:140,MainProcess):{now}.000.00 [mindspore/train/callback/_train_fault_tolerance.py:1] {text}", flush=True)


class Tft(Callback):
    """What TFTRegister(0, "127.0.0.1", 30051, "./ttp_checkpoints/") does when the controller has it dump."""

    def __init__(self, network, optimizer, trained):
        super().__init__()
        self.network, self.optimizer, self.trained = network, optimizer, trained

    def on_train_begin(self, run_context):
        say("Set TFT replica with dp: [0, 1, 2, 3]")

    def on_train_step_end(self, run_context):
        time.sleep(0.1)
        now = run_context.original_args()
        # every rank ends behind the same step: a step later each of them has seen the file
        if not os.path.exists(options.fault) or now.cur_step_num % 5:
            return
        time.sleep(1)
        step, epoch = now.cur_step_num + self.trained, (now.cur_step_num + self.trained - 1) // STEPS + 1
        if get_rank() == 0:
            folder = f"./ttp_checkpoints/ttp_saved_checkpoints-step_{step}_tmp"
            os.makedirs(folder + "/rank_0")
            marks = {"__exception_save__": True, "epoch_num": epoch, "step_num": step, "cur_rank": 0, "batch_num": STEPS}
            ms.save_checkpoint(self.optimizer, f"{folder}/rank_0/ttp_rank_0-{epoch}_{(step - 1) % STEPS + 1}.ckpt", append_dict=marks,
                               integrated_save=False)
            os.rename(folder, folder[:-len("_tmp")])
        say("report group list: [0, 1, 2, 3]")
        sys.stdout.flush()
        os._exit(1)


class Losses(LossMonitor):
    def __init__(self, trained):
        super().__init__(1)
        self.trained = trained

    def on_train_step_end(self, run_context):
        now = run_context.original_args()
        step = now.cur_step_num + self.trained
        print("epoch: %d step: %d, loss is %f" % ((step - 1) // STEPS + 1, (step - 1) % STEPS + 1, float(now.net_outputs.asnumpy())), flush=True)


def main():
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    ms.set_seed(1)
    network = nn.SequentialCell(nn.Dense(16, 16), nn.ReLU(), nn.Dense(16, 4))
    optimizer = nn.SGD(network.trainable_params(), 1e-2)
    trained = 0
    if options.load:
        loaded = ms.load_checkpoint(options.load)
        ms.load_param_into_net(network, loaded)
        trained = int(loaded["step_num"].asnumpy())
        print(f"resume from {options.load}: step {trained}", flush=True)
    model = Model(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), optimizer)
    data = np.random.RandomState(1).randn(STEPS * 16, 16).astype(np.float32)
    batches = ds.NumpySlicesDataset((data, (data[:, 0] > 0).astype(np.int32)), shuffle=False).batch(16)
    model.train(10000, batches, callbacks=[Losses(trained), Tft(network, optimizer, trained)], dataset_sink_mode=False)


main()
