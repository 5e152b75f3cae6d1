// SPDX-License-Identifier: GPL-3.0-or-later
// A table in a log: a line of column names, one of them a loss, and rows of numbers below it. Such tables come from
// fastai, Chainer, spaCy and YOLO. One table at a time; a row keeps views into its own line only until the next call.
#pragma once

#include "core/parse/fields/field.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class ColumnTable {
public:
    // Whether this line names columns; the rows that follow belong to them.
    bool takeHeader(std::string_view line);
    // The row's numbers, labelled by their columns; false: the line does not fit the table.
    bool readRow(std::string_view line, LineFields &into) const;

private:
    char m_separator = ' ';
    std::vector<std::string> m_names;
};

}  // namespace rankdeck
