// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/header_bar.h"

#include "ui/kit/act_button.h"
#include "ui/kit/focus_ring.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

HeaderBar::HeaderBar(QAction *stop, QAction *resume, QWidget *parent)
    : QWidget(parent), m_stopAction(stop), m_resumeAction(resume), m_job(new QPushButton),
      m_armed(new GlyphLabel(Glyph::armed, 13)), m_jobLine(new Label({}, Font::small, Role::text2)),
      m_lostCaption(new Label({}, Font::small, Role::text2)), m_lostValue(new Label({}, Font::valueBold)),
      m_lostNote(new Label({}, Font::small, Role::text2)), m_stop(new QPushButton), m_resume(new ActButton),
      m_stopArrow(new QToolButton), m_stopNote(new Label({}, Font::small, Role::text2)),
      m_resumeNote(new Label({}, Font::small, Role::text2))
{
    setFixedHeight(scaled(64));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(0);
    row->addWidget(makeJob());
    for (int i = 0; i < 5; ++i) {
        m_vitals.push_back(makeVital());
        row->addWidget(m_vitals.back().widget);
    }
    row->addStretch(1);
    m_lost = makeLost();
    row->addWidget(m_lost);
    row->addItem(new QSpacerItem(24, 0, QSizePolicy::Maximum));
    row->addWidget(makeAct(m_stop, m_stopArrow, m_stopNote));
    row->addSpacing(8);
    row->addWidget(makeAct(m_resume, nullptr, m_resumeNote));
    const Theme &theme = Theme::of(this);
    m_stop->setIcon(glyphIcon(Glyph::stop, theme));
    m_resume->setGlyph(Glyph::play);
    connect(m_stop, &QPushButton::clicked, m_stopAction, &QAction::trigger);
    connect(m_resume, &QPushButton::clicked, m_resumeAction, &QAction::trigger);
}

QWidget *HeaderBar::makeJob()
{
    auto *box = new QWidget;
    box->setMaximumWidth(scaled(252));
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 12, 8, 8);
    column->setSpacing(1);
    column->addStrut(scaled(192));
    m_job->setFont(Theme::of(this).font(Font::valueBold));
    m_job->setFlat(true);
    m_job->setStyleSheet(
        QStringLiteral("QPushButton{border:0;padding:0 16px 0 0;text-align:left;background:transparent}"
                       "QPushButton::menu-indicator{subcontrol-position:right center}"));
    FocusRing::addTo(m_job);
    column->addWidget(m_job, 0, Qt::AlignLeft);
    auto *line = new QHBoxLayout;
    line->setSpacing(4);
    line->addWidget(m_armed);
    line->addWidget(m_jobLine, 1);
    column->addLayout(line);
    column->addStretch(1);
    m_armed->hide();
    return box;
}

HeaderBar::VitalColumn HeaderBar::makeVital()
{
    VitalColumn vital{new QWidget, new Label({}, Font::small, Role::text2), new GlyphLabel(Glyph::stale, 13),
                      new Label({}, Font::value), new Label({}, Font::small, Role::text2)};
    auto *column = new QVBoxLayout(vital.widget);
    column->setContentsMargins(0, 6, 20, 6);
    column->setSpacing(0);
    auto *line = new QHBoxLayout;
    line->setSpacing(4);
    line->addWidget(vital.glyph);
    line->addWidget(vital.value, 1);
    vital.glyph->hide();
    column->addWidget(vital.caption);
    column->addLayout(line);
    column->addWidget(vital.note);
    return vital;
}

QWidget *HeaderBar::makeLost()
{
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 6, 0, 6);
    column->setSpacing(0);
    column->addStretch(1);
    for (Label *label : {m_lostCaption, m_lostValue, m_lostNote}) column->addWidget(label->rightAligned());
    column->addStretch(1);
    return box;
}

QWidget *HeaderBar::makeAct(QPushButton *button, QToolButton *arrow, Label *note)
{
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 7, 0, 6);
    column->setSpacing(2);
    auto *line = new QHBoxLayout;
    line->setSpacing(0);
    button->setFont(Theme::of(this).font(Font::bold));
    button->setFixedHeight(scaled(32));
    button->setMinimumWidth(scaled(arrow != nullptr ? 140 : 160));
    line->addWidget(button, 1);
    if (arrow != nullptr) {
        arrow->setFixedSize(20, scaled(32));
        arrow->setPopupMode(QToolButton::InstantPopup);
        arrow->setArrowType(Qt::DownArrow);
        arrow->setAccessibleName(tr("Other ways to stop"));
        arrow->setToolTip(toolTipOf(tr("Other ways to stop")));
        arrow->setStyleSheet(QStringLiteral("QToolButton::menu-indicator{image:none}"));
        line->addWidget(arrow);
    }
    column->addLayout(line);
    note->setAlignment(Qt::AlignCenter);
    column->addWidget(note);
    return box;
}

void HeaderBar::setMenus(QMenu *jobMenu, QMenu *stopMenu)
{
    m_job->setMenu(jobMenu);
    m_stopArrow->setMenu(stopMenu);
}

void HeaderBar::showSnapshot(const Snapshot &s, WallTime now)
{
    const QString name = fromNode(s.view.job.name);
    m_job->setText(name);
    m_job->setAccessibleName(tr("Job %1").arg(name));
    const ArmedState armed = m_asOf.isEmpty() ? armedState(s) : ArmedState{};
    m_armed->setVisible(armed.armed);
    if (!m_asOf.isEmpty()) {
        m_jobLine->setBoldAndText(tr("offline"), tr(", as of %1").arg(m_asOf));
    } else if (armed.armed) {
        const QString since = armed.since ? ago(secondsSince(*armed.since, now))
                                          : tr("on %1").arg(armed.nodes.join(QStringLiteral(", ")));
        m_jobLine->setBoldAndText(tr("ARMED"), QStringLiteral("%1  ·  %2").arg(since, attemptWords(s.view.attempt)));
    } else {
        m_jobLine->setTextFormat(Qt::PlainText);
        m_jobLine->setText(jobLine(s, now));
    }
    const std::vector<Vital> values = vitals(s, now);
    for (std::size_t i = 0; i < m_vitals.size() && i < values.size(); ++i) {
        m_vitals[i].caption->setSteadyText(values[i].caption);
        m_vitals[i].value->setSteadyText(values[i].value);
        m_vitals[i].note->setSteadyText(values[i].note);
        m_vitals[i].glyph->setVisible(values[i].old);
        m_vitals[i].value->setTone(values[i].old ? Role::text2 : Role::text);
        m_vitals[i].value->setToolTip(toolTipOf(values[i].tip));
    }
    const LostWords lost = m_chosen.value_or(lostWords(s, now));
    m_lostCaption->setText(lost.caption);
    m_lostValue->setSteadyText(lost.value);
    m_lostNote->setText(lost.note);
    m_lostNote->setVisible(!lost.note.isEmpty());
    showActs(s, now);
    if (!m_asOf.isEmpty()) refuseActs();
    dropVitals();
}

void HeaderBar::showActs(const Snapshot &s, WallTime now)
{
    const StopState stop = stopState(s, now);
    m_stop->setText(stop.button);
    m_stop->setEnabled(stop.enabled);
    const QString whyNot = stop.reason.isEmpty() && !stop.enabled ? stop.note : stop.reason;
    m_stop->setToolTip(toolTipOf(whyNot));
    m_stop->setIcon(stop.cancels || stop.phase == StopPhase::tooLate ? QIcon()
                                                                     : glyphIcon(Glyph::stop, Theme::of(this)));
    m_stop->setAccessibleName(QStringLiteral("%1, %2").arg(stop.button, stop.note));
    m_stop->setAccessibleDescription(whyNot);
    m_stopNote->setText(stop.note);
    m_stopAction->setEnabled(stop.enabled);
    m_stopAction->setText(stop.button);

    const ResumeState resume = resumeState(s);
    m_resume->setText(tr("&Resume…"));
    m_resume->setEnabled(resume.enabled);
    const QString reason = resume.reason.isEmpty() && !resume.enabled ? resume.note : resume.reason;
    m_resume->setToolTip(toolTipOf(reason));
    m_resume->setAccessibleName(tr("Resume, %1").arg(resume.note));
    m_resume->setAccessibleDescription(reason);
    m_resumeNote->setText(m_chosen ? tr("choosing a set") : resume.note);
    m_resumeAction->setEnabled(resume.enabled);
    m_resume->setPrimary(resume.primary && resume.enabled && !m_chosen);
}

void HeaderBar::setOffline(const QString &asOf) { m_asOf = asOf; }

// A job opened from its history is read-only.
void HeaderBar::refuseActs()
{
    const QString reason = tr("Offline: connect first.");
    for (QPushButton *button : {m_stop, static_cast<QPushButton *>(m_resume)}) {
        button->setEnabled(false);
        button->setToolTip(toolTipOf(reason));
        button->setAccessibleDescription(reason);
    }
    for (QAction *action : {m_stopAction, m_resumeAction}) action->setEnabled(false);
    m_stopArrow->setEnabled(false);
    m_resume->setPrimary(false);
    for (Label *note : {m_stopNote, m_resumeNote}) note->setText(tr("offline"));
}

void HeaderBar::setLostWith(std::optional<LostWords> chosen) { m_chosen = std::move(chosen); }

void HeaderBar::dropVitals()
{
    m_lostValue->setLook(Font::valueBold);
    for (VitalColumn &vital : m_vitals) vital.widget->setVisible(!vital.caption->text().isEmpty());
    // A changed text reaches the size hint of the row only with the next event; without this the row would cut the
    // text.
    for (QWidget *box : findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
        if (box->layout() != nullptr) box->layout()->activate();
    for (auto vital = m_vitals.rbegin(); vital != m_vitals.rend(); ++vital) {
        layout()->invalidate();
        if (layout()->minimumSize().width() <= width()) return;
        vital->widget->setVisible(false);
    }
    layout()->invalidate();
    if (layout()->minimumSize().width() > width()) m_lostValue->setLook(Font::bold);
}

void HeaderBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    dropVitals();
}

void HeaderBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(Theme::of(this).color(Role::frame));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

}  // namespace rankdeck::ui
