// SPDX-License-Identifier: GPL-3.0-or-later
// The behaviour of OnRequestExit of MindSpore 2.7 with its config file, pitfalls included. The file is read at each
// step, and a value of 1 latches graceful_init. The caller's all-reduce of vote() makes all ranks agree.
#pragma once

#include "app/demo/trainer/mindspore_log.h"
#include "app/demo/trainer/tensor_file.h"
#include "core/base/result.h"

#include <string>
#include <vector>

namespace rankdeck::demo {

// True if this config asks for the exit. Malformed JSON: false, with a WARNING. An Error ends the training; its detail
// is the Python exception. Errors: a root other than object, list or string, undecodable bytes, a directory.
Result<bool> configAsksToExit(const std::string &path, const MindSporeLog &log);

struct GracefulFlags {  // parameters of the training network
    bool exit = false;  // graceful_exit: all ranks have agreed
    int init = 0;       // graceful_init: this rank has seen the request
};

class GracefulExit {
public:
    // config empty: the callback is not installed. enabled: MS_ENABLE_GRACEFUL_EXIT is exactly 1.
    GracefulExit(std::string config, std::string savePath, bool enabled)
        : m_config(std::move(config)), m_savePath(std::move(savePath)), m_enabled(enabled)
    {}

    [[nodiscard]] bool installed() const { return !m_config.empty(); }
    [[nodiscard]] bool enabled() const { return m_enabled; }
    [[nodiscard]] const std::string &savePath() const { return m_savePath; }
    [[nodiscard]] const GracefulFlags &flags() const { return m_flags; }
    void restore(GracefulFlags flags) { m_flags = flags; }
    // signalled: SIGTERM was received.
    Status stepBegin(bool distributed, bool signalled, const MindSporeLog &log);
    [[nodiscard]] int vote() const { return m_flags.init; }
    void votes(int sum, int world);
    // True if this rank saw the request and all ranks have agreed: it must save and exit, once.
    [[nodiscard]] bool mustStop() const { return m_seen && m_flags.exit; }

private:
    std::string m_config;
    std::string m_savePath;
    bool m_enabled;
    bool m_seen = false;
    GracefulFlags m_flags;
};

}  // namespace rankdeck::demo
