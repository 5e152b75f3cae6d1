// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/verdict/corpus.h"
#include "tests/testbed/paths.h"

#include "core/base/text.h"
#include "core/verdict/table/arrangement.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace rankdeck::test {

Corpus::Corpus(std::string root) : m_root(std::move(root))
{
    NodeSpec node;
    node.name = "n0";
    node.host = "local";
    job.name = "corpus";
    job.nodes = {node};
    job.checkpoints.path = m_root;
    expected.now = wallFromNs(epoch0 + 100'000 * second);
    expected.running = false;
}

void Corpus::copy(const std::string &sample, std::int64_t atSeconds)
{
    const std::filesystem::path from = std::filesystem::path(testData()) / "mindspore" / sample;
    for (const auto &item : std::filesystem::recursive_directory_iterator(from))
        if (item.is_regular_file())
            put(std::filesystem::relative(item.path(), from).string(), readFile(item.path().string()), atSeconds);
    if (m_entries.empty()) throw std::runtime_error("no files in " + from.string());
}

void Corpus::copyTree(const std::string &sample, const std::string &as, std::int64_t atSeconds)
{
    const std::filesystem::path from = std::filesystem::path(testData()) / sample;
    for (const auto &item : std::filesystem::recursive_directory_iterator(from))
        if (item.is_regular_file())
            put(as + "/" + std::filesystem::relative(item.path(), from).string(), readFile(item.path().string()),
                atSeconds, 0644);
    if (m_entries.empty()) throw std::runtime_error("no files in " + from.string());
}

void Corpus::put(const std::string &path, std::string bytes, std::int64_t atSeconds, unsigned mode)
{
    const std::string full = m_root + "/" + path;
    m_entries[full] = m_files.add(full, std::move(bytes), epoch0 + atSeconds * second, mode);
    for (std::string directory = dirName(full); directory.size() > m_root.size(); directory = dirName(directory))
        m_directories.insert(directory);
}

void Corpus::remove(const std::string &path)
{
    m_entries.erase(m_root + "/" + path);
    m_files.erase(m_root + "/" + path);
}

void Corpus::refuse(const std::string &path, const std::string &error)
{
    m_files.at(m_root + "/" + path).error = error;
}

void Corpus::touch(const std::string &path, std::int64_t atSeconds)
{
    FileStat &stat = entry(path).stat;
    stat.mtimeNs = epoch0 + atSeconds * second;
    m_files.at(m_root + "/" + path).stat = stat;
}

void Corpus::chmod(const std::string &path, unsigned mode)
{
    entry(path).stat.mode = mode;
    m_files.at(m_root + "/" + path).stat.mode = mode;
}

std::string &Corpus::bytes(const std::string &path) { return m_files.at(m_root + "/" + path).bytes; }

void Corpus::edit(const std::string &path, const std::function<void(std::string &)> &change)
{
    change(bytes(path));
    MemoryFile &file = m_files.at(m_root + "/" + path);
    file.stat.size = file.bytes.size();
    entry(path).stat = file.stat;
}

Listing Corpus::listing() const
{
    Listing out;
    out.root = m_root;
    std::map<std::string, FileEntry> all = m_entries;
    for (const std::string &directory : m_directories)
        if (!all.count(directory)) {
            FileEntry d{directory, {}};
            d.stat.kind = 'd';
            all[directory] = d;
        }
    for (auto &[path, e] : all) out.entries.push_back(e);
    return out;
}

// Expects that the report is the same whatever the order of the laws.
void Corpus::expectNoOrderOfLaws(const CheckpointReport &report, const KnownEvidence &known) const
{
    static unsigned calls = 0;
    Expectation shuffled = expected;
    shuffled.lawSeed = ++calls;
    const CheckpointReport other = rankdeck::judge(inventory, known, shuffled);
    EXPECT_EQ(summary(other), summary(report)) << "law seed " << shuffled.lawSeed;
    EXPECT_TRUE(other == report) << "law seed " << shuffled.lawSeed;
}

CheckpointReport Corpus::run(bool all, bool read)
{
    inventory = buildInventory(job, {{"n0", listing()}});
    const auto known = [this](const Member &m) {
        const auto found = m_evidence.find(m.file.path);
        const bool asListed = found != m_evidence.end() && found->second.first == m.file.stat;
        return std::make_shared<const Evidence>(asListed ? found->second.second : Evidence{});
    };
    if (all)
        for (const Member &m : inventory.members)
            m_evidence[m.file.path] = {m.file.stat, readAll(m_files, m.file, m.parts)};
    CheckpointReport report = rankdeck::judge(inventory, known, expected);
    for (rounds = 0; read && rounds < 100; ++rounds) {
        const std::vector<Member> wanted = wantedEvidence(inventory, report, known);
        if (wanted.empty()) break;
        for (const Member &m : wanted) m_evidence[m.file.path] = {m.file.stat, readAll(m_files, m.file, m.parts)};
        report = rankdeck::judge(inventory, known, expected);
    }
    EXPECT_LT(rounds, 100) << "wantedEvidence does not come to an end";
    expectNoOrderOfLaws(report, known);
    if (expected.explain) report.table = arrangementOf(report, inventory, known);
    return report;
}

CheckpointReport Corpus::judge() { return run(false, true); }
CheckpointReport Corpus::judgeAll() { return run(true, true); }
CheckpointReport Corpus::judgeUnread() { return run(false, false); }

std::string summary(const CheckpointSet &set)
{
    std::string text = set.id + " " + verdictName(set.verdict);
    for (const Reason &reason : set.reasons)
        if (reason.code != "world_counted")  // true of nearly every tree here; it has a test of its own
            text += " " + reason.code.word() + (reason.rank >= 0 ? "(" + std::to_string(reason.rank) + ")" : "");
    return text;
}

std::string summary(const CheckpointReport &report)
{
    std::string text;
    for (const CheckpointSet &set : report.sets) text += (text.empty() ? "" : "; ") + summary(set);
    return text;
}

std::string states(const CheckpointSet &set)
{
    std::string text;
    for (const MemberVerdict &m : set.members)
        text += (text.empty() ? "" : " ") + std::string(memberStateName(m.state));
    return text;
}

}  // namespace rankdeck::test
