#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# As the adaptation's train_start.sh: which node this is, and then main.sh.
cd "$(dirname "$0")" || exit
bash main.sh
