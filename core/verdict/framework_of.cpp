// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verdict/framework_of.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace rankdeck {
namespace {

const char *nameOf(const Member &member, Format format)
{
    switch (format) {
    case Format::mindsporeCkpt:
    case Format::safetensors:
        return member.name.rank && member.name.kind == CheckpointKind::periodic ? "mindformers" : "mindspore";
    case Format::torchZip:
    case Format::torchLegacy:
    case Format::dcp:
    case Format::hfSharded: return "pytorch";
    case Format::deepspeed: return "deepspeed";
    case Format::megatron: return "megatron";
    case Format::tfV1:
    case Format::tfV2: return "tensorflow";
    case Format::orbax: return "jax";
    default: return nullptr;
    }
}

}  // namespace

std::string frameworkOf(const std::vector<Member> &members, const std::vector<EvidencePtr> &evidence)
{
    std::map<std::string_view, int> votes;
    for (std::size_t i = 0; i < members.size(); ++i)
        if (const char *name = nameOf(members[i], evidence[i]->format)) ++votes[name];
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](const auto &a, const auto &b) { return a.second < b.second; });
    return std::string(most == votes.end() ? "mindspore" : most->first);
}

}  // namespace rankdeck
