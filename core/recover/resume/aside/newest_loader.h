// SPDX-License-Identifier: GPL-3.0-or-later
// Training scripts that are told no file and take the newest of a directory, as MindSpore's page on fault recovery has it. What
// lies beside the chosen checkpoint and would come before it goes aside. Where the script goes by the time of creation, which a
// second name, a copy or a change of the owner renews, the chosen file gets a new one. Pure.
#pragma once

#include "core/recover/resume/aside/backup_outputs.h"

#include <map>
#include <string>

namespace rankdeck {

enum class NewestBy {
    nothing,   // no script was read that loads so
    modified,  // the time of the last write
    created,   // st_ctime
};
NewestBy newestBy(const std::map<std::string, std::string> &scripts);  // node → text

// The book must know what lies beside each rank's file of the set.
Moves moveNewest(const JobState &view, const CheckpointSet &set, const PathStats &book, NewestBy by,
                 const std::string &id);

}  // namespace rankdeck
