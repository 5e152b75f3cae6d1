// SPDX-License-Identifier: GPL-3.0-or-later
// Frequent sentences of core about sets, nodes and deaths, in the window's language. An English sentence is recognized
// by its fixed words and translated, with the same names and numbers. Other text stays unchanged. Pure.
#pragma once

#include <QString>
#include <QStringList>

namespace rankdeck::ui {

QString coreSentence(const QString &text);
QStringList coreSentences();  // all known sentences, with %1 … for the variable parts; for tests

}  // namespace rankdeck::ui
