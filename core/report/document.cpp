// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/document.h"

#include "core/base/text.h"

namespace rankdeck {
namespace {

// Escapes Markdown's markup, including that at the beginning of a line, because the text is one line here.
std::string markdownText(const std::string &text)
{
    std::string out;
    for (const char c : replaceAll(printable(text), "\n", " ")) {
        if (std::string_view("\\`*_{}[]<>#|~!").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

struct MarkdownWriter {
    std::string out = {};

    void operator()(const Heading &heading)
    {
        out += std::string(std::size_t(heading.level), '#') + " " + markdownText(heading.text) + "\n\n";
    }
    void operator()(const Paragraph &paragraph) { out += markdownText(paragraph.text) + "\n\n"; }
    void operator()(const Drawing &picture) { out += markdownText(picture.caption) + "\n\n"; }
    void operator()(const DocumentTable &table)
    {
        row(table.columns);
        out += "|";
        for (std::size_t i = 0; i < table.columns.size(); ++i) out += "---|";
        out += "\n";
        for (const auto &cells : table.rows) row(cells);
        out += "\n";
    }
    void row(const std::vector<std::string> &cells)
    {
        out += "|";
        for (const std::string &cell : cells) out += " " + markdownText(cell) + " |";
        out += "\n";
    }
};

constexpr const char *style = R"(
body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1d2126;background:#fff}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem;border-bottom:1px solid #d5d9de}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:left;vertical-align:top;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #e6e8eb;overflow-wrap:anywhere}
th{font-weight:600;white-space:nowrap}figure{margin:1rem 0}figcaption{color:#59616b}svg{max-width:100%;height:auto}
@media(prefers-color-scheme:dark){body{color:#e3e6ea;background:#16191d}h2,th,td{border-color:#353b43}
figcaption{color:#9aa3ad}}
)";

struct HtmlWriter {
    std::string out = {};

    void operator()(const Heading &heading)
    {
        const std::string tag = "h" + std::to_string(heading.level);
        out += "<" + tag + ">" + htmlText(heading.text) + "</" + tag + ">\n";
    }
    void operator()(const Paragraph &paragraph) { out += "<p>" + htmlText(paragraph.text) + "</p>\n"; }
    void operator()(const Drawing &picture)
    {
        out += "<figure>" + picture.svg + "<figcaption>" + htmlText(picture.caption) + "</figcaption></figure>\n";
    }
    void operator()(const DocumentTable &table)
    {
        out += "<table><thead>";
        row(table.columns, "th");
        out += "</thead><tbody>";
        for (const auto &cells : table.rows) row(cells, "td");
        out += "</tbody></table>\n";
    }
    void row(const std::vector<std::string> &cells, const std::string &tag)
    {
        out += "<tr>";
        for (const std::string &cell : cells) out += "<" + tag + ">" + htmlText(cell) + "</" + tag + ">";
        out += "</tr>\n";
    }
};

std::string titleOf(const Document &document)
{
    for (const auto &part : document)
        if (const auto *heading = std::get_if<Heading>(&part)) return heading->text;
    return "Report";
}

}  // namespace

std::string htmlText(const std::string &text)
{
    std::string out;
    for (const char c : printable(text)) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    }
    return out;
}

std::string markdown(const Document &document)
{
    MarkdownWriter writer;
    for (const auto &part : document) std::visit(writer, part);
    return writer.out;
}

std::string html(const Document &document)
{
    HtmlWriter writer;
    for (const auto &part : document) std::visit(writer, part);
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta "
           "http-equiv=\"Content-Security-Policy\" "
           "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>" +
           htmlText(titleOf(document)) + "</title>\n<style>" + style + "</style></head>\n<body>\n" + writer.out +
           "</body></html>\n";
}

}  // namespace rankdeck
