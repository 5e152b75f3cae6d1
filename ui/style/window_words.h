// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of core in the language of the window. An option of rankdeckctl is replaced by the button or box of the
// window. Pure except for the installed translator; GUI thread.
#pragma once

#include "core/base/message.h"

#include <QString>

namespace rankdeck::ui {

// A plain text is only made printable.
QString fromCore(const Message &message);
QString sentence(const QString &words);  // adds a full stop, and a capital letter if the first word is an ordinary one
QString ended(const QString &text);      // adds the full stop of the text's script, unless it already ends with a mark
bool goesOn(const QString &rest);        // continues the previous sentence: begins with a comma
QString gapAfter(const QString &text, const QString &rest);  // gap between both; none at a comma or a Chinese mark

// Labels of the window that these texts refer to.
QString allTheSameLabel();  // button on a refusal that the user may override
QString unprovenLabel();    // label of the box in the resume pane
QString cancelStopLabel();

}  // namespace rankdeck::ui
