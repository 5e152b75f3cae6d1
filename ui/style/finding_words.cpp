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
    {"placeholder", QT_TRANSLATE_NOOP("Findings", "A placeholder")},
    {"checkpoint_not_named", QT_TRANSLATE_NOOP("Findings", "The command names no checkpoint")},
    {"starts_from_zero", QT_TRANSLATE_NOOP("Findings", "It would start from zero")},
    {"journal", QT_TRANSLATE_NOOP("Findings", "The journal")},
    {"other_console", QT_TRANSLATE_NOOP("Findings", "Another console is stopping this job")},
    {"interrupted_action", QT_TRANSLATE_NOOP("Findings", "A stop was interrupted")},
    {"left_behind", QT_TRANSLATE_NOOP("Findings", "Left behind by a killed console")},
    {"attempt_running", QT_TRANSLATE_NOOP("Findings", "This job is already running")},
    {"node_not_live", QT_TRANSLATE_NOOP("Findings", "A node does not answer")},
    {"clock_skew", QT_TRANSLATE_NOOP("Findings", "Clocks differ")},
    {"device_unhealthy", QT_TRANSLATE_NOOP("Findings", "A device is unhealthy")},
    {"machine_trouble", QT_TRANSLATE_NOOP("Findings", "A machine accepts no jobs")},
    {"not_running", QT_TRANSLATE_NOOP("Findings", "Nothing runs")},
    {"rank_dead", QT_TRANSLATE_NOOP("Findings", "A rank is dead")},
    {"rank_silent", QT_TRANSLATE_NOOP("Findings", "A rank does not answer")},
    {"run_moving", QT_TRANSLATE_NOOP("Findings", "The run is still active")},
    {"ranks_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell whether ranks run")},
    {"survivors", QT_TRANSLATE_NOOP("Findings", "Processes of the old attempt are running")},
    {"survivors_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell whether processes are left")},
    {"launcher_alive", QT_TRANSLATE_NOOP("Findings", "The launcher is still running")},
    {"port_in_use", QT_TRANSLATE_NOOP("Findings", "The port is in use")},
    {"port", QT_TRANSLATE_NOOP("Findings", "The port")},
    {"logout_ends_run", QT_TRANSLATE_NOOP("Findings", "A logout would end the run")},
    {"logout_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell whether a logout ends the run")},
    {"path_shared", QT_TRANSLATE_NOOP("Findings", "Two jobs share a path")},
    {"graceful_env", QT_TRANSLATE_NOOP("Findings", "MS_ENABLE_GRACEFUL_EXIT")},
    {"graceful_tags_missing", QT_TRANSLATE_NOOP("Findings", "The train cell lacks the graceful-exit tags")},
    {"graceful_tags", QT_TRANSLATE_NOOP("Findings", "The set has graceful-exit tags")},
    {"config_named", QT_TRANSLATE_NOOP("Findings", "The config that the run reads")},
    {"config_missing", QT_TRANSLATE_NOOP("Findings", "The config is missing")},
    {"config_unreadable", QT_TRANSLATE_NOOP("Findings", "The config cannot be read")},
    {"config_invalid", QT_TRANSLATE_NOOP("Findings", "The config is not valid")},
    {"config_not_writable", QT_TRANSLATE_NOOP("Findings", "The config is not writable")},
    {"config_shared", QT_TRANSLATE_NOOP("Findings", "Nodes share the config")},
    {"config_not_editable", QT_TRANSLATE_NOOP("Findings", "The config cannot be edited")},
    {"copies_differ", QT_TRANSLATE_NOOP("Findings", "Copies of the config differ")},
    {"already_armed", QT_TRANSLATE_NOOP("Findings", "A stop is already requested")},
    {"flag_still_set", QT_TRANSLATE_NOOP("Findings", "The stop request is still set")},
    {"signal_handler", QT_TRANSLATE_NOOP("Findings", "The handler of the signal")},
    {"cluster_not_live", QT_TRANSLATE_NOOP("Findings", "The cluster does not answer")},
    {"configmap", QT_TRANSLATE_NOOP("Findings", "The ConfigMap")},
    {"fault_flushing", QT_TRANSLATE_NOOP("Findings", "MindX DL is handling a fault")},
    {"slurm_job", QT_TRANSLATE_NOOP("Findings", "The Slurm job")},
    {"not_confirmed", QT_TRANSLATE_NOOP("Findings", "Nothing will confirm it")},
    {"step_time", QT_TRANSLATE_NOOP("Findings", "How long a step takes")},
    {"price", QT_TRANSLATE_NOOP("Findings", "What it costs")},
    {"force_stop", QT_TRANSLATE_NOOP("Findings", "A force stop")},
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
    {"directory_closed", QT_TRANSLATE_NOOP("Findings", "A directory is not writable")},
    {"checkpoint_old", QT_TRANSLATE_NOOP("Findings", "The newest checkpoint is old")},
    {"train_ckpt_loaded", QT_TRANSLATE_NOOP("Findings", "The script loads its own *_train.ckpt")},
    {"stale_train_ckpt", QT_TRANSLATE_NOOP("Findings", "An old *_train.ckpt would be loaded")},
    {"outputs_unknown", QT_TRANSLATE_NOOP("Findings", "Cannot tell which file the script searches for")},
    {"old_logs", QT_TRANSLATE_NOOP("Findings", "Old logs would be overwritten")},
    {"newer_checkpoints", QT_TRANSLATE_NOOP("Findings", "There are newer checkpoints")},
    {"auto_loaded", QT_TRANSLATE_NOOP("Findings", "Something else would be loaded")},
    {"program_missing", QT_TRANSLATE_NOOP("Findings", "Something to start is missing")},
    {"save_not_writable", QT_TRANSLATE_NOOP("Findings", "The save would fail")},
    {"saves_nothing", QT_TRANSLATE_NOOP("Findings", "It saves nothing")},
    {"strategy_file", QT_TRANSLATE_NOOP("Findings", "The strategy file")},
    {"fault_tolerance", QT_TRANSLATE_NOOP("Findings", "Fault tolerance")},
    {"disk_room", QT_TRANSLATE_NOOP("Findings", "Free disk space")},
    {"disk_full", QT_TRANSLATE_NOOP("Findings", "The disk is too full to save")},
    {"recipe_ranks", QT_TRANSLATE_NOOP("Findings", "The ranks of the recipe")},
    {"scheduler_address", QT_TRANSLATE_NOOP("Findings", "The scheduler's address")},
    {"recipe_paths", QT_TRANSLATE_NOOP("Findings", "The paths of the recipe")},
    {"vcjob", QT_TRANSLATE_NOOP("Findings", "The vcjob")},
    {"vcjob_policy", QT_TRANSLATE_NOOP("Findings", "The policies of the vcjob")},
    {"view_in_checkpoints", QT_TRANSLATE_NOOP("Findings", "The staging directory is among the checkpoints")},
    {"not_loadable", QT_TRANSLATE_NOOP("Findings", "The script cannot load the set")},
    {"keeps_one_checkpoint", QT_TRANSLATE_NOOP("Findings", "The job keeps only one checkpoint")},
    {"gasp_guard", QT_TRANSLATE_NOOP("Findings", "An emergency checkpoint is too new for the script")},
    {"gasp_linked", QT_TRANSLATE_NOOP("Findings", "Emergency checkpoints are linked")},
    {"fault_record", QT_TRANSLATE_NOOP("Findings", "The fault record")},
    {"fault_record_missing", QT_TRANSLATE_NOOP("Findings", "The fault record is missing")},
    {"resume_by_directory", QT_TRANSLATE_NOOP("Findings", "The script resumes by directory")},
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
