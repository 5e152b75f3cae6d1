// SPDX-License-Identifier: GPL-3.0-or-later
// The header of one array in NumPy's .npy form (numpy/lib/format.py, versions 1.0 to 3.0): a magic, a length, and a Python
// dictionary with descr, fortran_order and shape. Pure; nothing of it is evaluated.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct NpyHeader {
    std::string type;  // "float32" …; what has no name here stays as written ("<U5")
    std::vector<std::int64_t> shape = {};
    std::uint64_t headerBytes = 0;  // the values begin here
    std::uint64_t valueBytes = 0;   // of all values, by shape and type; 0 with pickled: not known
    bool pickled = false;           // Python objects, which only a pickle can hold
};

// bytes: the beginning of an array. Error invalid says what is wrong; unsupported: the header is longer than bytes.
Result<NpyHeader> parseNpyHeader(std::string_view bytes);

}  // namespace rankdeck
