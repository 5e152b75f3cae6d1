# SPDX-License-Identifier: GPL-3.0-or-later
"""MindSpore's page on fault recovery, in our words: one process, ModelCheckpoint with append_info, a fault behind the sixth epoch, and
then the page's second half: a script of one's own takes the newest file of ./lenet by its time of creation, and trains on from
its epoch_num as initial_epoch. No option names a file and no line is printed about it, as on the page. FAULT=no: it trains on.
"""
import os
import time

import numpy as np
import mindspore
from mindspore import dataset as ds
from mindspore import nn
from mindspore.train import Callback, CheckpointConfig, LossMonitor, Model, ModelCheckpoint

mindspore.set_context(mode=mindspore.GRAPH_MODE, device_target="CPU")
mindspore.set_seed(1)
ckpt_path = "./lenet"


class myCallback(Callback):
    def __init__(self, break_epoch_num=6):
        super(myCallback, self).__init__()
        self.epoch_num = 0
        self.break_epoch_num = break_epoch_num

    def step_end(self, run_context):
        time.sleep(0.1)

    def epoch_end(self, run_context):
        self.epoch_num += 1
        if self.epoch_num == self.break_epoch_num and os.environ.get("FAULT") != "no":
            raise Exception("Some errors happen.")


def newest():
    filenames = os.listdir(ckpt_path) if os.path.isdir(ckpt_path) else []
    # Filter all CheckPoint file names
    ckptnames = [ckpt for ckpt in filenames if ckpt.endswith(".ckpt")]
    if not ckptnames:
        return None
    # Sort CheckPoint file names from oldest to newest in order of creation
    ckptnames.sort(key=lambda ckpt: os.path.getctime(ckpt_path + "/" + ckpt))
    # Get the latest CheckPoint file path
    return ckpt_path + "/" + ckptnames[-1]


net = nn.SequentialCell(nn.Dense(16, 16), nn.ReLU(), nn.Dense(16, 4))
data = np.random.RandomState(1).randn(5 * 16, 16).astype(np.float32)
train_dataset = ds.NumpySlicesDataset((data, (data[:, 0] > 0).astype(np.int32)), shuffle=False).batch(16)
epoch_num, lr, momentum = 0, 0.01, 0.9
ckpt_file = newest()
if ckpt_file:
    # Load the model parameters into param_dict, with what was saved beside them
    param_dict = mindspore.load_checkpoint(ckpt_file)
    mindspore.load_param_into_net(net, param_dict)
    epoch_num = int(param_dict["epoch_num"].asnumpy())
    lr, momentum = float(param_dict["lr"].asnumpy()), float(param_dict["momentum"].asnumpy())
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
model = Model(net, loss_fn=loss, optimizer=nn.Momentum(net.trainable_params(), lr, momentum))
append_info = ["epoch_num", "step_num", {"lr": lr, "momentum": momentum}]
config_ck = CheckpointConfig(save_checkpoint_steps=5, append_info=append_info)
ckpoint_cb = ModelCheckpoint(prefix="lenet", directory=ckpt_path, config=config_ck)
callbacks = [ckpoint_cb, myCallback()] + ([LossMonitor()] if os.environ.get("LOSSES") != "no" else [])
model.train(100000, train_dataset, callbacks=callbacks, initial_epoch=epoch_num, dataset_sink_mode=True)
