// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/job/job_reader.h"

#include "core/base/text.h"
#include "core/job/text/job_keys.h"

#include <algorithm>

namespace rankdeck {

using nlohmann::json;

Message alternatives(const std::vector<std::string> &names)
{
    if (names.size() < 2) return names.empty() ? Message() : Message(names.front());
    std::string first = names.front();
    for (std::size_t i = 1; i + 1 < names.size(); ++i) first += ", " + names[i];
    return message("%1 or %2", first, names.back());
}

Message found(const json &value)
{
    if (value.is_object()) return message("an object");
    if (value.is_array()) return value.empty() ? message("an empty array") : message("an array");
    // only now: dumping recurses as deep as the value does
    std::string text = printable(value.dump(-1, ' ', false, json::error_handler_t::replace)).substr(0, 60);
    if (value.is_string()) return message("the string %1", text);
    if (value.is_number()) return message("the number %1", text);
    return text;
}

std::string ReadState::where(const std::string &key) const
{
    const auto line = lines.find(key);
    const std::string name = fileName.empty() ? "job" : fileName;
    if (line != lines.end()) return name + ":" + std::to_string(line->second) + ": " + key;
    // a missing key is reported at the object that should have it
    const std::size_t dot = key.rfind('.');
    const auto parent = lines.find(dot == std::string::npos ? "" : key.substr(0, dot));
    return name + ":" + std::to_string(parent == lines.end() ? 1 : parent->second) + ": " + key;
}

void ReadState::wrong(const std::string &key, const Message &expected, const Message &what)
{
    if (!error) error = fail(ErrorKind::invalid, message("%1: expected %2, found %3", where(key), expected, what));
}

void ReadState::warn(const std::string &key, const Message &text)
{
    warnings.push_back(message("%1: %2", where(key), text));
}

ObjectReader::ObjectReader(ReadState &state, const json &object, std::string path)
    : m_state(state), m_object(object), m_path(std::move(path))
{
    const std::vector<std::string> known = jobKeysIn(m_path);
    for (const auto &[key, value] : object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const std::string near = nearest(key, known);
        m_state.warn(keyPath(key), near.empty() ? message("unknown key, ignored")
                                                : message("unknown key, ignored; did you mean \"%1\"?", near));
    }
}

std::string ObjectReader::keyPath(const std::string &key) const { return m_path.empty() ? key : m_path + "." + key; }
bool ObjectReader::has(const std::string &key) const { return m_object.contains(key); }

const json *ObjectReader::find(const std::string &key, bool required, const Message &expected)
{
    const auto at = m_object.find(key);
    if (at != m_object.end()) return &*at;
    if (required) m_state.wrong(keyPath(key), expected, message("no such key"));
    return nullptr;
}

void ObjectReader::text(const std::string &key, std::string &into, bool required)
{
    const json *value = find(key, required, message("a string"));
    if (!value) return;
    if (!value->is_string() || (required && value->get_ref<const std::string &>().empty()))
        return m_state.wrong(keyPath(key), required ? message("a string that is not empty") : message("a string"),
                             found(*value));
    into = value->get<std::string>();
    if (into.find('\0') != std::string::npos)
        m_state.wrong(keyPath(key), message("a string without NUL"), found(*value));
}

void ObjectReader::number(const std::string &key, std::int64_t &into, std::int64_t min, std::int64_t max)
{
    const json *value = find(key, false, "");
    if (!value) return;
    const bool fits =
        value->is_number_integer() &&
        (!value->is_number_unsigned() || value->get<std::uint64_t>() <= static_cast<std::uint64_t>(max)) &&
        value->get<std::int64_t>() >= min && value->get<std::int64_t>() <= max;
    if (!fits) return m_state.wrong(keyPath(key), message("a whole number from %1 to %2", min, max), found(*value));
    into = value->get<std::int64_t>();
}

void ObjectReader::boolean(const std::string &key, bool &into)
{
    const json *value = find(key, false, "");
    if (!value) return;
    if (!value->is_boolean()) return m_state.wrong(keyPath(key), message("true or false"), found(*value));
    into = value->get<bool>();
}

void ObjectReader::texts(const std::string &key, std::vector<std::string> &into)
{
    const json *value = find(key, false, "");
    if (!value) return;
    if (!value->is_array())
        return m_state.wrong(keyPath(key), message("an array of strings, one for each argument"), found(*value));
    for (std::size_t i = 0; i < value->size(); ++i) {
        if (!(*value)[i].is_string())
            return m_state.wrong(keyPath(key) + "[" + std::to_string(i) + "]", message("a string"), found((*value)[i]));
        into.push_back((*value)[i].get<std::string>());
    }
}

void ObjectReader::ranks(const std::string &key, std::vector<int> &into)
{
    const json *value = find(key, false, "");
    if (!value) return;
    if (!value->is_array())
        return m_state.wrong(keyPath(key), message("an array of ranks (whole numbers from 0)"), found(*value));
    for (std::size_t i = 0; i < value->size(); ++i) {
        const json &rank = (*value)[i];
        if (!rank.is_number_integer() || rank.get<std::int64_t>() < 0 || rank.get<std::int64_t>() > 1000000)
            return m_state.wrong(keyPath(key) + "[" + std::to_string(i) + "]",
                                 message("a rank (a whole number from 0)"), found(rank));
        into.push_back(rank.get<int>());
    }
}

void ObjectReader::env(const std::string &key, std::map<std::string, std::string> &into)
{
    const json *value = find(key, false, "");
    if (!value) return;
    if (!value->is_object())
        return m_state.wrong(keyPath(key), message("an object of environment variables"), found(*value));
    for (const auto &[name, text] : value->items()) {
        if (!text.is_string()) return m_state.wrong(keyPath(key) + "." + name, message("a string"), found(text));
        if (name.empty() || name.find('=') != std::string::npos || name.find('\0') != std::string::npos)
            return m_state.wrong(keyPath(key) + "." + name, message("the name of an environment variable"),
                                 "\"" + printable(name) + "\"");
        into[name] = text.get<std::string>();
    }
}

const json *ObjectReader::object(const std::string &key)
{
    const json *value = find(key, false, "");
    if (value && !value->is_object()) {
        m_state.wrong(keyPath(key), message("an object"), found(*value));
        return nullptr;
    }
    return value;
}

const json *ObjectReader::array(const std::string &key, bool required)
{
    const json *value = find(key, required, message("an array"));
    if (value && !value->is_array()) {
        m_state.wrong(keyPath(key), message("an array"), found(*value));
        return nullptr;
    }
    return value;
}

}  // namespace rankdeck
