// SPDX-License-Identifier: GPL-3.0-or-later
// Core says what to do in the terminal's words, where the act is an option of rankdeckctl. In the window the same act is a
// button or a box: these are its words. Pure; a text that names no option comes back as it is.
#pragma once

#include <QString>

#include <string>

namespace rankdeck::ui {

QString windowWords(QString text);
// A text of core, printable, in the window's words.
QString fromCore(const std::string &bytes);
QString sentence(const QString &words);  // with a large letter, where the first word is one, and an end
QString ended(const QString &text);      // with a full stop of its own writing, unless it has an end
bool goesOn(const QString &rest);        // the sentence before: it begins with a comma
QString gapAfter(const QString &text, const QString &rest);  // between the two: none at a comma or a Chinese end

// The labels that these words speak of.
QString allTheSameLabel();  // on a refusal that a person may take on
QString unprovenLabel();    // of the box in the resume pane
QString cancelStopLabel();

}  // namespace rankdeck::ui
