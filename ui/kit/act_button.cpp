// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/act_button.h"

#include "ui/style/theme.h"

namespace rankdeck::ui {

ActButton::ActButton(const QString &text, QWidget *parent) : QPushButton(text, parent)
{
    connect(&Theme::of(this), &Theme::changed, this, &ActButton::applyTheme);
    applyTheme();
}

void ActButton::setPrimary(bool primary)
{
    if (primary == m_primary) return;
    m_primary = primary;
    applyTheme();
}

void ActButton::applyTheme()
{
    QPalette colours;
    if (m_primary) {
        colours.setColor(QPalette::Active, QPalette::Button, Theme::of(this).color(Theme::Role::accentFill));
        colours.setColor(QPalette::Inactive, QPalette::Button, Theme::of(this).color(Theme::Role::accentFill));
        colours.setColor(QPalette::Active, QPalette::ButtonText, Qt::white);
        colours.setColor(QPalette::Inactive, QPalette::ButtonText, Qt::white);
    }
    setPalette(colours);
}

}  // namespace rankdeck::ui
