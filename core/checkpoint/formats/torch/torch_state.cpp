// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/formats/torch/torch_state.h"

#include "core/base/text.h"
#include "core/checkpoint/formats/torch/torch_numbers.h"

#include <algorithm>
#include <set>
#include <utility>

namespace rankdeck {
namespace {

using Node = Pickle::Node;
using Kind = Pickle::Kind;
constexpr std::size_t maxTensors = 1'000'000;
constexpr std::size_t maxPath = 400;

struct TypeSize {
    std::string type;
    std::uint64_t bytes = 0;
};

TypeSize ofStorageClass(std::string_view name)
{
    static const std::map<std::string_view, TypeSize> types{{"FloatStorage", {"float32", 4}},
                                                            {"DoubleStorage", {"float64", 8}},
                                                            {"HalfStorage", {"float16", 2}},
                                                            {"BFloat16Storage", {"bfloat16", 2}},
                                                            {"LongStorage", {"int64", 8}},
                                                            {"IntStorage", {"int32", 4}},
                                                            {"ShortStorage", {"int16", 2}},
                                                            {"CharStorage", {"int8", 1}},
                                                            {"ByteStorage", {"uint8", 1}},
                                                            {"BoolStorage", {"bool", 1}},
                                                            {"ComplexFloatStorage", {"complex64", 8}},
                                                            {"ComplexDoubleStorage", {"complex128", 16}},
                                                            {"UntypedStorage", {"uint8", 1}},
                                                            {"QInt8Storage", {"qint8", 1}},
                                                            {"QUInt8Storage", {"quint8", 1}},
                                                            {"QInt32Storage", {"qint32", 4}}};
    const auto found = types.find(name.substr(name.rfind('.') + 1));
    return found == types.end() ? TypeSize{} : found->second;
}

// ('storage', class, key, location, elements)
std::string takeStorage(const Pickle &pickle, const Node &persistent, TorchState &out)
{
    const Node &id = pickle.at(persistent.items.front());
    if (id.kind != Kind::tuple || id.items.size() < 5 || pickle.at(id.items[0]).text != "storage") return {};
    const Node &key = pickle.at(id.items[2]), &count = pickle.at(id.items[4]);
    const TypeSize type = ofStorageClass(pickle.at(id.items[1]).text);
    if (key.kind != Kind::text || count.kind != Kind::integer || count.integer < 0 ||
        count.integer > (std::int64_t(1) << 56))
        return {};
    TorchStorage storage{type.type, type.bytes * std::uint64_t(count.integer), std::uint64_t(count.integer)};
    const auto [had, added] = out.storages.emplace(key.text, storage);
    if (!added && had->second.bytes != storage.bytes && out.contradiction.empty())
        out.contradiction = message("storage %1 is listed with two sizes", printable(key.text));
    return std::string(key.text);
}

class Walk {
public:
    Walk(const Pickle &pickle, TorchState &out) : m_pickle(pickle), m_out(out), m_seen(pickle.nodes().size(), false) {}

    void run(const Node &root)
    {
        visit(root, "");
        while (!m_todo.empty() && m_out.tensors.size() < maxTensors) {
            const auto [ref, path] = std::move(m_todo.back());
            m_todo.pop_back();
            if (m_seen[ref]) continue;
            m_seen[ref] = true;
            visit(m_pickle.at(ref), path);
        }
    }

private:
    void later(Pickle::Ref ref, std::string path)
    {
        const Kind kind = m_pickle.at(ref).kind;
        const bool holds = kind == Kind::dict || kind == Kind::list || kind == Kind::tuple || kind == Kind::call;
        if (holds && !m_seen[ref] && m_todo.size() < maxTensors) m_todo.emplace_back(ref, path.substr(0, maxPath));
    }

    static std::string below(const std::string &path, const std::string &name)
    {
        return path.empty() ? name : path + "." + name;
    }

    void visitPairs(const Node &node, std::size_t first, const std::string &path)
    {
        for (std::size_t pairs = (node.items.size() - first) / 2;
             pairs-- > 0;) {  // last first: the stack reverses the order
            const std::size_t i = first + 2 * pairs;
            const std::string key = scalarText(m_pickle.at(node.items[i]));
            later(node.items[i + 1], below(path, key));
        }
    }

    void visit(const Node &node, const std::string &path)
    {
        switch (node.kind) {
        case Kind::dict: visitPairs(node, 0, path); break;
        case Kind::list:
        case Kind::tuple:
            for (std::size_t i = node.items.size(); i-- > 0;) later(node.items[i], below(path, std::to_string(i)));
            break;
        case Kind::call: visitCall(node, path); break;
        default: break;
        }
    }

    void visitCall(const Node &node, const std::string &path)
    {
        const std::string_view callee = m_pickle.callee(node);
        if (isTensorMaker(callee)) {
            takeTensor(m_pickle.at(node.items.size() > 1 ? node.items[1] : node.items[0]), path);
            return;
        }
        // A tensor with attributes (ds_id of ZeRO-3). Its items are: function, class, the function's arguments,
        // attributes.
        if (callee == "torch._tensor._rebuild_from_type_v2" && node.items.size() > 1) {
            const Node &wrapped = m_pickle.at(node.items[1]);
            if (wrapped.items.size() > 2 && isTensorMaker(m_pickle.at(wrapped.items[0]).text)) {
                takeTensor(m_pickle.at(wrapped.items[2]), path);
                return;
            }
        }
        if (node.state) later(*node.state, path);
        if (node.items.size() > 2) visitPairs(node, 2, path);
        if (node.items.size() < 2) return;
        const Node &arguments = m_pickle.at(node.items[1]);
        for (std::size_t i = arguments.items.size(); i-- > 0;) later(arguments.items[i], path);
    }

    static bool isTensorMaker(std::string_view callee)
    {
        return callee == "torch._utils._rebuild_tensor_v2" || callee == "torch._utils._rebuild_tensor_v3" ||
               callee == "torch._utils._rebuild_tensor";
    }

    void takeTensor(const Node &arguments, const std::string &path)
    {
        if (arguments.kind != Kind::tuple || arguments.items.size() < 4) return;
        const Node &storage = m_pickle.at(arguments.items[0]), &shape = m_pickle.at(arguments.items[2]);
        if (storage.kind != Kind::persistent) return;
        const std::string key = takeStorage(m_pickle, storage, m_out);
        TensorInfo tensor;
        tensor.name = path;
        const auto known = m_out.storages.find(key);
        if (known != m_out.storages.end()) {
            tensor.type = known->second.type;
            tensor.bytes = known->second.bytes;
        }
        if (arguments.items.size() > 6 && m_pickle.at(arguments.items[6]).kind == Kind::global) {
            const std::string_view type = m_pickle.at(arguments.items[6]).text;
            tensor.type = type.substr(type.rfind('.') + 1);
        }
        for (const Pickle::Ref dim : shape.items)
            if (tensor.shape.size() < 64) tensor.shape.push_back(m_pickle.at(dim).integer);
        m_out.tensors.push_back(std::move(tensor));
        m_out.storageOf.push_back(key);
    }

    const Pickle &m_pickle;
    TorchState &m_out;
    std::vector<bool> m_seen;
    std::vector<std::pair<Pickle::Ref, std::string>> m_todo;
};

}  // namespace

TorchState readTorchState(const Pickle &pickle)
{
    TorchState out;
    // Every storage of the stream, including those inside unknown objects.
    for (const Node &node : pickle.nodes())
        if (node.kind == Kind::persistent) takeStorage(pickle, node, out);
    Walk(pickle, out).run(pickle.root());
    takeTorchNumbers(pickle, out.meta);
    return out;
}

}  // namespace rankdeck
