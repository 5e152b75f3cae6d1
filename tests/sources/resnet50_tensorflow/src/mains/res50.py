# SPDX-License-Identifier: GPL-3.0-or-later
"""ResNet50 for TensorFlow after MindX DL's adaptation, in our words, with a small network: the configuration is a Python file that
says restore_path; where that exists, the variables are initialised from it and one line says so; each card saves in its own
ckptN. Its arguments, log lines and layout are the adaptation's; the graph and its checkpoints are TensorFlow's own (compat.v1)."""
import argparse
import importlib.util
import os
import time

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
HERE = os.path.dirname(os.path.abspath(__file__))
STEPS_PER_EPOCH = 50


def configuration():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config_file", default="res50_256bs_1p")
    parser.add_argument("--max_train_steps", type=int, default=1000000)
    args = parser.parse_args()
    path = os.path.join(HERE, "..", "configs", args.config_file + ".py")
    spec = importlib.util.spec_from_file_location("config", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {**module.res50_config(), "max_train_steps": args.max_train_steps}


def main():
    config = configuration()
    rank = int(os.environ.get("RANK_ID", "0"))
    tf.set_random_seed(1)
    random = np.random.RandomState(1)
    data = random.randn(64, 16).astype(np.float32)
    label = (data @ random.randn(16, 4)).argmax(1)
    step = tf.train.get_or_create_global_step()
    kernel = tf.get_variable("kernel", [16, 4])
    logits = tf.matmul(tf.constant(data), kernel)
    loss = tf.losses.sparse_softmax_cross_entropy(tf.constant(label), logits)
    train = tf.train.MomentumOptimizer(0.002, 0.9).minimize(loss, step)
    variables_to_restore = tf.global_variables()
    restore_path = config.get('restore_path', "")
    if restore_path and os.path.exists(restore_path):
        print(f"load pre-trained model from: {restore_path}", flush=True)
        tf.train.init_from_checkpoint(restore_path, {v.name.split(':')[0]: v for v in variables_to_restore})
    saver = tf.train.Saver(max_to_keep=5)
    folder = config['ckpt_dir'].format(rank)
    os.makedirs(folder, exist_ok=True)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        began = time.time()
        while True:
            _, value = session.run([train, loss])
            now = int(session.run(step))
            time.sleep(0.05)
            if now % config['iterations_per_loop'] == 0:
                print('step:%6i  epoch:%5.1f  FPS:%7.1f  loss:%6.3f  total_loss:%6.3f  lr:%7.5f' %
                      (now, now / STEPS_PER_EPOCH, 16 * config['iterations_per_loop'] / (time.time() - began), value, value + 0.5, 0.002), flush=True)
                began = time.time()
            if now % config['save_checkpoints_steps'] == 0:
                saver.save(session, os.path.join(folder, "model.ckpt"), global_step=now)
            if now >= config['max_train_steps']:
                break


main()
