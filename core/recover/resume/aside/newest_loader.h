// SPDX-License-Identifier: GPL-3.0-or-later
// Backups for training scripts that get no file name and take the newest file in a directory, as MindSpore's page on
// fault recovery shows. Files beside the chosen checkpoint that the script would prefer are renamed. Some scripts use
// the time of creation (st_ctime), which a hard link, a copy or a new owner changes. In that case the chosen file gets
// a new time, too. Pure.
#pragma once

#include "core/recover/resume/aside/backup_outputs.h"

#include <map>
#include <string>

namespace rankdeck {

enum class NewestBy {
    nothing,   // no script that loads this way was read
    modified,  // the time of the last write
    created,   // st_ctime
};
NewestBy newestBy(const std::map<std::string, std::string> &scripts);  // node → text

// `book` must contain the files beside each rank's file of the set.
Moves moveNewest(const JobState &view, const CheckpointSet &set, const PathStats &book, NewestBy by,
                 const std::string &id);

}  // namespace rankdeck
