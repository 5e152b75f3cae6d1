# SPDX-License-Identifier: GPL-3.0-or-later
"""ResNet50 for MindSpore after MindX DL's adaptation, in our words, with a small network: the YAML file of --config_path, over
which options win; checkpoints in {output_path}/{checkpoint_path}/ckpt_{rank}; pre_trained as a file, or as a directory, for which
every rank takes the newest of ckpt_0. Nothing is printed when a file is loaded."""
import datetime
import glob
import logging
import os
import sys
import time
import types

import numpy as np
import mindspore as ms
from mindspore import dataset as ds
from mindspore import nn
from mindspore.train import Callback, CheckpointConfig, LossMonitor, Model, ModelCheckpoint

STEPS = 5
logging.basicConfig(format="%(asctime)s:%(levelname)s:%(message)s")


def plain(text):
    text = text.split(" #")[0].strip().strip("\"'")
    return int(text) if text.lstrip("-").isdigit() else {"True": True, "False": False}.get(text, text)


def configuration():
    """The first document of the file, then the options."""
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:])
    values = {}
    with open(options.pop("config_path")) as file:
        for line in file.read().split("\n---")[0].splitlines():
            if ":" in line and not line.startswith("#"):
                key, text = line.split(":", 1)
                values[key] = plain(text)
    values.update((key, plain(text)) for key, text in options.items())
    return types.SimpleNamespace(**values)


config = configuration()
rank = int(os.environ.get("RANK_ID", "0"))


def load_pre_trained_checkpoint():
    if not config.pre_trained:
        return None
    if os.path.isdir(config.pre_trained):
        folder = os.path.join(config.output_path, config.checkpoint_path, "ckpt_0")
        files = sorted(glob.glob(os.path.join(folder, "*.ckpt")), key=os.path.getmtime, reverse=True)
        if not files:
            logging.warning(f"There is no ckpt file in {folder}, pre_trained is unsupported.")
            return None
        now = datetime.datetime.now().strftime("%Y.%m.%d-%H:%M:%S")
        print(f"time stamp {now} pre trained ckpt model {files[0]} loading", flush=True)
        return ms.load_checkpoint(files[0])
    if os.path.isfile(config.pre_trained):
        return ms.load_checkpoint(config.pre_trained)
    print(f"Invalid pre_trained {config.pre_trained} parameter.", flush=True)
    return None


class Pace(Callback):
    def on_train_step_end(self, run_context):
        time.sleep(0.1)


class Losses(LossMonitor):
    """Counts on from the epochs of before, as the adaptation's LossCallBack does."""

    def on_train_step_end(self, run_context):
        now = run_context.original_args()
        loss = float(np.mean(now.net_outputs.asnumpy()))
        print("epoch: %d step: %d, loss is %f" % (now.cur_epoch_num + config.has_trained_epoch, (now.cur_step_num - 1) % now.batch_num + 1, loss), flush=True)


def main():
    ms.set_context(mode=ms.GRAPH_MODE, device_target=config.device_target)
    if config.run_distribute:
        from mindspore.communication import init
        init()
        ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, device_num=config.device_num)
    ms.set_seed(1)
    network = nn.SequentialCell(nn.Dense(16, 16), nn.ReLU(), nn.Dense(16, 4))
    optimizer = nn.Momentum(network.trainable_params(), 0.02, 0.9)
    model = Model(network, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), optimizer)
    loaded = load_pre_trained_checkpoint()
    if loaded:
        if loaded.get("epoch_num") and loaded.get("step_num"):
            config.has_trained_epoch = int(loaded["epoch_num"].asnumpy())
            config.has_trained_step = int(loaded["step_num"].asnumpy())
        ms.load_param_into_net(network, loaded)
        ms.load_param_into_net(optimizer, loaded)
    random = np.random.RandomState(1)
    data = random.randn(STEPS * 16, 16).astype(np.float32)
    batches = ds.NumpySlicesDataset((data, (data[:, 0] > 0).astype(np.int32)), shuffle=False).batch(16)
    info = [{"epoch_num": config.has_trained_epoch, "step_num": config.has_trained_step}]
    saving = CheckpointConfig(save_checkpoint_steps=config.save_checkpoint_epochs * STEPS, keep_checkpoint_max=config.keep_checkpoint_max, append_info=info)
    folder = os.path.join(config.output_path, config.checkpoint_path, f"ckpt_{rank}")
    callbacks = [Losses(1), Pace()] + ([ModelCheckpoint(prefix="resnet", directory=folder, config=saving)] if config.save_checkpoint else [])
    model.train(config.epoch_size - config.has_trained_epoch, batches, callbacks=callbacks, dataset_sink_mode=False)


main()
