// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the codes of discovery's notes about a job file, one row each, in the order in which they are checked. A new
// code needs a row here and a row in the table of its page; a code without a row does not compile. The codes are part
// of the JSON and stay.
#pragma once

#include "core/base/word.h"

#include <array>
#include <cstdint>

namespace rankdeck {

enum class DiscoveryPage : std::uint8_t { hosts, cluster };  // docs/job-file.md, docs/kubernetes.md

struct DiscoveryRow {
    const char *word;
    DiscoveryPage page = DiscoveryPage::hosts;
};

// clang-format off
inline constexpr std::array discoveryRows{
    DiscoveryRow{"ranks_elsewhere"},
    DiscoveryRow{"one_machine"},
    DiscoveryRow{"no_log"},
    DiscoveryRow{"one_log_for_all"},
    DiscoveryRow{"log_names"},
    DiscoveryRow{"no_checkpoints_yet"},
    DiscoveryRow{"checkpoint_places"},
    DiscoveryRow{"config_unreadable"},
    DiscoveryRow{"no_graceful_config"},
    DiscoveryRow{"workdirs_differ"},
    DiscoveryRow{"launcher_gone"},
    DiscoveryRow{"words_differ"},
    DiscoveryRow{"checkpoint_not_named"},
    DiscoveryRow{"resume_option"},
    DiscoveryRow{"secrets_left_out"},
    DiscoveryRow{"pod_not_running", DiscoveryPage::cluster},
    DiscoveryRow{"vcjob_gone", DiscoveryPage::cluster},
    DiscoveryRow{"rank_table", DiscoveryPage::cluster},
    DiscoveryRow{"config_frozen", DiscoveryPage::cluster},
    DiscoveryRow{"config_unknown", DiscoveryPage::cluster},
    DiscoveryRow{"in_the_pod", DiscoveryPage::cluster},
    DiscoveryRow{"files_elsewhere", DiscoveryPage::cluster},
    DiscoveryRow{"vcjob_file", DiscoveryPage::cluster},
};
// clang-format on

using DiscoveryCode = Word<discoveryRows>;

}  // namespace rankdeck
