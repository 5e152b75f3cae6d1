# SPDX-License-Identifier: GPL-3.0-or-later
"""ResNet50 for MindSpore after MindX DL's adaptation, in our words, with a small network: pre_trained is a file, or a directory,
which means the newest checkpoint of ckpt_0 for every rank; each rank saves resnet-E_S.ckpt in its folder ckpt_R; what was
trained before is counted by the two numbers in the checkpoint. Its arguments, log lines and layout are the adaptation's."""
import argparse
import datetime
import glob
import os
import time

import numpy as np
import mindspore as ms
from mindspore import dataset as ds
from mindspore import load_checkpoint, nn
from mindspore.communication import get_rank, init
from mindspore.train import CheckpointConfig, LossMonitor, Model, ModelCheckpoint

STEPS = 5
HERE = os.path.dirname(os.path.abspath(__file__))


def configuration():
    """The first document of the YAML file, and over it what the command says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--config_path", default=os.path.join(HERE, "resnet50_imagenet2012_config.yaml"))
    path = parser.parse_known_args()[0].config_path
    with open(path) as file:
        lines = [line.split(" #")[0].split(": ", 1) for line in file.read().split("\n---")[0].splitlines() if ": " in line and line[0] not in "# "]
    for key, value in lines:
        parser.add_argument("--" + key, default=value.strip().strip('"'))
    return parser.parse_args()


config = configuration()


def pre_trained_values():
    if not config.pre_trained:
        return None
    if os.path.isdir(config.pre_trained):
        folder = os.path.join(config.output_path, config.checkpoint_path, "ckpt_0")
        files = glob.glob(os.path.join(folder, "*.ckpt"))
        if not files:
            print(f"There is no ckpt file in {folder}, pre_trained is unsupported.", flush=True)
            return None
        files.sort(key=os.path.getmtime, reverse=True)
        print(f"time stamp {datetime.datetime.now().strftime('%Y.%m.%d-%H:%M:%S')} pre trained ckpt model {files[0]} loading", flush=True)
        return load_checkpoint(files[0])
    if os.path.isfile(config.pre_trained):
        return load_checkpoint(config.pre_trained)
    print(f"Invalid pre_trained {config.pre_trained} parameter.", flush=True)
    return None


class Losses(LossMonitor):
    def __init__(self, trained):
        super().__init__(1)
        self.trained = trained

    def on_train_step_end(self, run_context):
        time.sleep(0.1)
        now = run_context.original_args()
        print("epoch: %d step: %d, loss is %s" % (now.cur_epoch_num + self.trained, (now.cur_step_num - 1) % now.batch_num + 1, now.net_outputs.asnumpy()), flush=True)


def main():
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    rank = 0
    if config.run_distribute == "True":
        init()
        rank = get_rank()
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    ms.set_seed(1)
    network = nn.SequentialCell(nn.Dense(16, 16), nn.ReLU(), nn.Dense(16, 4))
    values = pre_trained_values()
    trained_epoch, trained_step = int(config.has_trained_epoch), int(config.has_trained_step)
    if values:
        if values.get("epoch_num") and values.get("step_num"):
            trained_epoch, trained_step = int(values["epoch_num"].asnumpy()), int(values["step_num"].asnumpy())
        ms.load_param_into_net(network, values)
    optimizer = nn.Momentum(network.trainable_params(), 0.01, 0.9)
    model = Model(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), optimizer)
    data = np.random.RandomState(1).randn(STEPS * 16, 16).astype(np.float32)
    batches = ds.NumpySlicesDataset((data, (data[:, 0] > 0).astype(np.int32)), shuffle=False).batch(16)
    saving = CheckpointConfig(save_checkpoint_steps=int(config.save_checkpoint_epochs) * STEPS, keep_checkpoint_max=int(config.keep_checkpoint_max),
                              append_info=[{"epoch_num": trained_epoch, "step_num": trained_step}])
    folder = os.path.join(config.output_path, config.checkpoint_path, f"ckpt_{rank}")
    model.train(int(config.epoch_size) - trained_epoch, batches, dataset_sink_mode=False,
                callbacks=[Losses(trained_epoch), ModelCheckpoint(prefix="resnet", directory=folder, config=saving)])


main()
