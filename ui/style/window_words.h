// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of core in the window's words: core names options of rankdeckctl, and in the window the same action is a button
// or a box. Pure; a text that names no option is returned unchanged.
#pragma once

#include <QString>

#include <string>

namespace rankdeck::ui {

QString windowWords(QString text);
// Text of core, made printable, in the window's words.
QString fromCore(const std::string &bytes);
QString sentence(const QString &words);  // with a capital letter, if the first word is an ordinary one, and a full stop
QString ended(const QString &text);      // with the full stop of its script, unless it already ends with a mark
bool goesOn(const QString &rest);        // continues the previous sentence: begins with a comma
QString gapAfter(const QString &text, const QString &rest);  // none at a comma or a Chinese mark

// Labels of the window that these texts refer to.
QString allTheSameLabel();  // on a refusal that the user may override
QString unprovenLabel();    // of the box in the resume pane
QString cancelStopLabel();

}  // namespace rankdeck::ui
