// SPDX-License-Identifier: GPL-3.0-or-later
// Metadata of a checkpoint file: key → value, both as text. Shared between copies until one is changed, because the
// files of all ranks of a set usually have equal metadata. A copy may be read on any thread.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace rankdeck {

class Meta {
public:
    using Map = std::map<std::string, std::string>;
    Meta() = default;
    Meta(Map map) : m_map(std::make_shared<Map>(std::move(map))) {}
    Meta(std::initializer_list<Map::value_type> entries) : Meta(Map(entries)) {}

    [[nodiscard]] const Map &all() const
    {
        static const Map none;
        return m_map ? *m_map : none;
    }
    [[nodiscard]] auto begin() const { return all().begin(); }
    [[nodiscard]] auto end() const { return all().end(); }
    [[nodiscard]] auto find(const std::string &key) const { return all().find(key); }
    [[nodiscard]] const std::string &at(const std::string &key) const { return all().at(key); }
    [[nodiscard]] std::size_t count(const std::string &key) const { return all().count(key); }
    [[nodiscard]] std::size_t size() const { return all().size(); }
    [[nodiscard]] bool empty() const { return all().empty(); }
    // True if both share memory: results for one are also valid for the other.
    [[nodiscard]] bool shares(const Meta &other) const { return m_map == other.m_map; }

    std::string &operator[](const std::string &key) { return own()[key]; }
    // Keeps an existing value; returns its position, and whether it is new.
    std::pair<Map::const_iterator, bool> emplace(const std::string &key, std::string value)
    {
        return own().emplace(key, std::move(value));
    }
    void erase(const std::string &key) { own().erase(key); }

private:
    Map &own()
    {
        if (!m_map || m_map.use_count() > 1) m_map = std::make_shared<Map>(all());
        return *m_map;
    }
    std::shared_ptr<Map> m_map;
};

}  // namespace rankdeck
