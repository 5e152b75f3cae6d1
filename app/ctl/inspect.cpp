// SPDX-License-Identifier: GPL-3.0-or-later
// Judges single checkpoint files.
#include "app/ctl/command.h"
#include "app/ctl/output/progress_line.h"
#include "app/ctl/place.h"

#include "core/base/text.h"
#include "core/engine/checkpoints/offline_check.h"

#include <charconv>
#include <iostream>
#include <map>
#include <optional>

namespace rankdeck::ctl {
namespace {

const char *crcName(Evidence::Crc crc)
{
    switch (crc) {
    case Evidence::Crc::absent: return "absent";
    case Evidence::Crc::ok: return "ok";
    case Evidence::Crc::bad: return "bad";
    case Evidence::Crc::unchecked: return "unchecked";
    }
    return "unchecked";
}

// Text that is entirely a number becomes a number; other text stays text.
Json metaValue(const std::string &text)
{
    std::int64_t whole = 0;
    const char *end = text.data() + text.size();
    if (const auto [at, error] = std::from_chars(text.data(), end, whole); error == std::errc() && at == end)
        return whole;
    double real = 0;
    if (const auto [at, error] = std::from_chars(text.data(), end, real); error == std::errc() && at == end)
        return lossJson(real);
    if (text == "true" || text == "True") return true;
    if (text == "false" || text == "False") return false;
    return validUtf8(text);
}

Json fileJson(const std::string &path, const Result<Evidence> &evidence)
{
    if (!evidence)
        return {{"path", validUtf8(path)},
                {"format", "unknown"},
                {"bytes", nullptr},
                {"complete", nullptr},
                {"level", "L0"},
                {"tensors", 0},
                {"meta", Json::object()},
                {"flags", {{"graceful", false}, {"crc", "unchecked"}, {"encrypted", false}}},
                {"problems", {{{"code", "unreadable"}, {"offset", 0}, {"text", evidence.error().message}}}}};
    Json out{{"path", validUtf8(path)},
             {"format", formatName(evidence->format)},
             {"bytes", evidence->stat.size},
             {"complete", orNull(evidence->complete)},
             {"level", evidenceLevelName(evidence->level)},
             {"tensors", evidence->tensors.size()},
             {"meta", Json::object()},
             {"flags",
              {{"graceful", evidence->graceful}, {"crc", crcName(evidence->crc)}, {"encrypted", evidence->encrypted}}},
             {"problems", Json::array()}};
    for (const auto &[key, value] : evidence->meta) out["meta"][validUtf8(key)] = metaValue(value);
    for (const Problem &problem : evidence->problems)
        out["problems"].push_back(
            {{"code", problem.code.word()}, {"offset", problem.offset}, {"text", printable(problem.text)}});
    return out;
}

void fileText(const std::string &path, const Result<Evidence> &evidence)
{
    if (!evidence) {
        std::cout << printable(path) << ": " << printable(evidence.error().message) << "\n";
        return;
    }
    std::cout << printable(path) << ": " << formatName(evidence->format) << ", " << bytesText(evidence->stat.size)
              << ", "
              << (evidence->complete.isUnknown() ? "not known whether complete"
                  : evidence->complete.isYes()   ? "complete"
                                                 : "NOT complete")
              << " (" << evidenceLevelName(evidence->level) << "), " << evidence->tensors.size() << " tensors";
    for (const auto &[key, value] : evidence->meta) std::cout << ", " << printable(key) << " " << printable(value);
    std::cout << "\n";
    for (const Problem &problem : evidence->problems)
        std::cout << "  " << problem.code.word() << ": " << printable(problem.text) << "\n";
}

}  // namespace

int inspect(const Globals &globals, const InspectOptions &options)
{
    std::map<std::string, std::unique_ptr<SingleNode>> nodes;
    Json files = Json::array();
    int code = done;
    for (const std::string &argument : options.files) {
        const Place place = placeOf(argument);
        std::optional<ProgressLine> line("reading " + argument);
        if (!nodes.count(place.host)) {
            Result<std::unique_ptr<SingleNode>> node =
                SingleNode::connect(place.host, connectOptions(globals), globals.timeout);
            if (!node) return say(node.error());
            nodes[place.host] = std::move(*node);
        }
        const std::vector<Result<Evidence>> evidence = inspectFiles(nodes[place.host]->client(), {place.path});
        line.reset();
        if (globals.json)
            files.push_back(fileJson(argument, evidence.front()));
        else
            fileText(argument, evidence.front());
        if (!evidence.front() || evidence.front()->complete != true) code = answerIsNo;
        if (interruptRequested()) return interrupted;
    }
    if (globals.json) print({{"rankdeckctl", 1}, {"files", files}});
    return code;
}

}  // namespace rankdeck::ctl
