// SPDX-License-Identifier: GPL-3.0-or-later
// The logical lines of a Python script, without comments and docstrings, each with its indentation and the blocks
// around it. An open bracket continues a line. Pure. If the script does not parse, the result contains the lines before
// the error.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct PythonLine {
    std::size_t indent = 0;
    std::string text = {};                 // with a single blank between words
    std::vector<std::size_t> blocks = {};  // indices of the lines that begin the blocks around it, the outermost first
};
std::vector<PythonLine> pythonLines(std::string_view script);

// The identifiers of an expression, without attributes ("b" of "a.b", but not of "self.b") and without the content of
// strings.
std::vector<std::string> namesIn(std::string_view expression);
// The texts of its strings, without their quotes.
std::vector<std::string> stringsIn(std::string_view expression);

struct PythonCall {
    std::string name = {};                    // function name, without the object before a dot
    std::vector<std::string> arguments = {};  // as written, including "name=value"
};
// The calls within an expression, including calls within the arguments of other calls.
std::vector<PythonCall> callsIn(std::string_view expression);

}  // namespace rankdeck
