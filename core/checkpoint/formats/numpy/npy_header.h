// SPDX-License-Identifier: GPL-3.0-or-later
// Header of one array in NumPy's .npy form (numpy/lib/format.py, versions 1.0 to 3.0). It is a magic, a length, and a
// Python dictionary with descr, fortran_order and shape. Pure; never evaluated as Python.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

struct NpyHeader {
    std::string type;  // "float32" …; a type without a name stays as written ("<U5")
    std::vector<std::int64_t> shape = {};
    std::uint64_t headerBytes = 0;  // start of the values
    std::uint64_t valueBytes = 0;   // bytes of all values, by shape and type; 0 with pickled: unknown
    bool pickled = false;           // Python objects, stored as a pickle
};

// bytes: the beginning of an array. Error invalid names the fault; unsupported: the header is longer than bytes.
Result<NpyHeader> parseNpyHeader(std::string_view bytes);

}  // namespace rankdeck
