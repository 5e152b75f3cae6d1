// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments of MindSpore's fault tolerance in a training script: TFTRegister(0, "127.0.0.1", 30051,
// "./ttp_checkpoints/") up to 2.5. Later versions use TrainFaultTolerance("./ttp_checkpoints/") and the environment
// variables MS_TFT_IP and MS_TFT_PORT. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

struct TftCallback {
    std::string name = {};  // "TFTRegister"
    int rank = 0;           // rank whose process has the controller
    int port = 0;           // 0: not in the script
    std::string path = {};  // directory for dumps, as written; empty: not a string
};
std::optional<TftCallback> tftCallbackOf(std::string_view script);

}  // namespace rankdeck
