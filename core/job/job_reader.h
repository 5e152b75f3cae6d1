// SPDX-License-Identifier: GPL-3.0-or-later
// Typed access to the keys of one JSON object of the job file. The first wrong one is kept as the error; unknown keys
// become warnings. Used by job_file.cpp only.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rankdeck {

struct ReadState {
    std::string fileName;
    std::map<std::string, int> lines;
    std::vector<Message> warnings;
    std::optional<Error> error;

    void wrong(const std::string &key, const Message &expected, const Message &found);
    void warn(const std::string &key, const Message &text);
    [[nodiscard]] std::string where(const std::string &key) const;
};

class ObjectReader {
public:
    // path: of the object, "" for the whole file. Its allowed keys are listed in core/job/text/job_keys.h.
    ObjectReader(ReadState &state, const nlohmann::json &object, std::string path);

    [[nodiscard]] bool has(const std::string &key) const;
    [[nodiscard]] std::string keyPath(const std::string &key) const;
    void text(const std::string &key, std::string &into, bool required = false);
    void number(const std::string &key, std::int64_t &into, std::int64_t min, std::int64_t max);
    void boolean(const std::string &key, bool &into);
    void texts(const std::string &key, std::vector<std::string> &into);
    void ranks(const std::string &key, std::vector<int> &into);
    void env(const std::string &key, std::map<std::string, std::string> &into);
    // The object under the key, or nullptr when it is absent or not an object (then the error is set).
    [[nodiscard]] const nlohmann::json *object(const std::string &key);
    [[nodiscard]] const nlohmann::json *array(const std::string &key, bool required);

private:
    const nlohmann::json *find(const std::string &key, bool required, const Message &expected);

    ReadState &m_state;
    const nlohmann::json &m_object;
    std::string m_path;
};

// "a, b or c"
Message alternatives(const std::vector<std::string> &names);
// "the string \"x\"", "the number 3", "an array" …
Message found(const nlohmann::json &value);

}  // namespace rankdeck
