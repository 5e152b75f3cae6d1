// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recover/edit/yaml_json.h"

#include "core/base/text.h"

#include <libfyaml.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <memory>

namespace rankdeck {

namespace {

struct Destroy {
    void operator()(fy_parser *parser) const { fy_parser_destroy(parser); }
    void operator()(fy_diag *diagnostics) const { fy_diag_destroy(diagnostics); }
    void operator()(char *text) const { std::free(text); }
};

constexpr auto asJson = static_cast<fy_emitter_cfg_flags>(FYECF_MODE_JSON_ONELINE | FYECF_WIDTH_INF);

}  // namespace

Result<std::vector<std::string>> yamlToJson(std::string_view text)
{
    const auto wrong = [](const std::string &what) {
        return fail(ErrorKind::invalid, message("expected YAML, found %1", what));
    };
    if (validUtf8(text) != text) return wrong("bytes that are not UTF-8");
    fy_parse_cfg configuration{};
    // Accepts a ']' at the beginning of a line, as kubectl does.
    configuration.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_SLOPPY_FLOW_INDENTATION);
    // Problems in a node's file must not be printed on our stderr.
    fy_diag_cfg silence{};
    fy_diag_cfg_default(&silence);
    silence.fp = nullptr;
    silence.output_fn = [](fy_diag *, void *, const char *, std::size_t) {};
    const std::unique_ptr<fy_diag, Destroy> diagnostics(fy_diag_create(&silence));
    configuration.diag = diagnostics.get();
    const std::unique_ptr<fy_parser, Destroy> parser(fy_parser_create(&configuration));
    if (!parser || fy_parser_set_string(parser.get(), text.data(), text.size()) != 0)
        return wrong("a text that cannot be read");
    std::vector<std::string> documents;
    while (fy_document *document = fy_parse_load_document(parser.get())) {
        const std::unique_ptr<char, Destroy> json(fy_emit_document_to_string(document, asJson));
        fy_parse_document_destroy(parser.get(), document);
        // An alias is emitted unresolved, which is not valid JSON.
        if (!json || !nlohmann::json::accept(json.get()))
            return wrong("document " + std::to_string(documents.size() + 1) +
                         ", which JSON cannot express: write anchors and aliases out");
        documents.emplace_back(json.get());
    }
    if (fy_parser_get_stream_error(parser.get()))
        return wrong("a syntax error in document " + std::to_string(documents.size() + 1));
    return documents;
}

}  // namespace rankdeck
