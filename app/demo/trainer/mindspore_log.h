// SPDX-License-Identifier: GPL-3.0-or-later
// Log lines as MindSpore 2.7 prints them: LossMonitor, TimeMonitor, header lines of its Python and C++ parts,
// tracebacks. Each line is one write to stdout, because a worker's log is read while it grows.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace rankdeck::demo {

// A float as Python's str() prints it: 2.2659149169921875, 1e-05, nan, inf.
std::string pythonFloat(double value);

class MindSporeLog {
public:
    explicit MindSporeLog(int fd) : m_fd(fd) {}
    void line(std::string_view text) const;
    // level: "WARNING", "CRITICAL"; where: "mindspore/train/model.py:12"
    void python(std::string_view level, std::string_view where, std::string_view text) const;
    void native(std::string_view level, std::string_view module, std::string_view where, std::string_view function,
                std::string_view text) const;
    // Error::detail is the Python exception; RuntimeError if it is empty.
    void traceback(const Error &error) const;
    void loss(long long epoch, long long step, float loss) const;
    void epochTime(double milliseconds, long long steps) const;

private:
    int m_fd;
};

}  // namespace rankdeck::demo
