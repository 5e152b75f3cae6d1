#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# As MindXDL-deploy's train_start.sh: the code directory, where logs go, the script that each device starts, and its arguments.
app_url=$1
log_url=$2
boot_file=$3
shift 3
train_param="$*"
mkdir -p "${log_url}"
for ((device_id = 0; device_id < DEVICE_NUM; device_id++)); do
    export DEVICE_ID=${device_id}
    export RANK_ID=$((SERVER_ID * DEVICE_NUM + device_id))
    cd "${app_url}" || exit
    python ${boot_file} ${train_param} &> "${log_url}/train_${RANK_ID}.log" &
done
wait
