// SPDX-License-Identifier: GPL-3.0-or-later
// Changes the text behind a key in a Python configuration file ('restore_path': '…' or restore_path = '…') and nothing
// else. Only a string on one line that stands there once is changed. Pure.
#pragma once

#include "core/recover/edit/yaml_edit.h"

namespace rankdeck {

// Error invalid: the key is not there exactly once, or what stands behind it is no plain string.
Result<std::string> editPython(std::string_view text, const std::vector<ConfigSetting> &settings);

// The text of a script without blanks and comments, all in one line: "save_ckpt = False" is one word in it. A # within a
// string ends its line as well.
std::string squeezedPython(std::string_view script);

}  // namespace rankdeck
