// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/trainer/fault.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <dirent.h>
#include <unistd.h>

namespace rankdeck::demo {
namespace {

constexpr std::array<std::pair<const char *, FaultKind>, 12> names = {{{"kill", FaultKind::kill},
                                                                       {"hang", FaultKind::hang},
                                                                       {"raise", FaultKind::raise},
                                                                       {"exit", FaultKind::exit},
                                                                       {"memory", FaultKind::memory},
                                                                       {"nan", FaultKind::nan},
                                                                       {"tear", FaultKind::tear},
                                                                       {"full", FaultKind::full},
                                                                       {"slow", FaultKind::slow},
                                                                       {"cut", FaultKind::cut},
                                                                       {"hole", FaultKind::hole},
                                                                       {"heal", FaultKind::heal}}};

std::optional<std::int64_t> number(std::string_view text, std::int64_t most)
{
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || problem != std::errc() || end != text.data() + text.size() || value < 0 || value > most)
        return std::nullopt;
    return value;
}

Error malformed(const std::string &text, const std::string &why)
{
    return fail(ErrorKind::invalid, "fault \"" + text + "\": " + why +
                                        ". Write kill:3, hang:1, raise:2, exit:2, memory:2, nan:2, tear:5, full, "
                                        "full:node1, slow:node1=300, cut:node1, "
                                        "hole:node1 or heal:node1, and append @120 for step 120.");
}

// Removes "<mark>NUMBER" from the end; returns false if the text after the mark is not a number.
bool takeNumber(std::string &rest, char mark, std::int64_t most, std::optional<std::int64_t> &into)
{
    const auto at = rest.rfind(mark);
    if (at == std::string::npos) return true;
    into = number(std::string_view(rest).substr(at + 1), most);
    rest.resize(at);
    return into.has_value();
}

}  // namespace

const char *faultKindName(FaultKind kind)
{
    for (const auto &[name, value] : names)
        if (value == kind) return name;
    return "kill";
}

bool isLinkFault(FaultKind kind)
{
    return kind == FaultKind::slow || kind == FaultKind::cut || kind == FaultKind::hole || kind == FaultKind::heal;
}

Result<Fault> parseFault(const std::string &text)
{
    Fault fault;
    std::string rest = text;
    std::optional<std::int64_t> delay;
    if (!takeNumber(rest, '@', 1'000'000'000, fault.atStep)) return malformed(text, "expected a step number after @");
    if (!takeNumber(rest, '=', 60'000, delay)) return malformed(text, "expected milliseconds up to 60000 after =");
    const auto colon = rest.find(':');
    const std::string kind = rest.substr(0, colon);
    const std::string target = colon == std::string::npos ? "" : rest.substr(colon + 1);
    const auto *const found = std::find_if(names.begin(), names.end(), [&](const auto &n) { return kind == n.first; });
    if (found == names.end()) return malformed(text, "there is no fault \"" + kind + "\"");
    fault.kind = found->second;
    if (delay && fault.kind != FaultKind::slow) return malformed(text, "only slow accepts milliseconds");
    if (delay) fault.milliseconds = static_cast<int>(*delay);
    const auto rank = number(target, 100'000);
    if (isLinkFault(fault.kind)) {
        if (target.empty() || rank) return malformed(text, "expected a node's name, such as node1");
        fault.node = target;
    } else if (rank)
        fault.rank = static_cast<int>(*rank);
    else if (fault.kind == FaultKind::full)
        fault.node = target;
    else
        return malformed(text, "expected a rank number, found \"" + target + "\"");
    return fault;
}

std::string faultText(const Fault &fault)
{
    std::string text = faultKindName(fault.kind);
    if (fault.rank >= 0)
        text += ":" + std::to_string(fault.rank);
    else if (!fault.node.empty())
        text += ":" + fault.node;
    if (fault.kind == FaultKind::slow) text += "=" + std::to_string(fault.milliseconds);
    if (fault.atStep) text += "@" + std::to_string(*fault.atStep);
    return text;
}

Status dropFault(const std::string &directory, const std::string &addressee, const Fault &fault)
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return writeLocalFileAtomically(joinPath(directory, addressee + "-" + std::to_string(now)), faultText(fault));
}

std::vector<Fault> takeFaults(const std::string &directory, const std::string &addressee)
{
    std::vector<std::string> files;
    if (DIR *open = opendir(directory.c_str())) {
        while (const dirent *entry = readdir(open)) {
            const std::string name = entry->d_name;
            const auto dash = name.rfind('-');
            if (dash != std::string::npos && name.substr(0, dash) == addressee &&
                number(name.substr(dash + 1), INT64_MAX))
                files.push_back(joinPath(directory, name));
        }
        closedir(open);
    }
    std::sort(files.begin(), files.end());
    std::vector<Fault> faults;
    for (const auto &file : files) {
        const auto text = readLocalFile(file, 1024);
        unlink(file.c_str());
        if (!text) continue;
        if (const auto fault = parseFault(text.value())) faults.push_back(fault.value());
    }
    return faults;
}

}  // namespace rankdeck::demo
