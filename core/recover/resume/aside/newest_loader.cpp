// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/resume/aside/newest_loader.h"

#include "core/base/text.h"
#include "core/recover/edit/python_edit.h"
#include "core/recover/launch/first_folder.h"
#include "core/recover/launch/rank_folders.h"
#include "core/recover/resume/aside/emergency_checkpoints.h"
#include "core/recover/wording.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string_view>

namespace rankdeck {

namespace {

bool saysAny(const Message &text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return contains(text, word); });
}

NewestBy newestOfScript(const std::string &script)
{
    const std::string text = squeezedPython(script);
    const bool lists = saysAny(text, {"listdir(", "glob(", "scandir(", "iterdir("});
    const bool loads = saysAny(text, {"load_checkpoint(", ".load(", "load_state_dict(", ".restore(", "load_weights("});
    // Scripts that another rule handles are skipped.
    if (!lists || !loads || !firstFolderOf(script).empty() || folderGlobOf(script)) return NewestBy::nothing;
    if (saysAny(text, {"getctime", "st_ctime"})) return NewestBy::created;
    return saysAny(text, {"getmtime", "st_mtime"}) ? NewestBy::modified : NewestBy::nothing;
}

std::string extensionOf(const std::string &path)
{
    const std::string name = baseName(path);
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? std::string() : name.substr(dot);
}

class NewestOfFolder {
public:
    NewestOfFolder(const JobState &view, const CheckpointSet &set, const PathStats &book, const std::string &id)
        : m_view(view), m_book(book), m_id(id)
    {
        for (const MemberVerdict &member : set.members)
            if (const NodeSpec *node = view.job.nodeOf(member.rank)) m_chosen.insert({node->name, member.path});
    }

    void look(const MemberVerdict &member, NewestBy by)
    {
        const NodeSpec *node = m_view.job.nodeOf(member.rank);
        // If another rank's file serves this rank, its own folder does not contain that file.
        if (!node || ownPlace(member) != member.path) return;
        const auto chosen = m_book.stat(node->name, member.path);
        if (!chosen || !m_seen.insert({placeOf(node->name), member.path}).second) return;
        for (const auto &[path, stat] : m_book.beside(node->name, member.path))
            if (comesBefore(path, stat, member.path, *chosen) && !isChosen(node->name, path))
                backUp(member.rank, node->name, path);
        if (by == NewestBy::created && chosen->kind == 'f') renew(node->name, member.path);
    }

    Moves run(NewestBy by)
    {
        if (!m_ranks.empty())
            say(newerText(), m_count > 1 ? message("the plan backs them up") : message("the plan backs it up"));
        if (by == NewestBy::created && !m_renewals.empty())
            say(message("the script loads the most recently created file in its directory. A hard link, a copy or a "
                        "new owner makes an older file look like the newest"),
                message("the plan gives the chosen file a new creation time"));
        for (const auto &[node, steps] : m_renewals) {  // after all other renames
            auto &all = m_moves.byNode[node];
            all.insert(all.end(), steps.begin(), steps.end());
        }
        return std::move(m_moves);
    }

private:
    [[nodiscard]] std::string placeOf(const std::string &node) const
    {
        return m_view.job.pathsShared ? std::string() : node;
    }
    [[nodiscard]] bool isChosen(const std::string &node, const std::string &path) const
    {
        return m_view.job.pathsShared
                   ? std::any_of(m_chosen.begin(), m_chosen.end(), [&](const auto &one) { return one.second == path; })
                   : m_chosen.contains({node, path});
    }

    // True if a script that takes the newest entry would take this one before the chosen one. Compares only files with
    // the same extension, or directories whose names begin with the same text.
    static bool comesBefore(const std::string &path, const FileStat &stat, const std::string &chosen,
                            const FileStat &own)
    {
        const bool sameSort = stat.kind == own.kind && extensionOf(path) == extensionOf(chosen) &&
                              (own.kind == 'f' || baseName(path).substr(0, 4) == baseName(chosen).substr(0, 4));
        return path != chosen && sameSort && stat.mtimeNs >= own.mtimeNs;
    }

    void backUp(int rank, const std::string &node, const std::string &path)
    {
        const std::string target = path + ".moved-" + m_id;
        if (!m_moves.moved[node].emplace(path, target).second || !m_seen.insert({placeOf(node), path}).second) return;
        m_moves.byNode[node].push_back({.action = FileAction::move, .path = path, .target = target});
        m_ranks.push_back(rank);
        ++m_count;
        if (m_example.empty()) m_example = path;
    }

    // Adds and removes a hard link, which updates the inode's change time. The script uses that time.
    void renew(const std::string &node, const std::string &path)
    {
        const std::string second = path + ".renewed-" + m_id;
        m_renewals[node].push_back({.action = FileAction::makeHardLink, .path = second, .target = path});
        m_renewals[node].push_back({.action = FileAction::remove, .path = second});
    }

    [[nodiscard]] Message newerText() const
    {
        if (m_count == 1)
            return message("the script loads the newest file in its directory; %1 comes before the chosen file (%2)",
                           printable(m_example), ranksText(m_ranks));
        return message(
            "the script loads the newest file in its directory; %1 and %2 more come before the chosen file (%3)",
            printable(m_example), m_count - 1, ranksText(m_ranks));
    }

    void say(const Message &text, const Message &fix)
    {
        Finding finding = warning("newer_checkpoints", text, fix);
        finding.fixable = true;
        m_moves.findings.push_back(std::move(finding));
    }

    const JobState &m_view;
    const PathStats &m_book;
    const std::string &m_id;
    std::set<std::pair<std::string, std::string>> m_chosen, m_seen;  // node and path
    std::map<std::string, std::vector<FileActionRequest>> m_renewals;
    Moves m_moves;
    std::vector<int> m_ranks;
    std::string m_example;
    std::size_t m_count = 0;
};

}  // namespace

NewestBy newestBy(const std::map<std::string, std::string> &scripts)
{
    for (const auto &[node, script] : scripts)
        if (const NewestBy by = newestOfScript(script); by != NewestBy::nothing) return by;
    return NewestBy::nothing;
}

Moves moveNewest(const JobState &view, const CheckpointSet &set, const PathStats &book, NewestBy by,
                 const std::string &id)
{
    NewestOfFolder folder(view, set, book, id);
    for (const MemberVerdict &member : set.members) folder.look(member, by);
    return folder.run(by);
}

}  // namespace rankdeck
