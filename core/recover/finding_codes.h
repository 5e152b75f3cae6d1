// SPDX-License-Identifier: GPL-3.0-or-later
// Table of preflight codes, one row each. A new code needs a row here and a row in the table of its page; a code
// without a row does not compile. The codes are part of the JSON output and must stay. Codes are listed in this order.
#pragma once

#include "core/base/word.h"

#include <array>
#include <cstdint>

namespace rankdeck {

enum class FindingPage : std::uint8_t { exit, resume, both };   // docs/graceful-exit.md, docs/resume.md
enum class PlanFix : std::uint8_t { none, always, onRequest };  // whether the plan fixes it: --fix CODE requests it
// Label of the button that requests the fix. allTheSame: nothing is fixed, the operator accepts the risk.
enum class FixLabel : std::uint8_t { inPlan, setToZero, backUp, allTheSame };

struct FindingRow {
    const char *word;
    FindingPage page = FindingPage::resume;
    PlanFix fix = PlanFix::none;
    FixLabel label = FixLabel::inPlan;
};

// clang-format off
inline constexpr std::array findingRows{
    FindingRow{""},  // none yet
    // the job file
    FindingRow{"job_file", FindingPage::exit},
    FindingRow{"no_graceful_config", FindingPage::exit},
    FindingRow{"recipe_unknown"},
    FindingRow{"launched_twice"},
    FindingRow{"no_command"},
    FindingRow{"no_logs"},
    FindingRow{"no_ranks"},
    FindingRow{"placeholder"},
    FindingRow{"checkpoint_not_named", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"starts_from_zero", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    // consoles
    FindingRow{"journal", FindingPage::both},
    FindingRow{"exit_elsewhere", FindingPage::exit},
    FindingRow{"exit_interrupted", FindingPage::exit},
    FindingRow{"left_behind", FindingPage::exit},
    FindingRow{"interrupted_action"},
    FindingRow{"other_console", FindingPage::both},
    FindingRow{"attempt_running"},
    // nodes and processes
    FindingRow{"node_not_live", FindingPage::both},
    FindingRow{"pod_gone"},
    FindingRow{"clock_skew"},
    FindingRow{"device_unhealthy"},
    FindingRow{"machine_trouble"},
    FindingRow{"machines_unknown"},
    FindingRow{"not_running", FindingPage::exit},
    FindingRow{"rank_dead", FindingPage::exit},
    FindingRow{"rank_stopped", FindingPage::exit},
    FindingRow{"rank_silent", FindingPage::exit},
    FindingRow{"rank_unknown", FindingPage::exit},
    FindingRow{"run_moving", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"ranks_unknown", FindingPage::both, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"survivors", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"survivors_unknown", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"launcher_alive", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"port_in_use", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"port_free"},
    FindingRow{"port_unknown"},
    FindingRow{"logout_ends_run", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"logout_unknown"},
    FindingRow{"path_shared"},
    // stop methods
    FindingRow{"graceful_env_missing", FindingPage::exit},
    FindingRow{"graceful_env_unknown", FindingPage::exit},
    FindingRow{"graceful_env_not_set"},
    FindingRow{"graceful_by_yaml", FindingPage::exit},
    FindingRow{"graceful_tags_missing", FindingPage::exit},
    FindingRow{"graceful_tags", FindingPage::resume, PlanFix::onRequest},
    FindingRow{"config_elsewhere", FindingPage::exit},
    FindingRow{"config_confirmed", FindingPage::exit},
    FindingRow{"config_missing", FindingPage::exit},
    FindingRow{"config_unreadable", FindingPage::both},
    FindingRow{"config_not_json", FindingPage::both},
    FindingRow{"config_not_object", FindingPage::both},
    FindingRow{"config_empty", FindingPage::exit},
    FindingRow{"config_not_writable", FindingPage::exit},
    FindingRow{"config_odd", FindingPage::exit},
    FindingRow{"config_shared", FindingPage::both},
    FindingRow{"config_not_editable"},
    FindingRow{"copies_differ", FindingPage::exit},
    FindingRow{"already_armed", FindingPage::exit},
    FindingRow{"flag_still_set", FindingPage::resume, PlanFix::always, FixLabel::setToZero},
    FindingRow{"signal_handled", FindingPage::exit},
    FindingRow{"signal_not_handled", FindingPage::exit},
    FindingRow{"signal_ignored", FindingPage::exit},
    FindingRow{"signal_unknown", FindingPage::exit},
    FindingRow{"signal_is_pythons", FindingPage::exit},
    FindingRow{"cluster_not_live", FindingPage::exit},
    FindingRow{"configmap_not_mounted", FindingPage::exit},
    FindingRow{"configmap_delay", FindingPage::exit},
    FindingRow{"fault_flushing", FindingPage::exit},
    FindingRow{"slurm_job", FindingPage::exit},
    FindingRow{"slurm_job_unknown", FindingPage::exit},
    FindingRow{"not_confirmed", FindingPage::exit},
    FindingRow{"step_time", FindingPage::exit},
    FindingRow{"step_slow", FindingPage::exit},
    FindingRow{"sink_slow", FindingPage::exit},
    FindingRow{"price", FindingPage::exit},
    FindingRow{"sigterm_kills", FindingPage::exit},
    FindingRow{"sigterm_swallowed", FindingPage::exit},
    FindingRow{"sigterm_saves_less", FindingPage::exit},
    FindingRow{"sigkill", FindingPage::exit},
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
    FindingRow{"checkpoint_owner"},
    FindingRow{"checkpoint_old", FindingPage::exit},
    // existing files
    FindingRow{"train_ckpt_loaded", FindingPage::resume, PlanFix::always},
    FindingRow{"stale_train_ckpt", FindingPage::both, PlanFix::always, FixLabel::backUp},
    FindingRow{"outputs_unknown", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"old_logs", FindingPage::resume, PlanFix::always, FixLabel::backUp},
    FindingRow{"newer_checkpoints", FindingPage::resume, PlanFix::always, FixLabel::backUp},
    FindingRow{"auto_loaded", FindingPage::resume, PlanFix::onRequest, FixLabel::backUp},
    FindingRow{"workdir_missing"},
    FindingRow{"program_missing"},
    FindingRow{"interpreter_missing"},
    FindingRow{"script_missing"},
    FindingRow{"checkpoint_directory_closed"},
    FindingRow{"log_directory_closed"},
    FindingRow{"save_not_writable", FindingPage::exit},
    FindingRow{"save_unknown", FindingPage::exit},
    FindingRow{"saves_nothing", FindingPage::exit},
    FindingRow{"strategy_missing"},
    FindingRow{"strategy_overwritten"},
    FindingRow{"protection_refused"},
    FindingRow{"mindio_missing"},
    FindingRow{"controller_beside", FindingPage::exit},
    FindingRow{"disk_room", FindingPage::exit},
    FindingRow{"disk_full", FindingPage::exit},
    FindingRow{"disk_low"},
    FindingRow{"disk_unknown"},
    // recipes and scripts
    FindingRow{"msrun_ranks"},
    FindingRow{"scheduler_address"},
    FindingRow{"torchrun_ranks"},
    FindingRow{"mpirun_ranks"},
    FindingRow{"mpirun_workdir"},
    FindingRow{"volcano_ranks"},
    FindingRow{"volcano_image"},
    FindingRow{"volcano_mounts"},
    FindingRow{"volcano_file"},
    FindingRow{"volcano_devices"},
    FindingRow{"volcano_min_available"},
    FindingRow{"volcano_restarts"},
    FindingRow{"volcano_grace"},
    FindingRow{"volcano_pre_stop"},
    FindingRow{"volcano_shm"},
    FindingRow{"slurm_paths"},
    FindingRow{"log_names"},
    FindingRow{"view_in_checkpoints"},
    FindingRow{"pangu_sizes"},
    FindingRow{"pangu_replica"},
    FindingRow{"keeps_one_checkpoint"},
    FindingRow{"gasp_guard"},
    FindingRow{"gasp_linked", FindingPage::resume, PlanFix::always},
    FindingRow{"gasp_not_told"},
    FindingRow{"fault_record", FindingPage::resume, PlanFix::always},
    FindingRow{"fault_record_missing", FindingPage::resume, PlanFix::onRequest, FixLabel::allTheSame},
    FindingRow{"resume_by_directory"},
    FindingRow{"fault_tolerance"},
};
// clang-format on

using FindingCode = Word<findingRows>;

}  // namespace rankdeck
