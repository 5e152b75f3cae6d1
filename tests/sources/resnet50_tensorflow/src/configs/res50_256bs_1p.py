# SPDX-License-Identifier: GPL-3.0-or-later
# The keys of the adaptation's configuration that matter here, in its form.
import os

log_dir = './results/' + os.path.basename(__file__).split('.')[0]


def res50_config():
    config = {
        # ============= data ================
        'batch_size': 16,
        'max_train_steps': None,
        'iterations_per_loop': 5,

        # ============= checkpoint ==========
        'log_dir': './model_ckpt',
        'ckpt_dir': './d_solution/ckpt{}',
        'restore_path': './d_solution/ckpt0',  # the model saved in card 0 is used
        'save_checkpoints_steps': 10,
    }
    return config
