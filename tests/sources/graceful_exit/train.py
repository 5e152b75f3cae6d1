# SPDX-License-Identifier: GPL-3.0-or-later
"""A training as MindSpore's page on the graceful exit prints it, in our words: LeNet's kind of network, OnRequestExit(file_name=
"LeNet", config_file="./graceful_exit.json") with all else as it is by default, LossMonitor, model.train(). No option says what to
start from and nothing of it is saved by the script: OnRequestExit does both.

The images are made, so that their digit can be learned within seconds: a run that goes on has another loss than one from
zero; a pause after each step keeps it running.
"""
import os
import time

import numpy as np
import mindspore as ms
from mindspore import dataset as ds
from mindspore import nn
from mindspore.train import Callback, LossMonitor, Model
from mindspore.train.callback import OnRequestExit


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 5, pad_mode="valid")
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(4, 4)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(4 * 7 * 7, 10)

    def construct(self, x):
        return self.fc(self.flatten(self.pool(self.relu(self.conv(x)))))


class Pace(Callback):
    def on_train_step_end(self, run_context):
        time.sleep(0.2)


def images(count):
    random = np.random.RandomState(1)
    labels = (np.arange(count) % 10).astype(np.int32)
    pictures = random.rand(count, 1, 32, 32).astype(np.float32) * 0.1
    for picture, label in zip(pictures, labels):
        picture[0, 3 * label:3 * label + 3, :] += 1
    return ds.NumpySlicesDataset((pictures, labels), shuffle=False)


def train():
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    if "MS_ROLE" in os.environ:
        import cpu_graceful_exit  # noqa: F401  (packaging/mindspore: the vote on a CPU)
        from mindspore.communication import init
        init()
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    ms.set_seed(1)
    network = Net()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(network, loss, nn.Momentum(network.trainable_params(), 0.02, 0.9))
    reset_json = r"./graceful_exit.json"
    callback = OnRequestExit(file_name="LeNet", config_file=reset_json)
    model.train(100000, images(320).batch(32), callbacks=[callback, LossMonitor(), Pace()], dataset_sink_mode=False)


train()
