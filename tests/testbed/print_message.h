// SPDX-License-Identifier: GPL-3.0-or-later
// Prints a Message in a failed expectation as its text. GoogleTest itself would list its characters.
#pragma once

#include "core/base/message.h"

#include <ostream>

namespace rankdeck {

inline void PrintTo(const Message &message, std::ostream *out)
{
    *out << '"' << static_cast<const std::string &>(message) << '"';
}

}  // namespace rankdeck
