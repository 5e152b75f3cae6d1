// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/mindspore_log.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/time.h>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

std::string timeText(bool microseconds)
{
    timeval now{};
    gettimeofday(&now, nullptr);
    std::tm local{};
    localtime_r(&now.tv_sec, &local);
    char day[32];
    std::strftime(day, sizeof day, "%Y-%m-%d-%H:%M:%S", &local);
    char text[64];
    std::snprintf(text, sizeof text, "%s.%03ld.%03ld", day, now.tv_usec / 1000, microseconds ? now.tv_usec % 1000 : 0L);
    return text;
}

}  // namespace

std::string pythonFloat(double value)
{
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific).ptr;
    const std::string scientific(digits, end);
    const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
    if (exponent < -4 || exponent >= 16) return scientific;
    char plain[64];
    std::string text(plain, std::to_chars(plain, plain + sizeof plain, value, std::chars_format::fixed).ptr);
    return text.find('.') == std::string::npos ? text + ".0" : text;
}

void MindSporeLog::line(std::string_view text) const
{
    const std::string whole = std::string(text) + '\n';
    std::size_t done = 0;
    while (done < whole.size()) {
        const auto written = write(m_fd, whole.data() + done, whole.size() - done);
        if (written < 0 && errno != EINTR) return;  // the training must survive a full disk under the log
        if (written > 0) done += static_cast<std::size_t>(written);
    }
}

void MindSporeLog::python(std::string_view level, std::string_view where, std::string_view text) const
{
    char head[160];
    std::snprintf(head, sizeof head, "[%.*s] ME(%d:%ld,MainProcess):%s [", static_cast<int>(level.size()), level.data(),
                  getpid(), static_cast<long>(gettid()), timeText(false).c_str());
    line(head + std::string(where) + "] " + std::string(text));
}

void MindSporeLog::native(std::string_view level, std::string_view module, std::string_view where,
                          std::string_view function, std::string_view text) const
{
    char head[200];
    std::snprintf(head, sizeof head, "[%.*s] %.*s(%d,%lx,python):%s [", static_cast<int>(level.size()), level.data(),
                  static_cast<int>(module.size()), module.data(), getpid(), static_cast<long>(gettid()),
                  timeText(true).c_str());
    line(head + std::string(where) + "] " + std::string(function) + "] " + std::string(text));
}

void MindSporeLog::traceback(const Error &error) const
{
    const std::string type = error.detail.empty() ? "RuntimeError" : error.detail;
    line("Traceback (most recent call last):\n"
         "  File \"/rankdeck-demo-trainer\", line 1, in <module>\n"
         "    main()\n" +
         type + ": " + error.message);
}

void MindSporeLog::loss(long long epoch, long long step, float loss) const
{
    line("epoch: " + std::to_string(epoch) + " step: " + std::to_string(step) + ", loss is " +
         pythonFloat(static_cast<double>(loss)));
}

void MindSporeLog::epochTime(double milliseconds, long long steps) const
{
    char text[128];
    std::snprintf(text, sizeof text, "Train epoch time: %5.3f ms, per step time: %5.3f ms", milliseconds,
                  milliseconds / static_cast<double>(steps));
    line(text);
}

}  // namespace rankdeck::demo
