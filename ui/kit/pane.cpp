// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kit/pane.h"

#include "ui/kit/card.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/key_cap.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

Pane::Pane(QWidget *parent)
    : QWidget(parent), m_titleCard(new Card), m_sign(new GlyphLabel(Glyph::none, 15)),
      m_title(new Label({}, Font::title)), m_second(new Label), m_aside(new Label({}, Font::normal, Role::text2)),
      m_titleRow(new QHBoxLayout), m_foot(new QHBoxLayout), m_body(new QVBoxLayout), m_footBox(new QWidget)
{
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    m_titleCard->setFramed(false);
    m_titleCard->setGround(Role::window);
    m_titleCard->setLayout(m_titleRow);
    m_titleCard->setMinimumHeight(36);
    m_titleRow->setContentsMargins(12, 5, 12, 5);
    m_titleRow->setSpacing(8);
    m_titleRow->addWidget(m_sign);
    auto *words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(m_title->wrapped());
    words->addWidget(m_second->wrapped());
    m_second->hide();
    m_titleRow->addLayout(words, 1);
    m_titleRow->addWidget(m_aside);
    m_titleRow->addWidget(new KeyCap(tr("Esc")));
    all->addWidget(m_titleCard);
    auto *rule = new QFrame;
    rule->setFrameShape(QFrame::HLine);
    rule->setFrameShadow(QFrame::Plain);
    rule->setForegroundRole(QPalette::Mid);
    rule->setFixedHeight(1);
    all->addWidget(rule);

    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto *content = new QWidget;
    content->setLayout(m_body);
    m_body->setContentsMargins(12, 10, 12, 10);
    m_body->setSpacing(6);
    scroll->setWidget(content);
    all->addWidget(scroll, 1);

    m_footBox->setLayout(m_foot);
    m_foot->setContentsMargins(12, 6, 12, 10);
    m_foot->setSpacing(8);
    all->addWidget(m_footBox);
    m_footBox->hide();
    setMinimumWidth(340);
}

int Pane::preferredWidth(int windowWidth) const { return std::min(scaled(420), std::max(420, windowWidth * 2 / 5)); }

QString Pane::titleText() const { return m_title->text(); }

void Pane::setTitle(Glyph glyph, const QString &title, const QString &aside)
{
    m_sign->setGlyph(glyph);
    if (m_title->text() != title) {
        m_title->setText(title);
        setAccessibleName(title);
    }
    m_aside->setText(aside);
}

void Pane::setTitleGround(Role ground, std::optional<Role> bar, const QString &second)
{
    m_titleCard->setGround(ground);
    m_titleCard->setBar(bar);
    m_titleRow->setContentsMargins(bar ? 22 : 12, 5, 12, 5);
    m_second->setText(second);
    m_second->setVisible(!second.isEmpty());
}

Label *Pane::addSection(const QString &title, const QString &remark)
{
    auto *head = new QWidget;
    auto *line = new QHBoxLayout(head);
    line->setContentsMargins(0, 4, 0, 0);
    line->addWidget(new Label(title, Font::smallBold, Role::text2));
    line->addStretch(1);
    auto *aside = new Label(remark, Font::small, Role::text2);
    line->addWidget(aside);
    m_body->addWidget(head);
    return aside;
}

void Pane::showFoot(bool shown) { m_footBox->setVisible(shown); }

}  // namespace rankdeck::ui
