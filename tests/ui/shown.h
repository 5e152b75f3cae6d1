// SPDX-License-Identifier: GPL-3.0-or-later
// What a person reads in a widget and can press there.
#pragma once

#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace rankdeck::ui {

// A label that is seen contains the words, which stand in rich text as they are.
inline bool says(const QWidget &in, const QString &words)
{
    const QList<QLabel *> labels = in.findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
        return label->isVisible() && (label->text().contains(words) || label->text().contains(words.toHtmlEscaped()));
    });
}

// The first with these words, seen or not; null without one.
inline QPushButton *buttonOf(const QWidget &in, const QString &words)
{
    for (auto *one : in.findChildren<QPushButton *>())
        if (one->text() == words) return one;
    return nullptr;
}

}  // namespace rankdeck::ui
