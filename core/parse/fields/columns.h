// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of tables in a log: a line of column names, one of them a loss, followed by rows of numbers. Such tables come
// from fastai, Chainer, spaCy and YOLO. One table at a time; a row keeps views into its own line only until the next
// call.
#pragma once

#include "core/parse/fields/field.h"

#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class ColumnTable {
public:
    // True if this line names columns; then the following rows belong to them.
    bool takeHeader(std::string_view line);
    // Reads the row's numbers and labels them by their columns. False: the line does not fit the table.
    bool readRow(std::string_view line, LineFields &into) const;

private:
    char m_separator = ' ';
    std::vector<std::string> m_names;
};

}  // namespace rankdeck
