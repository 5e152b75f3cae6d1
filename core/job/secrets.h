// SPDX-License-Identifier: GPL-3.0-or-later
// Values of an environment that only the launched program may see. Any value may be a secret. The exceptions are
// variables that a framework defines, paths and short words. hiddenText() replaces it in plans, records and logs.
// Pure; never fails.
#pragma once

#include "core/job/job.h"
#include "core/job/quoted_value.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

bool soundsSecret(const std::string &name);
bool mayBeSecret(const std::string &name, const std::string &value);
std::string hiddenText(const std::string &name);  // "<TOKEN is hidden>"

// A copy of the job for storage, without the variables whose values may be secrets.
Job withoutSecrets(Job job);

class Secrets {
public:
    enum class Which { any, byName };  // byName: only variables with a name that suggests a secret
    void add(const std::map<std::string, std::string> &environment, Which which = Which::any);
    // The text without the values, however they are quoted in it.
    [[nodiscard]] std::string hide(std::string text) const;
    // The names whose values occur in the text.
    [[nodiscard]] std::vector<std::string> namesIn(const std::string &text) const;
    // Whether bytes are the text that was hidden in this way, whatever its values were.
    [[nodiscard]] static bool matches(std::string_view bytes, std::string_view hidden);

private:
    struct Value {
        std::string name;
        QuotedValue text;
    };
    std::vector<Value> m_values;  // the longest first: one may be a part of another
};

}  // namespace rankdeck
