// SPDX-License-Identifier: GPL-3.0-or-later
// Table of preflight codes. A new code needs a row here and a row in the table of its page; a code without a row does
// not compile. The codes are part of the JSON output and must stay. They are listed in this order.
#pragma once

#include "core/base/word.h"

#include <array>
#include <cstdint>

namespace rankdeck {

enum class FindingPage : std::uint8_t { exit, resume, both };   // docs/graceful-exit.md, docs/resume.md
enum class PlanFix : std::uint8_t { none, always, onRequest };  // whether the plan fixes it: --fix CODE requests it
// Label of the button that requests the fix. allTheSame: nothing is fixed, and the operator accepts the risk.
enum class FixLabel : std::uint8_t { inPlan, setToZero, backUp, allTheSame };

struct FindingRow {
    const char *word;
    FindingPage page = FindingPage::resume;
    PlanFix fix = PlanFix::none;
    FixLabel label = FixLabel::inPlan;
};

// clang-format off
inline constexpr std::array findingRows{
    FindingRow{""},
    // the job file
    FindingRow{"job_file", FindingPage::both},
    FindingRow{"no_graceful_config", FindingPage::exit},
    FindingRow{"placeholder"},
    FindingRow{"checkpoint_not_named", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"starts_from_zero", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    // consoles
    FindingRow{"journal", FindingPage::both},
    FindingRow{"other_console", FindingPage::both},
    FindingRow{"interrupted_action", FindingPage::both},
    FindingRow{"left_behind", FindingPage::exit},
    FindingRow{"attempt_running"},
    // nodes and processes
    FindingRow{"node_not_live", FindingPage::both},
    FindingRow{"clock_skew"},
    FindingRow{"device_unhealthy"},
    FindingRow{"machine_trouble"},
    FindingRow{"not_running", FindingPage::exit},
    FindingRow{"rank_dead", FindingPage::exit},
    FindingRow{"rank_silent", FindingPage::exit},
    FindingRow{"run_moving", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"ranks_unknown", FindingPage::both, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"survivors", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"survivors_unknown", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"launcher_alive", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"port_in_use", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"port"},
    FindingRow{"logout_ends_run", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"logout_unknown"},
    FindingRow{"path_shared"},
    // stop methods
    FindingRow{"graceful_env", FindingPage::both},
    FindingRow{"graceful_tags_missing", FindingPage::exit},
    FindingRow{"graceful_tags", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"config_named", FindingPage::exit},
    FindingRow{"config_missing", FindingPage::exit},
    FindingRow{"config_unreadable", FindingPage::both},
    FindingRow{"config_invalid", FindingPage::both},
    FindingRow{"config_not_writable", FindingPage::exit},
    FindingRow{"config_shared", FindingPage::both},
    FindingRow{"config_not_editable"},
    FindingRow{"copies_differ", FindingPage::exit},
    FindingRow{"already_armed", FindingPage::exit},
    FindingRow{"flag_still_set", FindingPage::resume, PlanFix::always, FixLabel::setToZero},
    FindingRow{"signal_handler", FindingPage::exit},
    FindingRow{"cluster_not_live", FindingPage::exit},
    FindingRow{"configmap", FindingPage::exit},
    FindingRow{"fault_flushing", FindingPage::exit},
    FindingRow{"slurm_job", FindingPage::exit},
    FindingRow{"not_confirmed", FindingPage::exit},
    FindingRow{"step_time", FindingPage::exit},
    FindingRow{"price", FindingPage::exit},
    FindingRow{"force_stop", FindingPage::exit},
    // the set to resume from
    FindingRow{"set"},
    FindingRow{"set_unknown"},
    FindingRow{"set_not_valid"},
    FindingRow{"set_unproven"},
    FindingRow{"no_valid_set", FindingPage::both},
    FindingRow{"kept_set", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"graceful_set", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"world_size"},
    FindingRow{"degrees_differ"},
    FindingRow{"python_older"},
    FindingRow{"member_missing", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"member_changed"},
    FindingRow{"checkpoint_unreadable"},
    FindingRow{"directory_closed"},
    FindingRow{"checkpoint_old", FindingPage::exit},
    // existing files
    FindingRow{"train_ckpt_loaded", FindingPage::resume, PlanFix::always},
    FindingRow{"stale_train_ckpt", FindingPage::both, PlanFix::always, FixLabel::backUp},
    FindingRow{"outputs_unknown", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"old_logs", FindingPage::resume, PlanFix::always, FixLabel::backUp},
    FindingRow{"newer_checkpoints", FindingPage::resume, PlanFix::always, FixLabel::backUp},
    FindingRow{"auto_loaded", FindingPage::resume, PlanFix::onRequest, FixLabel::backUp},
    FindingRow{"program_missing"},
    FindingRow{"save_not_writable", FindingPage::exit},
    FindingRow{"saves_nothing", FindingPage::exit},
    FindingRow{"strategy_file"},
    FindingRow{"fault_tolerance", FindingPage::both},
    FindingRow{"disk_room", FindingPage::both},
    FindingRow{"disk_full", FindingPage::exit},
    // recipes and scripts
    FindingRow{"recipe_ranks"},
    FindingRow{"scheduler_address"},
    FindingRow{"recipe_paths"},
    FindingRow{"vcjob"},
    FindingRow{"vcjob_policy"},
    FindingRow{"view_in_checkpoints"},
    FindingRow{"not_loadable"},
    FindingRow{"keeps_one_checkpoint"},
    FindingRow{"gasp_guard"},
    FindingRow{"gasp_linked", FindingPage::resume, PlanFix::always},
    FindingRow{"fault_record", FindingPage::resume, PlanFix::always},
    FindingRow{"fault_record_missing", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"resume_by_directory"},
};
// clang-format on

using FindingCode = Word<findingRows>;

}  // namespace rankdeck
