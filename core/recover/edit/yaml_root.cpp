// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/edit/yaml_root.h"

#include "core/base/text.h"

#include <algorithm>
#include <libfyaml.h>
#include <memory>

namespace rankdeck {

namespace {

constexpr std::size_t maxBytes = 4u << 20;

Error wrong(std::size_t line, const std::string &what)
{
    return fail(ErrorKind::invalid, message("line %1: %2", line + 1, what));
}

struct Free {
    void operator()(fy_diag *diag) const { fy_diag_destroy(diag); }
    void operator()(fy_parser *parser) const { fy_parser_destroy(parser); }
};
struct FreeEvent {
    fy_parser *parser = nullptr;
    void operator()(fy_event *event) const { fy_parser_event_free(parser, event); }
};

class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text)
    {
        fy_diag_cfg told = {};
        fy_diag_cfg_default(&told);
        told.fp = nullptr;
        told.output_fn = [](fy_diag *, void *self, const char *bytes, std::size_t size) {
            static_cast<Reader *>(self)->m_told.append(bytes, size);
        };
        told.user = this;
        told.colorize = false;
        m_diag.reset(fy_diag_create(&told));
        fy_parse_cfg how = {};
        how.diag = m_diag.get();
        // Accepts a ']' at the beginning of a line, as PyYAML does, the usual reader of these files.
        how.flags = FYPCF_SLOPPY_FLOW_INDENTATION;
        m_parser.reset(fy_parser_create(&how));
        if (m_parser) fy_parser_set_string(m_parser.get(), m_text.data(), m_text.size());
        next();
    }

    Result<YamlRoot> run()
    {
        if (!m_parser) return fail(ErrorKind::internal, message("no memory to read a configuration file"));
        for (const fy_event_type expected : {FYET_STREAM_START, FYET_DOCUMENT_START})
            if (is(expected)) next();
        if (is(FYET_NONE)) return broken();
        if (is(FYET_STREAM_END)) return YamlRoot{.end = m_text.size()};
        if (!is(FYET_MAPPING_START)) return noMapping();
        if (fy_event_get_node_style(m_event.get()) != FYNS_BLOCK)
            return wrong(line(), "expected one key on each line, found a flow mapping ('{')");
        YamlRoot root;
        for (next(); !is(FYET_MAPPING_END);) {
            auto key = readKey();
            if (!key) return key.error();
            if (const auto had = std::find_if(root.keys.begin(), root.keys.end(),
                                              [&](const YamlKey &one) { return one.name == key->name; });
                had != root.keys.end())
                return wrong(key->line, "expected each key once, found " + printable(key->name) + " here and in line " +
                                            std::to_string(had->line + 1));
            root.keys.push_back(std::move(key.value()));
        }
        root.end = begin();
        return root;
    }

private:
    void next()
    {
        m_event.reset();
        m_event = std::unique_ptr<fy_event, FreeEvent>(fy_parser_parse(m_parser.get()), FreeEvent{m_parser.get()});
    }
    [[nodiscard]] bool is(fy_event_type type) const { return (m_event ? m_event->type : FYET_NONE) == type; }
    // An empty value has no marks.
    [[nodiscard]] std::size_t begin() const
    {
        const fy_mark *mark = fy_event_start_mark(m_event.get());
        return mark ? mark->input_pos : m_text.size();
    }
    [[nodiscard]] std::size_t end() const
    {
        const fy_mark *mark = fy_event_end_mark(m_event.get());
        return mark ? mark->input_pos : m_text.size();
    }
    [[nodiscard]] std::size_t line() const
    {
        return std::size_t(std::count(m_text.begin(), m_text.begin() + std::ptrdiff_t(begin()), '\n'));
    }
    [[nodiscard]] static std::string textOf(fy_token *token)
    {
        std::size_t size = 0;
        const char *text = fy_token_get_text(token, &size);
        return text ? std::string(text, size) : std::string();
    }

    // Uses the library's message: "<memory-@…>:2:1: error: invalid multiline plain key".
    [[nodiscard]] Error broken() const
    {
        const std::string mark = ": error: ";
        const std::size_t at = m_told.find(mark);
        if (at == std::string::npos) return fail(ErrorKind::invalid, message("expected YAML"));
        const std::size_t column = m_told.rfind(':', at - 1), number = m_told.rfind(':', column - 1);
        const std::string what = m_told.substr(at + mark.size(), m_told.find('\n', at) - at - mark.size());
        return fail(ErrorKind::invalid,
                    message("line %1: expected YAML, found: %2",
                            printable(m_told.substr(number + 1, column - number - 1)), printable(what)));
    }

    // A document without content is a mapping without keys, if it is the only document.
    Result<YamlRoot> noMapping()
    {
        if (is(FYET_SEQUENCE_START)) return wrong(line(), "expected a key at the top of the file, found a sequence");
        if (is(FYET_SCALAR) && fy_event_start_mark(m_event.get()))
            return wrong(line(), "expected \"key: value\", found no colon");
        next();
        next();
        if (is(FYET_STREAM_END)) return YamlRoot{.end = m_text.size()};
        return wrong(line(), "expected a document with a mapping, found the end of an empty one");
    }

    Result<YamlKey> readKey()
    {
        if (is(FYET_NONE)) return broken();
        YamlKey key{.name = {}, .line = line()};
        const bool plain = is(FYET_SCALAR) && !m_event->scalar.anchor && !m_event->scalar.tag;
        if (plain) key.name = textOf(m_event->scalar.value);
        if (key.name == "<<") return wrong(key.line, "expected plain keys, found a merge key (<<) that adds others");
        std::size_t colon = end();
        if (plain && isQuoted(m_event->scalar.value)) ++colon;
        while (colon < m_text.size() && (m_text[colon] == ' ' || m_text[colon] == '\t')) ++colon;
        const std::size_t first = plain && isQuoted(m_event->scalar.value) ? begin() - 1 : begin();
        const bool ofTheLine =
            first == 0 || m_text[first - 1] == '\n' || (first == 3 && m_text.starts_with("\xef\xbb\xbf"));
        if (!plain || !ofTheLine || colon >= m_text.size() || m_text[colon] != ':')
            return wrong(key.line, "expected a plain key at the beginning of the line");
        next();
        if (is(FYET_NONE)) return broken();
        key.valueBegin = key.valueEnd = colon + 1;
        if (const Status done = readValue(key); !done) return done.error();
        return key;
    }

    static bool isQuoted(fy_token *token)
    {
        const fy_scalar_style style = fy_token_scalar_style(token);
        return style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    }

    Status readValue(YamlKey &key)
    {
        if (is(FYET_ALIAS)) {
            key.obstacle = "an alias to another place";
            next();
            return Done{};
        }
        if (!is(FYET_SCALAR)) return skipCollection(key);
        fy_token *value = m_event->scalar.value;
        const fy_scalar_style style = fy_token_scalar_style(value);
        key.value = textOf(value);
        if (m_event->scalar.anchor)
            key.obstacle = "an anchor, which other places may refer to";
        else if (m_event->scalar.tag)
            key.obstacle = "a tag";
        else if (style == FYSS_LITERAL || style == FYSS_FOLDED)
            key.obstacle = "a block of text";
        if (fy_event_start_mark(m_event.get()) && end() > begin()) {
            const std::size_t quote = isQuoted(value) ? 1 : 0;
            key.valueBegin = begin() - quote;
            key.valueEnd = end() + quote;
        } else if (isQuoted(value)) {  // an empty quoted string has no extent
            key.valueBegin = m_text.find_first_of("'\"", key.valueBegin);
            key.valueEnd = key.valueBegin + 2;
        }
        const std::string_view bytes = m_text.substr(key.valueBegin, key.valueEnd - key.valueBegin);
        if (key.obstacle.empty() && bytes.find('\n') != std::string_view::npos) key.obstacle = "more lines below it";
        next();
        return Done{};
    }

    Status skipCollection(YamlKey &key)
    {
        const bool flow = fy_event_get_node_style(m_event.get()) == FYNS_FLOW;
        const std::size_t first = begin();
        int depth = 0;
        for (;; next()) {
            if (is(FYET_NONE)) return broken();
            if (is(FYET_MAPPING_START) || is(FYET_SEQUENCE_START)) ++depth;
            if ((is(FYET_MAPPING_END) || is(FYET_SEQUENCE_END)) && --depth == 0) break;
        }
        const bool oneLine = m_text.substr(first, end() - first).find('\n') == std::string_view::npos;
        key.obstacle = flow && oneLine ? "a flow mapping or sequence" : "more lines below it";
        next();
        return Done{};
    }

    std::string_view m_text;
    std::string m_told;
    std::unique_ptr<fy_diag, Free> m_diag;
    std::unique_ptr<fy_parser, Free> m_parser;
    std::unique_ptr<fy_event, FreeEvent> m_event;
};

}  // namespace

Result<YamlRoot> yamlRoot(std::string_view text)
{
    if (text.size() > maxBytes) return fail(ErrorKind::invalid, message("expected a configuration file below 4 MiB"));
    // The library silently reads invalid UTF-8 as an empty text.
    if (validUtf8(text) != text) return fail(ErrorKind::invalid, message("expected a configuration file in UTF-8"));
    return Reader(text).run();
}

}  // namespace rankdeck
