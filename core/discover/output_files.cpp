// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/discover/output_files.h"

#include "core/base/text.h"
#include "core/recover/host/programs.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

namespace rankdeck {
namespace {

constexpr std::size_t mostFilters = 16;  // in one chain
constexpr std::size_t mostReaders = 64;
constexpr int longestLine = 64;  // of parents

bool isPlainFile(const FileEntry &entry)
{
    return entry.stat.kind == 'f' && entry.linkTarget.starts_with("/") && !entry.linkTarget.ends_with(" (deleted)");
}

const std::vector<OpenFile> &filesOf(int pid, const OpenFiles &open)
{
    static const std::vector<OpenFile> none;
    const auto found = open.find(pid);
    return found == open.end() ? none : found->second;
}

// The target of one number; empty: closed, or unknown.
std::string targetOf(int pid, std::string_view number, const OpenFiles &open)
{
    for (const OpenFile &file : filesOf(pid, open))
        if (baseName(file.entry.path) == number) return file.entry.linkTarget;
    return {};
}

bool isPipe(const std::string &target) { return target.starts_with("pipe:"); }

// Its output, if that is a file; otherwise another file that it writes, as tee does. Files that it inherited are
// excluded: the process before the pipe has those under the same number.
std::string fileOfFilter(int pid, int before, const OpenFiles &open)
{
    std::string beside;
    for (const auto &[entry, written] : filesOf(pid, open)) {
        const std::string number = baseName(entry.path);
        if (number == "1" && isPlainFile(entry)) return entry.linkTarget;
        if (!mayBeALog(entry) || !written.isYes() || !beside.empty()) continue;
        const bool inherited = targetOf(before, number, open) == entry.linkTarget;
        if (!inherited) beside = entry.linkTarget;
    }
    return beside;
}

}  // namespace

bool mayBeALog(const FileEntry &entry)
{
    const std::string number = baseName(entry.path);
    return isPlainFile(entry) && number != "0" && number != "1" && number != "2";
}

Known isOpenForWriting(std::string_view fdinfo)
{
    constexpr std::string_view key = "flags:";
    const std::size_t at = fdinfo.find(key);
    if (at == std::string_view::npos) return Known::unknown;
    std::string_view value = fdinfo.substr(at + key.size());
    value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
    unsigned flags = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), flags, 8);
    if (read.ec != std::errc()) return Known::unknown;
    return (flags & 3u) != 0 ? Known::yes : Known::no;  // O_RDONLY is 0
}

std::string fileBehindPipes(int pid, const OpenFiles &open)
{
    std::set<std::string> pipes;
    const auto addPipesOf = [&](int writer) {
        bool added = false;
        for (const char *number : {"1", "2"})
            if (std::string target = targetOf(writer, number, open); isPipe(target))
                added = pipes.insert(std::move(target)).second || added;
        return added;
    };
    if (!addPipesOf(pid)) return {};
    for (std::size_t step = 0; step < mostFilters; ++step) {
        bool added = false;
        for (const auto &[reader, files] : open) {
            if (reader == pid || !pipes.contains(targetOf(reader, "0", open))) continue;
            if (std::string file = fileOfFilter(reader, pid, open); !file.empty()) return file;
            added = addPipesOf(reader) || added;
        }
        if (!added) break;
    }
    return {};
}

std::string ownLog(int pid, const OpenFiles &open)
{
    for (const auto &[entry, written] : filesOf(pid, open))
        if (mayBeALog(entry) && written.isYes() && entry.linkTarget.ends_with(".log")) return entry.linkTarget;
    return {};
}

std::vector<int> possibleReaders(const ProcessInfo &process, const std::vector<ProcessInfo> &all)
{
    std::map<int, int> parents;
    for (const ProcessInfo &one : all) parents[one.id.pid] = one.parent;
    std::set<int> above;
    int at = process.parent;
    for (int steps = 0; steps < longestLine && at > 1 && above.insert(at).second; ++steps) {
        const auto found = parents.find(at);
        at = found == parents.end() ? 0 : found->second;
    }
    std::vector<int> readers;
    for (const ProcessInfo &one : all) {
        const bool orphan = one.parent <= 1 && isFilterProgram(one.comm);
        if (one.id.pid != process.id.pid && (above.contains(one.parent) || orphan) && readers.size() < mostReaders)
            readers.push_back(one.id.pid);
    }
    return readers;
}

}  // namespace rankdeck
