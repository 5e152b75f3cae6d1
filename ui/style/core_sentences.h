// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of core that a person reads most, of sets, nodes and deaths, in the window's language: core's English ones are
// recognised by their fixed words and said anew with the same names and numbers. What is not recognised stays as it is. Pure.
#pragma once

#include <QString>
#include <QStringList>

namespace rankdeck::ui {

QString coreSentence(const QString &text);
QStringList coreSentences();  // that are known, with %1 … for what differs; for tests

}  // namespace rankdeck::ui
