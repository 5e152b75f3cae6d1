// SPDX-License-Identifier: GPL-3.0-or-later
// Values of an environment that only the launched program may see: those of variables whose names sound like a password, a
// token or a key. Where a plan is shown, printed or kept they are replaced by hiddenText. Pure; never fails.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

bool soundsSecret(const std::string &name);
std::string hiddenText(const std::string &name);  // "<TOKEN is hidden>"

class Secrets {
public:
    void add(const std::map<std::string, std::string> &environment);
    // The text without the values; as they stand between quotes of a shell, of JSON or of Python, too.
    [[nodiscard]] std::string hide(std::string text) const;
    // The names whose values stand in the text.
    [[nodiscard]] std::vector<std::string> namesIn(const std::string &text) const;
    // Whether bytes are the text that was hidden so, whatever stands in the places of its values.
    [[nodiscard]] static bool matches(std::string_view bytes, std::string_view hidden);

private:
    struct Value {
        std::string name, text;
    };
    std::vector<Value> m_values;  // the longest first: one may be a part of another
};

}  // namespace rankdeck
