// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/finding_words.h"

#include <QCoreApplication>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace rankdeck::ui {

namespace {

struct Label {
    const char *word, *text;
};

// In the order of core's table.
// clang-format off
constexpr Label labels[] = {
    {"job_file", QT_TRANSLATE_NOOP("Findings", "The job file")},
    {"no_graceful_config", QT_TRANSLATE_NOOP("Findings", "No config of the graceful exit")},
    {"recipe_unknown", QT_TRANSLATE_NOOP("Findings", "Unknown recipe")},
    {"launched_twice", QT_TRANSLATE_NOOP("Findings", "Ranks would be started twice")},
    {"no_command", QT_TRANSLATE_NOOP("Findings", "No command to start")},
    {"no_logs", QT_TRANSLATE_NOOP("Findings", "No log files are named")},
    {"no_ranks", QT_TRANSLATE_NOOP("Findings", "No ranks are named")},
    {"placeholder", QT_TRANSLATE_NOOP("Findings", "A placeholder")},
    {"checkpoint_not_named", QT_TRANSLATE_NOOP("Findings", "The command names no checkpoint")},
    {"starts_from_zero", QT_TRANSLATE_NOOP("Findings", "It would start from zero")},
    {"journal", QT_TRANSLATE_NOOP("Findings", "The journal")},
    {"exit_elsewhere", QT_TRANSLATE_NOOP("Findings", "Another console is stopping this job")},
    {"exit_interrupted", QT_TRANSLATE_NOOP("Findings", "A stop was interrupted")},
    {"left_behind", QT_TRANSLATE_NOOP("Findings", "Left behind by a killed console")},
    {"interrupted_action", QT_TRANSLATE_NOOP("Findings", "An action was interrupted")},
    {"other_console", QT_TRANSLATE_NOOP("Findings", "Another console is acting on this job")},
    {"attempt_running", QT_TRANSLATE_NOOP("Findings", "This job is already running")},
    {"node_not_live", QT_TRANSLATE_NOOP("Findings", "A node does not answer")},
    {"pod_gone", QT_TRANSLATE_NOOP("Findings", "The pod is gone")},
    {"clock_skew", QT_TRANSLATE_NOOP("Findings", "Clocks differ")},
    {"device_unhealthy", QT_TRANSLATE_NOOP("Findings", "A device is unhealthy")},
    {"machine_trouble", QT_TRANSLATE_NOOP("Findings", "A machine accepts no jobs")},
    {"machines_unknown", QT_TRANSLATE_NOOP("Findings", "The health of the machines")},
    {"not_running", QT_TRANSLATE_NOOP("Findings", "Nothing runs")},
    {"rank_dead", QT_TRANSLATE_NOOP("Findings", "A rank is dead")},
    {"rank_stopped", QT_TRANSLATE_NOOP("Findings", "A rank is stopped by a signal")},
    {"rank_silent", QT_TRANSLATE_NOOP("Findings", "A rank is silent")},
    {"rank_unknown", QT_TRANSLATE_NOOP("Findings", "A rank is unknown")},
    {"run_moving", QT_TRANSLATE_NOOP("Findings", "The run is still active")},
    {"ranks_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell whether ranks run")},
    {"survivors", QT_TRANSLATE_NOOP("Findings", "Processes of the old attempt are running")},
    {"survivors_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell whether processes are left")},
    {"launcher_alive", QT_TRANSLATE_NOOP("Findings", "The launcher is still running")},
    {"port_in_use", QT_TRANSLATE_NOOP("Findings", "The port is in use")},
    {"port_free", QT_TRANSLATE_NOOP("Findings", "The port is free")},
    {"port_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell whether the port is free")},
    {"logout_ends_run", QT_TRANSLATE_NOOP("Findings", "A logout would end the run")},
    {"logout_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell whether a logout ends the run")},
    {"path_shared", QT_TRANSLATE_NOOP("Findings", "Two jobs share a path")},
    {"graceful_env_missing", QT_TRANSLATE_NOOP("Findings", "The graceful exit is not enabled")},
    {"graceful_env_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell whether the graceful exit is enabled")},
    {"graceful_env_not_set", QT_TRANSLATE_NOOP("Findings", "The next run would not obey a stop")},
    {"graceful_by_yaml", QT_TRANSLATE_NOOP("Findings", "The graceful exit is set in the YAML file")},
    {"graceful_tags_missing", QT_TRANSLATE_NOOP("Findings", "The train cell lacks the graceful-exit tags")},
    {"graceful_tags", QT_TRANSLATE_NOOP("Findings", "The set has graceful-exit tags")},
    {"config_elsewhere", QT_TRANSLATE_NOOP("Findings", "The run reads a different config")},
    {"config_confirmed", QT_TRANSLATE_NOOP("Findings", "The run reads this config")},
    {"config_missing", QT_TRANSLATE_NOOP("Findings", "The config is missing")},
    {"config_unreadable", QT_TRANSLATE_NOOP("Findings", "The config cannot be read")},
    {"config_not_json", QT_TRANSLATE_NOOP("Findings", "The config is not valid JSON")},
    {"config_not_object", QT_TRANSLATE_NOOP("Findings", "The config is not a JSON object")},
    {"config_empty", QT_TRANSLATE_NOOP("Findings", "The config is empty")},
    {"config_not_writable", QT_TRANSLATE_NOOP("Findings", "The config is not writable")},
    {"config_odd", QT_TRANSLATE_NOOP("Findings", "The config has an unusual value")},
    {"config_shared", QT_TRANSLATE_NOOP("Findings", "Nodes share the config")},
    {"config_not_editable", QT_TRANSLATE_NOOP("Findings", "The config cannot be edited")},
    {"copies_differ", QT_TRANSLATE_NOOP("Findings", "Copies of the config differ")},
    {"already_armed", QT_TRANSLATE_NOOP("Findings", "A stop is already requested")},
    {"flag_still_set", QT_TRANSLATE_NOOP("Findings", "The stop request is still set")},
    {"signal_handled", QT_TRANSLATE_NOOP("Findings", "The ranks handle the signal")},
    {"signal_not_handled", QT_TRANSLATE_NOOP("Findings", "The ranks do not handle the signal")},
    {"signal_ignored", QT_TRANSLATE_NOOP("Findings", "The ranks ignore the signal")},
    {"signal_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell what the signal does")},
    {"signal_is_pythons", QT_TRANSLATE_NOOP("Findings", "Python itself handles the signal")},
    {"cluster_not_live", QT_TRANSLATE_NOOP("Findings", "The cluster does not answer")},
    {"configmap_not_mounted", QT_TRANSLATE_NOOP("Findings", "The ConfigMap is not mounted")},
    {"configmap_delay", QT_TRANSLATE_NOOP("Findings", "The ConfigMap arrives with a delay")},
    {"fault_flushing", QT_TRANSLATE_NOOP("Findings", "MindX DL is handling a fault")},
    {"slurm_job", QT_TRANSLATE_NOOP("Findings", "The Slurm job")},
    {"slurm_job_unknown", QT_TRANSLATE_NOOP("Findings", "The Slurm job is unknown")},
    {"not_confirmed", QT_TRANSLATE_NOOP("Findings", "Nothing will confirm it")},
    {"step_time", QT_TRANSLATE_NOOP("Findings", "How long a step takes")},
    {"step_slow", QT_TRANSLATE_NOOP("Findings", "A step takes long")},
    {"sink_slow", QT_TRANSLATE_NOOP("Findings", "With data sinking, the stop waits for the end of an epoch")},
    {"price", QT_TRANSLATE_NOOP("Findings", "What it costs")},
    {"sigterm_kills", QT_TRANSLATE_NOOP("Findings", "SIGTERM ends it without a save")},
    {"sigterm_swallowed", QT_TRANSLATE_NOOP("Findings", "SIGTERM is swallowed")},
    {"sigterm_saves_less", QT_TRANSLATE_NOOP("Findings", "SIGTERM saves less")},
    {"sigkill", QT_TRANSLATE_NOOP("Findings", "What SIGKILL costs")},
    {"set", QT_TRANSLATE_NOOP("Findings", "The set")},
    {"set_unknown", QT_TRANSLATE_NOOP("Findings", "No such set")},
    {"set_not_valid", QT_TRANSLATE_NOOP("Findings", "The set is not VALID")},
    {"set_unproven", QT_TRANSLATE_NOOP("Findings", "The set is not proven")},
    {"no_valid_set", QT_TRANSLATE_NOOP("Findings", "No set is VALID")},
    {"kept_set", QT_TRANSLATE_NOOP("Findings", "A kept set must be put back")},
    {"graceful_set", QT_TRANSLATE_NOOP("Findings", "The set was saved by a graceful exit")},
    {"world_size", QT_TRANSLATE_NOOP("Findings", "The world size")},
    {"degrees_differ", QT_TRANSLATE_NOOP("Findings", "Degrees of parallelism differ")},
    {"python_older", QT_TRANSLATE_NOOP("Findings", "An older Python")},
    {"member_missing", QT_TRANSLATE_NOOP("Findings", "A file of the set is missing")},
    {"member_changed", QT_TRANSLATE_NOOP("Findings", "A file of the set has changed")},
    {"checkpoint_unreadable", QT_TRANSLATE_NOOP("Findings", "A checkpoint cannot be read")},
    {"checkpoint_owner", QT_TRANSLATE_NOOP("Findings", "The checkpoint belongs to another user")},
    {"checkpoint_old", QT_TRANSLATE_NOOP("Findings", "The newest checkpoint is old")},
    {"train_ckpt_loaded", QT_TRANSLATE_NOOP("Findings", "The script loads its own *_train.ckpt")},
    {"stale_train_ckpt", QT_TRANSLATE_NOOP("Findings", "An old *_train.ckpt would be loaded")},
    {"outputs_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell which file the script searches for")},
    {"old_logs", QT_TRANSLATE_NOOP("Findings", "Old logs would be overwritten")},
    {"newer_checkpoints", QT_TRANSLATE_NOOP("Findings", "There are newer checkpoints")},
    {"auto_loaded", QT_TRANSLATE_NOOP("Findings", "Something else would be loaded")},
    {"workdir_missing", QT_TRANSLATE_NOOP("Findings", "The working directory is missing")},
    {"program_missing", QT_TRANSLATE_NOOP("Findings", "The program is missing")},
    {"interpreter_missing", QT_TRANSLATE_NOOP("Findings", "The interpreter is missing")},
    {"script_missing", QT_TRANSLATE_NOOP("Findings", "The script is missing")},
    {"checkpoint_directory_closed", QT_TRANSLATE_NOOP("Findings", "The checkpoint directory is not writable")},
    {"log_directory_closed", QT_TRANSLATE_NOOP("Findings", "The log directory is not writable")},
    {"save_not_writable", QT_TRANSLATE_NOOP("Findings", "The save would fail")},
    {"save_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell where it saves")},
    {"saves_nothing", QT_TRANSLATE_NOOP("Findings", "It saves nothing")},
    {"strategy_missing", QT_TRANSLATE_NOOP("Findings", "The strategy file is missing")},
    {"strategy_overwritten", QT_TRANSLATE_NOOP("Findings", "The strategy file would be overwritten")},
    {"protection_refused", QT_TRANSLATE_NOOP("Findings", "MindSpore will not provide this protection")},
    {"mindio_missing", QT_TRANSLATE_NOOP("Findings", "MindIO is missing")},
    {"controller_beside", QT_TRANSLATE_NOOP("Findings", "MindIO's controller is watching the ranks")},
    {"disk_room", QT_TRANSLATE_NOOP("Findings", "Free disk space")},
    {"disk_full", QT_TRANSLATE_NOOP("Findings", "The disk is too full to save")},
    {"disk_low", QT_TRANSLATE_NOOP("Findings", "The disk is nearly full")},
    {"disk_unknown", QT_TRANSLATE_NOOP("Findings", "Free disk space is unknown")},
    {"msrun_ranks", QT_TRANSLATE_NOOP("Findings", "The ranks of msrun")},
    {"scheduler_address", QT_TRANSLATE_NOOP("Findings", "The scheduler's address")},
    {"torchrun_ranks", QT_TRANSLATE_NOOP("Findings", "Ranks of torchrun")},
    {"mpirun_ranks", QT_TRANSLATE_NOOP("Findings", "Ranks of mpirun")},
    {"mpirun_workdir", QT_TRANSLATE_NOOP("Findings", "The working directory of mpirun")},
    {"volcano_ranks", QT_TRANSLATE_NOOP("Findings", "Ranks of the vcjob")},
    {"volcano_image", QT_TRANSLATE_NOOP("Findings", "The image of the vcjob")},
    {"volcano_mounts", QT_TRANSLATE_NOOP("Findings", "The mounts of the vcjob")},
    {"volcano_file", QT_TRANSLATE_NOOP("Findings", "The file of the vcjob")},
    {"volcano_devices", QT_TRANSLATE_NOOP("Findings", "The devices of the vcjob")},
    {"volcano_min_available", QT_TRANSLATE_NOOP("Findings", "minAvailable of the vcjob")},
    {"volcano_restarts", QT_TRANSLATE_NOOP("Findings", "The cluster restarts the job")},
    {"volcano_grace", QT_TRANSLATE_NOOP("Findings", "The pods' grace period")},
    {"volcano_pre_stop", QT_TRANSLATE_NOOP("Findings", "The pre-stop hook of the pods")},
    {"volcano_shm", QT_TRANSLATE_NOOP("Findings", "The pods' shared memory")},
    {"slurm_paths", QT_TRANSLATE_NOOP("Findings", "Paths of the Slurm job")},
    {"log_names", QT_TRANSLATE_NOOP("Findings", "msrun names its logs itself")},
    {"view_in_checkpoints", QT_TRANSLATE_NOOP("Findings", "The staging directory is among the checkpoints")},
    {"pangu_sizes", QT_TRANSLATE_NOOP("Findings", "Sizes of the Pangu script")},
    {"pangu_replica", QT_TRANSLATE_NOOP("Findings", "Replicas of the Pangu script")},
    {"keeps_one_checkpoint", QT_TRANSLATE_NOOP("Findings", "The job keeps only one checkpoint")},
    {"gasp_guard", QT_TRANSLATE_NOOP("Findings", "An emergency checkpoint is too new for the script")},
    {"gasp_linked", QT_TRANSLATE_NOOP("Findings", "Emergency checkpoints are linked")},
    {"gasp_not_told", QT_TRANSLATE_NOOP("Findings", "The script does not know of the emergency checkpoints")},
    {"fault_record", QT_TRANSLATE_NOOP("Findings", "The fault record")},
    {"fault_record_missing", QT_TRANSLATE_NOOP("Findings", "The fault record is missing")},
    {"resume_by_directory", QT_TRANSLATE_NOOP("Findings", "The script resumes by directory")},
    {"fault_tolerance", QT_TRANSLATE_NOOP("Findings", "Fault-tolerance modes exclude each other")},
};
// clang-format on

static_assert(std::equal(std::next(findingRows.begin()), findingRows.end(), std::begin(labels), std::end(labels),
                         [](const FindingRow &row, const Label &label) {
                             return std::string_view(row.word) == label.word;
                         }),
              "each finding of core has its label here, in the same order");

}  // namespace

QString findingLabel(FindingCode code)
{
    const auto *const at = std::find_if(std::begin(labels), std::end(labels), [&](const Label &label) {
        return std::string_view(code.word()) == label.word;
    });
    if (at == std::end(labels)) return {};
    const QString said = QCoreApplication::translate("Findings", at->text);
    return said == QLatin1String(at->text) ? QString() : said;
}

}  // namespace rankdeck::ui
