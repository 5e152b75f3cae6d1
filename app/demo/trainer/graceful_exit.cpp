// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/graceful_exit.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

constexpr const char *flagName = "GracefulExit";

// "line 1 column 3 (char 2)": the position in Python's format.
std::string placeText(const std::string &text, std::size_t at)
{
    at = std::min(at, text.size());
    const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const auto start = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
    const std::size_t column = start == std::string::npos ? at + 1 : at - start;
    return "line " + std::to_string(lines + 1) + " column " + std::to_string(column) + " (char " + std::to_string(at) +
           ")";
}

Error typeError(std::string message) { return fail(ErrorKind::invalid, std::move(message), "TypeError"); }

Result<bool> asksToExit(const nlohmann::json &root)
{
    if (root.is_null()) return typeError("argument of type 'NoneType' is not iterable");
    if (root.is_boolean()) return typeError("argument of type 'bool' is not iterable");
    if (root.is_number_float()) return typeError("argument of type 'float' is not iterable");
    if (root.is_number()) return typeError("argument of type 'int' is not iterable");
    if (root.is_string()) {
        if (root.get_ref<const std::string &>().find(flagName) == std::string::npos) return false;
        return typeError("string indices must be integers, not 'str'");
    }
    if (root.is_array()) {
        for (const auto &item : root)
            if (item == flagName) return typeError("list indices must be integers or slices, not str");
        return false;
    }
    const auto found = root.find(flagName);
    if (found == root.end()) return false;
    if (found->is_boolean()) return found->get<bool>();
    return found->is_number() && found->get<double>() == 1.0;
}

Result<std::string> readConfig(const std::string &path)
{
    struct stat found {};
    if (stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode))
        return fail(ErrorKind::invalid, "[Errno 21] Is a directory: '" + path + "'", "IsADirectoryError");
    if (access(path.c_str(), R_OK) != 0 && errno == EACCES)
        return fail(ErrorKind::permission, "[Errno 13] Permission denied: '" + path + "'", "PermissionError");
    auto text = readLocalFile(path, 1u << 20);
    if (!text) return fail(text.error().kind, text.error().message, "OSError");
    if (validUtf8(text.value()) != text.value())
        return fail(ErrorKind::invalid, "'utf-8' codec can't decode the bytes of " + path + ": invalid start byte",
                    "UnicodeDecodeError");
    return text;
}

}  // namespace

Result<bool> configAsksToExit(const std::string &path, const MindSporeLog &log)
{
    if (access(path.c_str(), F_OK) != 0) return false;
    const auto text = readConfig(path);
    if (!text) return text.error();
    std::string problem;
    // nlohmann skips a byte order mark; Python does not.
    if (text.value().rfind("\xef\xbb\xbf", 0) == 0)
        problem = "Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)";
    nlohmann::json root;
    if (problem.empty()) {
        try {
            root = nlohmann::json::parse(text.value());
        } catch (const nlohmann::json::parse_error &error) {
            problem = "Expecting value: " + placeText(text.value(), error.byte == 0 ? 0 : error.byte - 1);
        }
    }
    if (problem.empty()) return asksToExit(root);
    log.python("WARNING", "mindspore/train/callback/_on_request_exit.py:294",
               "Parse json file failed: " + problem + ", please check json file: " + path);
    return false;
}

Status GracefulExit::stepBegin(bool distributed, bool signalled, const MindSporeLog &log)
{
    if (!installed() || !m_enabled) return Done{};
    const auto asked = configAsksToExit(m_config, log);
    if (!asked) return asked.error();
    if (!asked.value() && !signalled) return Done{};
    m_seen = true;
    if (distributed)
        m_flags.init = 1;
    else
        m_flags.exit = true;
    return Done{};
}

void GracefulExit::votes(int sum, int world)
{
    if (m_enabled && world > 1) m_flags.exit = sum == world;
}

}  // namespace rankdeck::demo
