#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The ranks of this node, as the adaptation's main.sh starts them, each in a folder device${RANK_ID}. There is no Ascend device and
# no rank table on a CPU: the ranks meet at a scheduler, which the first node starts.
ROOT_PATH=$(cd "$(dirname "$0")" && pwd)
DATA_PATH=/job/data/imagenet_full/train
CONFIG_PATH=${ROOT_PATH}/../resnet50_imagenet2012_config.yaml
OUTPUT_PATH=${ROOT_PATH}/../output
if [ "${SERVER_ID}" = 0 ]; then
    (cd "${ROOT_PATH}/.." && MS_ROLE=MS_SCHED exec python train.py --run_distribute=True &> log/scheduler.log) &
fi
for ((i = 0; i < DEVICE_NUM; i++)); do
    rankid=$((SERVER_ID * DEVICE_NUM + i))
    export DEVICE_ID=${i}
    export RANK_ID=${rankid} MS_NODE_ID=${rankid} MS_ROLE=MS_WORKER
    mkdir -p "${ROOT_PATH}/../device${rankid}"
    cd "${ROOT_PATH}/../device${rankid}" || exit
    python ${ROOT_PATH}/../train.py --run_distribute=True --device_num=${RANK_SIZE} --data_path=${DATA_PATH} --config_path=${CONFIG_PATH} --output_path=${OUTPUT_PATH} --pre_trained=${OUTPUT_PATH} &> ../log/rank_${rankid}.log &
done
wait
