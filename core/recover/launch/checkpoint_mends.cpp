// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/launch/checkpoint_mends.h"

#include "core/base/text.h"
#include "core/checkpoint/survey/survey.h"
#include "core/node/wait_for.h"

#include <algorithm>

namespace rankdeck {

namespace {

using namespace std::string_view_literals;

// A record of a MindSpore checkpoint up to its eight bytes: no dimensions, Int64, the form of an appended whole number
// …
constexpr std::string_view scalarStep = "\x0a\x20\x0a\x0bglobal_step\x12\x11\x12\x05Int64\x1a\x08"sv;
// … and a record of the same length with the optimizer's shape and type, {1} and Int32; the dimension is a varint of
// three bytes.
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
    std::string node;
    const Evidence *evidence = nullptr;
    Reply<std::vector<RangeReply>> reply = {};
};

Asked ask(ActionContext &host, const MemberVerdict &member, const Evidence &evidence)
{
    Asked asked{.rank = member.rank, .spans = spansToMend(evidence), .node = member.node, .evidence = &evidence};
    std::vector<RangeRequest> ranges;
    for (const FileSpan &span : asked.spans)
        ranges.push_back(
            {.path = member.path, .offset = span.offset, .length = static_cast<std::uint32_t>(span.length)});
    if (NodeClient *node = ranges.empty() ? nullptr : host.node(asked.node))
        asked.reply = node->read(std::move(ranges));
    return asked;
}

Result<std::vector<BytePatch>> patchesOf(Asked &asked, SteadyTime deadline)
{
    auto read = waitFor(asked.reply, deadline, asked.node);
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

Message leftUnmended(const Evidence &evidence, const std::vector<BytePatch> &patches)
{
    if (evidence.format != Format::mindsporeCkpt) return {};
    for (const TensorInfo &tensor : evidence.tensors) {
        if (tensor.name != "global_step" || !tensor.shape.empty()) continue;
        const bool mended = std::any_of(patches.begin(), patches.end(), [&](const BytePatch &patch) {
            return patch.offset + scalarStep.size() == tensor.offset;
        });
        if (!mended)
            return message("%1: its global_step is a single %2 of %3, but its record differs from those that MindSpore "
                           "appends. It is left unchanged, so the optimizer may refuse it",
                           printable(evidence.path), printable(tensor.type), bytesText(tensor.bytes));
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
    std::vector<Asked> all;  // requests that are sent together
    for (const MemberVerdict &member : set.members) {
        const auto at =
            std::find_if(read.begin(), read.end(), [&](const Evidence &one) { return one.path == member.path; });
        if (at == read.end() || at->tensors.empty())
            mends.problem = message("%1 could not be read", printable(member.path));
        else
            all.push_back(ask(host, member, *at));
    }
    for (Asked &asked : all) {
        const Evidence &evidence = *asked.evidence;
        auto patches = asked.spans.empty() ? std::vector<BytePatch>() : patchesOf(asked, deadline);
        if (!patches) {
            mends.problem = patches.error().message;
            continue;
        }
        if (!patches->empty() && evidence.crc != Evidence::Crc::absent) {
            mends.problem = message("%1 ends with a checksum of its bytes, which a corrected copy would not match",
                                    printable(evidence.path));
            continue;
        }
        if (auto left = leftUnmended(evidence, patches.value()); !left.empty()) mends.problem = std::move(left);
        if (!patches->empty()) mends.byRank[asked.rank] = std::move(patches.value());
    }
    return mends;
}

}  // namespace rankdeck
