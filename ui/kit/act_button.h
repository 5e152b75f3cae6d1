// SPDX-License-Identifier: GPL-3.0-or-later
// A button that starts an act; filled with the accent while it is the primary one. At most one is at a time.
#pragma once

#include <QPushButton>

namespace rankdeck::ui {

class ActButton : public QPushButton {
    Q_OBJECT
public:
    explicit ActButton(const QString &text = {}, QWidget *parent = nullptr);
    void setPrimary(bool primary);
    [[nodiscard]] bool isPrimary() const { return m_primary; }

private:
    void applyTheme();
    bool m_primary = false;
};

}  // namespace rankdeck::ui
