// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/checkpoint_mends.h"

#include "core/base/text.h"
#include "core/checkpoint/survey/survey.h"
#include "core/node/wait_for.h"

#include <algorithm>

namespace rankdeck {

namespace {

using namespace std::string_view_literals;

// A record of a MindSpore checkpoint up to its eight bytes: no dimensions, Int64, as an appended whole number is saved …
constexpr std::string_view scalarStep = "\x0a\x20\x0a\x0bglobal_step\x12\x11\x12\x05Int64\x1a\x08"sv;
// … and one of the same length with the optimizer's shape and type, {1} and Int32; the dimension is a varint of three bytes.
constexpr std::string_view vectorStep = "\x0a\x20\x0a\x0bglobal_step\x12\x11\x08\x81\x80\x00\x12\x05Int32\x1a\x04"sv;
constexpr std::size_t stepRecord = scalarStep.size() + 8;
static_assert(vectorStep.size() + 4 == stepRecord);

bool fitsInt32(std::string_view eight)  // little-endian
{
    return eight.substr(4) == "\0\0\0\0"sv && static_cast<unsigned char>(eight[3]) < 0x80;
}

struct Asked {
    int rank = -1;
    std::vector<FileSpan> spans = {};
    std::string node, path;
};

Result<std::vector<BytePatch>> readPatches(ActionContext &host, const Asked &asked, SteadyTime deadline)
{
    NodeClient *node = host.node(asked.node);
    if (!node) return fail(ErrorKind::unreachable, "node " + printable(asked.node) + " is not there");
    std::vector<RangeRequest> ranges;
    for (const FileSpan &span : asked.spans)
        ranges.push_back(
            {.path = asked.path, .offset = span.offset, .length = static_cast<std::uint32_t>(span.length)});
    auto reply = node->read(std::move(ranges));
    auto read = waitFor(reply, deadline, asked.node);
    if (!read) return read.error();
    std::vector<std::string> bytes;
    for (RangeReply &range : read.value()) {
        if (!range.error.empty()) return fail(ErrorKind::notFound, range.error);
        bytes.push_back(std::move(range.bytes));
    }
    return patchesFor(asked.spans, bytes);
}

}  // namespace

std::vector<FileSpan> spansToMend(const Evidence &evidence)
{
    std::vector<FileSpan> spans;
    for (const TensorInfo &tensor : evidence.tensors) {
        const bool scalar = tensor.name == "global_step" && tensor.type == "Int64" && tensor.shape.empty() &&
                            tensor.bytes == 8 && evidence.format == Format::mindsporeCkpt;
        if (scalar && tensor.offset >= scalarStep.size())
            spans.push_back({.offset = tensor.offset - scalarStep.size(), .length = stepRecord});
        const bool tag = (tensor.name == "graceful_exit" && tensor.bytes == 1) ||
                         (tensor.name == "graceful_init" && tensor.bytes == 4);
        if (tag) spans.push_back({.offset = tensor.offset, .length = tensor.bytes});
    }
    return spans;
}

std::vector<BytePatch> patchesFor(const std::vector<FileSpan> &spans, const std::vector<std::string> &bytes)
{
    std::vector<BytePatch> patches;
    for (std::size_t i = 0; i < spans.size() && i < bytes.size(); ++i) {
        const std::string &now = bytes[i];
        if (now.size() != spans[i].length) continue;
        std::string after(now.size(), '\0');
        if (now.size() == stepRecord) {
            const std::string_view value = std::string_view(now).substr(scalarStep.size());
            if (!now.starts_with(scalarStep) || !fitsInt32(value)) continue;
            after = std::string(vectorStep) + std::string(value.substr(0, 4));
        }
        if (after != now) patches.push_back({.offset = spans[i].offset, .before = now, .after = std::move(after)});
    }
    return patches;
}

std::string leftUnmended(const Evidence &evidence, const std::vector<BytePatch> &patches)
{
    if (evidence.format != Format::mindsporeCkpt) return {};
    for (const TensorInfo &tensor : evidence.tensors) {
        if (tensor.name != "global_step" || !tensor.shape.empty()) continue;
        const bool mended = std::any_of(patches.begin(), patches.end(), [&](const BytePatch &patch) {
            return patch.offset + scalarStep.size() == tensor.offset;
        });
        if (!mended)
            return printable(evidence.path) + ": its global_step is a single " + printable(tensor.type) + " of " +
                   bytesText(tensor.bytes) +
                   " in a record of another form than MindSpore's appended numbers, which is left as it is: the "
                   "optimizer may refuse it";
    }
    return {};
}

CheckpointMends readMends(ActionContext &host, const JobState &view, const CheckpointSet &set, SteadyTime deadline)
{
    CheckpointMends mends;
    std::vector<Member> files;
    for (const MemberVerdict &member : set.members)
        for (const Member &listed : view.inventory->members)
            if (listed.node == member.node && listed.file.path == member.path && listed.parts.empty()) {
                files.push_back(listed);
                break;
            }
    Survey survey([&host](const std::string &name) { return host.node(name); });
    const auto read = survey.read(files, EvidenceLevel::L1, [&host] { return host.stopRequested(); });
    for (const MemberVerdict &member : set.members) {
        const auto at =
            std::find_if(read.begin(), read.end(), [&](const Evidence &one) { return one.path == member.path; });
        if (at == read.end() || at->tensors.empty()) {
            mends.problem = printable(member.path) + " could not be read for it";
            continue;
        }
        const Asked asked{.rank = member.rank, .spans = spansToMend(*at), .node = member.node, .path = member.path};
        if (asked.spans.empty()) {
            if (auto left = leftUnmended(*at, {}); !left.empty()) mends.problem = std::move(left);
            continue;
        }
        auto patches = readPatches(host, asked, deadline);
        if (!patches)
            mends.problem = patches.error().message;
        else if (!patches->empty() && at->crc != Evidence::Crc::absent)
            mends.problem = printable(member.path) + " ends in a checksum of its bytes, which a mended copy would miss";
        else {
            if (auto left = leftUnmended(*at, patches.value()); !left.empty()) mends.problem = std::move(left);
            if (!patches->empty()) mends.byRank[member.rank] = std::move(patches.value());
        }
    }
    return mends;
}

}  // namespace rankdeck
