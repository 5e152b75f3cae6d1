// SPDX-License-Identifier: GPL-3.0-or-later
// The texts in a widget that a user can read, and its buttons.
#pragma once

#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace rankdeck::ui {

// True if a visible label contains the text; rich text is unescaped first.
inline bool says(const QWidget &in, const QString &words)
{
    const QList<QLabel *> labels = in.findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel *label) {
        return label->isVisible() && (label->text().contains(words) || label->text().contains(words.toHtmlEscaped()));
    });
}

// The first button with this text, visible or not; null if there is none.
inline QPushButton *buttonOf(const QWidget &in, const QString &words)
{
    for (auto *one : in.findChildren<QPushButton *>())
        if (one->text() == words) return one;
    return nullptr;
}

}  // namespace rankdeck::ui
