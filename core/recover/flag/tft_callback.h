// SPDX-License-Identifier: GPL-3.0-or-later
// What a training script tells MindSpore's fault tolerance: TFTRegister(0, "127.0.0.1", 30051, "./ttp_checkpoints/") until 2.5,
// TrainFaultTolerance("./ttp_checkpoints/") with MS_TFT_IP and MS_TFT_PORT in the environment since. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

struct TftCallback {
    std::string name = {};  // "TFTRegister"
    int rank = 0;           // whose process has the controller
    int port = 0;           // 0: the script does not say it
    std::string path = {};  // where dumps go, as it is written; empty: not as a string
};
std::optional<TftCallback> tftCallbackOf(std::string_view script);

}  // namespace rankdeck
