// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/dcp/dcp_metadata.h"

#include "core/base/text.h"
#include "core/checkpoint/codec/pickle.h"
#include "core/checkpoint/codec/pickle_outline.h"
#include "core/checkpoint/read/optimizer_names.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <mutex>

namespace rankdeck {
namespace {

using Node = Pickle::Node;
using Kind = Pickle::Kind;
using Shape = std::vector<std::int64_t>;

// torch.Size((32, 8)): a call with one tuple.
std::optional<Shape> shapeOf(const Pickle &pickle, const Node *node)
{
    if (!node || node->kind != Kind::call || node->items.size() < 2) return std::nullopt;
    const Node &arguments = pickle.at(node->items[1]);
    if (arguments.kind != Kind::tuple || arguments.items.empty()) return Shape{};
    Shape shape;
    for (const Pickle::Ref ref : pickle.at(arguments.items[0]).items) {
        const Node &dim = pickle.at(ref);
        if (dim.kind != Kind::integer || dim.integer < 0 || shape.size() >= 64) return std::nullopt;
        shape.push_back(dim.integer);
    }
    return shape;
}

std::optional<std::uint64_t> volume(const Shape &shape)
{
    std::uint64_t product = 1;
    for (const std::int64_t dim : shape) {
        if (dim != 0 && product > (std::uint64_t(1) << 56) / std::uint64_t(dim)) return std::nullopt;
        product *= std::uint64_t(dim);
    }
    return product;
}

Error broken(const Message &text) { return fail(ErrorKind::invalid, text); }

// Chunks must be inside the tensor, begin at different places and add up to its size.
Status checkChunks(const Pickle &pickle, std::string_view name, const Shape &size, const Node &chunks)
{
    std::uint64_t sum = 0;
    std::vector<Shape> begins;
    for (const Pickle::Ref ref : chunks.items) {
        auto offsets = shapeOf(pickle, pickle.find(pickle.at(ref), "offsets"));
        const auto sizes = shapeOf(pickle, pickle.find(pickle.at(ref), "sizes"));
        if (!offsets || !sizes || offsets->size() != size.size() || sizes->size() != size.size())
            return broken(message("a chunk of '%1' does not have the tensor's dimensions", printable(name)));
        for (std::size_t i = 0; i < size.size(); ++i)
            if ((*sizes)[i] > size[i] || (*offsets)[i] > size[i] - (*sizes)[i])
                return broken(message("a chunk of '%1' extends beyond the tensor", printable(name)));
        const auto part = volume(*sizes);
        if (!part) return broken(message("a chunk of '%1' is larger than any tensor", printable(name)));
        if (*part != 0 && chunks.items.size() > 1) begins.push_back(std::move(*offsets));
        sum += *part;
    }
    std::sort(begins.begin(), begins.end());
    if (std::adjacent_find(begins.begin(), begins.end()) != begins.end())
        return broken(message("two chunks of '%1' overlap", printable(name)));
    const auto whole = volume(size);
    const std::string held = grouped(std::int64_t(sum)), wanted = grouped(std::int64_t(whole.value_or(0)));
    if (whole && sum > *whole)
        return broken(message("the chunks of '%1' hold %2 values, but the tensor has %3: they overlap", printable(name),
                              held, wanted));
    if (!whole || sum < *whole)
        return broken(message("the chunks of '%1' hold %2 values, but the tensor has %3: some values are missing",
                              printable(name), held, wanted));
    return Done{};
}

Status takeTensors(const Pickle &pickle, const Node &all, DcpMetadata &out)
{
    std::vector<TensorInfo> tensors;
    for (std::size_t i = 0; i + 1 < all.items.size(); i += 2) {
        const Node &name = pickle.at(all.items[i]), &value = pickle.at(all.items[i + 1]);
        const Node *chunks = pickle.find(value, "chunks");
        const auto size = shapeOf(pickle, pickle.find(value, "size"));
        if (name.kind != Kind::text || !chunks || !size) continue;  // a value, not a tensor
        if (Status good = checkChunks(pickle, name.text, *size, *chunks); !good) return good;
        TensorInfo tensor;
        tensor.name = name.text;
        tensor.shape = *size;
        if (const Node *properties = pickle.find(value, "properties"); properties && properties->state) {
            const Node &state = pickle.at(*properties->state);
            if (!state.items.empty()) {
                const std::string_view type = pickle.at(state.items[0]).text;
                tensor.type = type.substr(type.rfind('.') + 1);
            }
        }
        tensors.push_back(std::move(tensor));
    }
    out.tensors = TensorList(std::move(tensors));
    return Done{};
}

Status takeItems(const Pickle &pickle, const Node &all, DcpMetadata &out)
{
    std::vector<std::pair<std::string_view, std::int64_t>> begins;
    begins.reserve(all.items.size() / 2);
    out.items.reserve(all.items.size() / 2);
    for (std::size_t i = 0; i + 1 < all.items.size(); i += 2) {
        const Node &index = pickle.at(all.items[i]), &info = pickle.at(all.items[i + 1]);
        const Node *name = pickle.find(index, "fqn"), *file = pickle.find(info, "relative_path");
        const auto offset = pickle.integer(info, "offset"), length = pickle.integer(info, "length");
        if (!name || !file || !offset || !length || *offset < 0 || *length <= 0 || *offset > (std::int64_t(1) << 56) ||
            *length > (std::int64_t(1) << 56))
            return broken(message("an entry of storage_data has no file, offset or length"));
        if (file->text.empty() || file->text.find('/') != std::string::npos || file->text == ".." ||
            file->text == "." || file->text.find('\0') != std::string::npos)
            return fail(ErrorKind::refused, message("storage_data lists '%1', which is not a file in this directory",
                                                    printable(file->text)));
        begins.emplace_back(file->text, *offset);
        if (const Node *steps = pickle.find(info, "transform_descriptors");
            steps && !steps->items.empty() && out.transform.empty())
            out.transform = printable(pickle.at(steps->items.front()).text.substr(0, 100));
        out.items.push_back(
            {std::string(name->text), std::string(file->text), std::uint64_t(*offset), std::uint64_t(*length)});
        std::uint64_t &end = out.fileBytes[out.items.back().file];
        end = std::max(end, std::uint64_t(*offset + *length));
    }
    std::sort(begins.begin(), begins.end());
    out.together = std::adjacent_find(begins.begin(), begins.end()) != begins.end();
    return Done{};
}

}  // namespace

Result<DcpMetadata> parseDcpMetadata(std::string_view bytes)
{
    const Result<Pickle> pickle = Pickle::parse(bytes);
    if (!pickle) return pickle.error();
    if (pickle->callee(pickle->root()) != "torch.distributed.checkpoint.metadata.Metadata")
        return broken(message("is not the metadata of a distributed checkpoint"));
    const Node *tensors = pickle->find(pickle->root(), "state_dict_metadata"),
               *items = pickle->find(pickle->root(), "storage_data");
    if (!tensors || tensors->kind != Kind::dict || !items || items->kind != Kind::dict)
        return broken(message("lacks state_dict_metadata or storage_data"));
    DcpMetadata out;
    out.dangerous = pickle->dangerous();
    if (Status good = takeTensors(*pickle, *tensors, out); !good) return good.error();
    if (Status good = takeItems(*pickle, *items, out); !good) return good.error();
    if (const Node *meta = pickle->find(pickle->root(), "storage_meta"))
        if (const Node *id = pickle->find(*meta, "save_id")) out.saveId = printable(id->text.substr(0, 100));
    for (const Node &node : pickle->nodes())
        out.needsPython313 =
            out.needsPython313 || (node.kind == Kind::global && node.text == "pathlib._local.PosixPath");
    out.holdsOptimizer = std::any_of(out.items.begin(), out.items.end(),
                                     [](const DcpItem &item) { return mentionsOptimizer(item.name); });
    return out;
}

namespace {

constexpr std::size_t keptMarks = 4, largestKept = 8u << 20;
constexpr std::string_view behindAllShards = "storage_meta", idName = "save_id";
// Names that parseDcpMetadata() looks up after all shards. If a text becomes one of these names, or stops being one,
// the result changes.
constexpr std::array<std::string_view, 4> sought{"state_dict_metadata", "storage_data", behindAllShards, idName};

// Index of the save id among the texts of the end; their number if there is none.
std::size_t idIn(const std::vector<std::string_view> &texts)
{
    const auto key = std::find(texts.begin(), texts.end(), idName);
    return std::min(std::size_t(key - texts.begin()) + 1, texts.size());
}

std::size_t soughtIndex(std::string_view text)
{
    return std::size_t(std::find(sought.begin(), sought.end(), text) - sought.begin());
}

std::string shownId(std::string_view text) { return printable(std::string(text.substr(0, 100))); }

class KnownMarks {
public:
    std::optional<DcpMark> find(std::string_view bytes)
    {
        const std::lock_guard lock(m_mutex);
        for (std::size_t i = 0; i < m_marks.size(); ++i) {
            const Mark &mark = m_marks[i];
            const auto texts = mark.outline.textsOf(bytes);
            if (!texts || !meansTheSame(mark, *texts)) continue;
            DcpMark out{mark.metadata, mark.metadata->saveId};
            if (mark.idAt < texts->size()) out.saveId = shownId((*texts)[mark.idAt]);
            std::rotate(m_marks.begin(), m_marks.begin() + std::ptrdiff_t(i), m_marks.begin() + std::ptrdiff_t(i) + 1);
            return out;
        }
        return std::nullopt;
    }

    void keep(std::string_view bytes, std::shared_ptr<const DcpMetadata> metadata)
    {
        if (bytes.size() > largestKept) return;
        auto outline = PickleOutline::of(bytes, behindAllShards);
        const auto texts = outline ? outline->textsOf(bytes) : std::nullopt;
        if (!texts) return;
        const std::size_t at = idIn(*texts);
        // The id may also be an earlier text to which the pickle refers.
        if (metadata->saveId != (at < texts->size() ? shownId((*texts)[at]) : std::string())) return;
        std::vector<std::size_t> names;
        std::transform(texts->begin(), texts->end(), std::back_inserter(names), soughtIndex);
        const std::lock_guard lock(m_mutex);
        m_marks.push_front({std::move(*outline), std::move(metadata), at, std::move(names)});
        if (m_marks.size() > keptMarks) m_marks.pop_back();
    }

private:
    struct Mark {
        PickleOutline outline;
        std::shared_ptr<const DcpMetadata> metadata;
        std::size_t idAt = 0;                 // index among the texts of the end; their number if there is none
        std::vector<std::size_t> names = {};  // soughtIndex() of each text of the end
    };

    // Whether a mark with these texts at its end is equal to the known one, except for its id.
    static bool meansTheSame(const Mark &mark, const std::vector<std::string_view> &texts)
    {
        if (texts.size() != mark.names.size() || idIn(texts) != mark.idAt) return false;
        for (std::size_t i = 0; i < texts.size(); ++i)
            if (i != mark.idAt && soughtIndex(texts[i]) != mark.names[i]) return false;
        return true;
    }

    std::mutex m_mutex;
    std::deque<Mark> m_marks;  // most recently used first
};

}  // namespace

Result<DcpMark> readDcpMark(std::string_view bytes)
{
    static KnownMarks known;
    if (auto found = known.find(bytes)) return *std::move(found);
    Result<DcpMetadata> parsed = parseDcpMetadata(bytes);
    if (!parsed) return parsed.error();
    DcpMark mark;
    mark.metadata = std::make_shared<const DcpMetadata>(std::move(parsed).value());
    mark.saveId = mark.metadata->saveId;
    known.keep(bytes, mark.metadata);
    return mark;
}

}  // namespace rankdeck
