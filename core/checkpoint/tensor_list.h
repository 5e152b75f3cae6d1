// SPDX-License-Identifier: GPL-3.0-or-later
// List of a checkpoint's tensors, shared between copies and immutable. All ranks and all steps of one model have the
// same list, so thousands of lists must cost no more than one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace rankdeck {

struct TensorInfo {
    std::string name;
    std::string type;
    std::vector<std::int64_t> shape;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
    bool operator==(const TensorInfo &) const = default;
};

class TensorList {
public:
    TensorList() = default;
    TensorList(std::vector<TensorInfo> tensors);
    TensorList(std::initializer_list<TensorInfo> tensors) : TensorList(std::vector<TensorInfo>(tensors)) {}

    [[nodiscard]] const std::vector<TensorInfo> &all() const;
    [[nodiscard]] std::size_t size() const { return all().size(); }
    [[nodiscard]] bool empty() const { return all().empty(); }
    [[nodiscard]] const TensorInfo &operator[](std::size_t i) const { return all()[i]; }
    [[nodiscard]] auto begin() const { return all().begin(); }
    [[nodiscard]] auto end() const { return all().end(); }

    // Hash of names, types and shapes in order; equal lists have equal values. 0 for an empty list.
    [[nodiscard]] std::uint64_t structure() const;
    [[nodiscard]] bool sameStructure(const TensorList &other) const;
    // Number of leading tensors with the same name, type and shape in both lists.
    [[nodiscard]] std::size_t commonPrefix(const TensorList &other) const;

private:
    struct Shared;
    std::shared_ptr<const Shared> m_shared;
};

std::string shapeText(const std::vector<std::int64_t> &shape);  // "[2, 1, 5, 5]"

}  // namespace rankdeck
