// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/banner.h"

#include "ui/kit/card.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

namespace rankdeck::ui {

Banner::Banner(QWidget *parent)
    : QFrame(parent), m_card(new Card(this)), m_glyph(new GlyphLabel(Glyph::none, 14)), m_text(new Label)
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_card);
    auto *row = new QHBoxLayout(m_card);
    row->setContentsMargins(22, 6, 12, 6);
    row->setSpacing(8);
    m_card->setMinimumHeight(40);
    m_card->setFramed(false);
    m_text->wrapped();
    row->addWidget(m_glyph);
    row->addSpacing(4);
    row->addWidget(m_text, 1);
    for (int i = 0; i < 2; ++i) {
        auto *button = new QPushButton;
        button->setMinimumHeight(24);
        row->addWidget(button);
        m_buttons.push_back(button);
        connect(button, &QPushButton::clicked, this, [this, i] {
            if (m_notice && i < static_cast<int>(m_notice->acts.size()))
                Q_EMIT acted(m_notice->acts[static_cast<std::size_t>(i)].act);
        });
    }
    m_all = makeSmall(tr("All current problems"));
    connect(m_all, &QToolButton::clicked, this,
            [this] { Q_EMIT listWanted(m_all->mapToGlobal(m_all->rect().bottomLeft())); });
    m_seen = makeSmall(tr("Acknowledge: hides the banner; the alarm stays in the list and in Events"));
    m_seen->setText(tr("Acknowledge"));
    connect(m_seen, &QToolButton::clicked, this, [this] {
        if (m_notice) Q_EMIT seen(m_notice->key);
    });
    row->addWidget(m_all);
    row->addWidget(m_seen);
    hide();
}

QToolButton *Banner::makeSmall(const QString &tip)
{
    auto *button = new QToolButton;
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setMinimumHeight(24);
    button->setToolTip(toolTipOf(tip));
    button->setAccessibleDescription(tip);
    return button;
}

void Banner::show(const std::optional<Notice> &notice)
{
    const bool news = notice && (!m_notice || m_notice->fact != notice->fact);
    m_notice = notice;
    setVisible(notice.has_value());
    if (!notice) return;
    const bool bad = notice->level == Notice::Level::bad;
    const bool info = notice->level == Notice::Level::info;
    m_card->setGround(bad ? Theme::Role::tintBad : info ? Theme::Role::tintOk : Theme::Role::tintWarn);
    m_card->setBar(bad ? Theme::Role::corrupt : info ? Theme::Role::accent : Theme::Role::partial);
    m_glyph->setGlyph(notice->glyph);
    // A rest that begins with a comma continues the sentence; any other rest is a new one.
    const bool isWhole = notice->rest.isEmpty() || goesOn(notice->rest);
    m_text->setBoldAndText(isWhole ? notice->fact : ended(notice->fact), notice->rest);
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        const bool used = i < notice->acts.size();
        m_buttons[i]->setVisible(used);
        if (used && m_buttons[i]->text() != notice->acts[i].text) m_buttons[i]->setText(notice->acts[i].text);
    }
    m_all->setText(tr("All %n…", nullptr, notice->all));
    m_all->setVisible(notice->all > 1);
    m_seen->setVisible(!notice->key.isEmpty());
    if (!news) return;
    setAccessibleName(notice->fact);
    setAccessibleDescription(notice->rest);
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

}  // namespace rankdeck::ui
