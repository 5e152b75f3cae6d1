// SPDX-License-Identifier: GPL-3.0-or-later
// A short document of headings, paragraphs, tables and pictures, written as Markdown or as one HTML file that needs no
// other. All text may come from a node: it is escaped here, and never taken for markup. Pure; nothing fails.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace rankdeck {

struct Heading {
    std::string text;
    int level = 2;  // 1: the title
};
struct Paragraph {
    std::string text;
};
struct DocumentTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  // as wide as columns
};
struct Drawing {
    std::string svg;      // made by this program, with escaped text only; HTML shows it
    std::string caption;  // Markdown shows this alone
};
using Document = std::vector<std::variant<Heading, Paragraph, DocumentTable, Drawing>>;

std::string markdown(const Document &document);
std::string html(const Document &document);
std::string htmlText(const std::string &text);  // escaped; also for text in an SVG

}  // namespace rankdeck
