// SPDX-License-Identifier: GPL-3.0-or-later
// Editor of Python configuration files: changes the text of a key ('restore_path': '…' or restore_path = '…') and
// nothing else. The key must occur exactly once, with a string on one line. Pure.
#pragma once

#include "core/recover/edit/yaml_edit.h"

namespace rankdeck {

// Error invalid: the key does not occur exactly once, or its value is not a plain string.
Result<std::string> editPython(std::string_view text, const std::vector<ConfigSetting> &settings);

// The script without blanks and comments, joined into one line: "save_ckpt = False" becomes "save_ckpt=False". A #
// within a string also removes the rest of its line.
std::string squeezedPython(std::string_view script);

}  // namespace rankdeck
