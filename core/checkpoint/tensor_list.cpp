// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tensor_list.h"

#include <algorithm>
#include <string_view>

namespace rankdeck {

struct TensorList::Shared {
    std::vector<TensorInfo> tensors;
    std::uint64_t structure = 0;
};

namespace {

bool sameKind(const TensorInfo &a, const TensorInfo &b)
{
    return a.name == b.name && a.type == b.type && a.shape == b.shape;
}

// FNV-1a, so that the value is the same in every process.
std::uint64_t structureOf(const std::vector<TensorInfo> &tensors)
{
    if (tensors.empty()) return 0;
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&hash](std::string_view bytes) {
        for (const unsigned char c : bytes) hash = (hash ^ c) * 0x100000001b3u;
        hash = (hash ^ 0xffu) * 0x100000001b3u;
    };
    for (const TensorInfo &t : tensors) {
        add(t.name);
        add(t.type);
        add(shapeText(t.shape));
    }
    return hash == 0 ? 1 : hash;
}

}  // namespace

TensorList::TensorList(std::vector<TensorInfo> tensors)
{
    auto shared = std::make_shared<Shared>();
    shared->tensors = std::move(tensors);
    shared->structure = structureOf(shared->tensors);
    m_shared = std::move(shared);
}

const std::vector<TensorInfo> &TensorList::all() const
{
    static const std::vector<TensorInfo> none;
    return m_shared ? m_shared->tensors : none;
}

std::uint64_t TensorList::structure() const { return m_shared ? m_shared->structure : 0; }

bool TensorList::sameStructure(const TensorList &other) const
{
    return m_shared == other.m_shared || (structure() == other.structure() && size() == other.size());
}

std::size_t TensorList::commonPrefix(const TensorList &other) const
{
    if (m_shared == other.m_shared) return size();
    const std::size_t most = std::min(size(), other.size());
    std::size_t n = 0;
    while (n < most && sameKind((*this)[n], other[n])) ++n;
    return n;
}

std::string shapeText(const std::vector<std::int64_t> &shape)
{
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

}  // namespace rankdeck
