// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/ended_jobs.h"

#include "ui/kit/card.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {
constexpr std::size_t mostShown = 6;
}

EndedJobs::EndedJobs(QWidget *parent) : QWidget(parent), m_cards(new QVBoxLayout)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    auto *head = new Label(tr("Ended on these hosts"), Font::bold);
    head->setMinimumHeight(24);
    column->addWidget(head);
    m_cards->setSpacing(10);
    column->addLayout(m_cards);
    hide();
}

void EndedJobs::setJobs(std::vector<EndedJob> jobs, WallTime now)
{
    if (jobs.size() > mostShown) jobs.resize(mostShown);
    const bool same = std::equal(jobs.begin(), jobs.end(), m_jobs.begin(), m_jobs.end(),
                                 [](const EndedJob &a, const EndedJob &b) { return a.entry.path == b.entry.path; });
    m_jobs = std::move(jobs);
    setVisible(!m_jobs.empty());
    if (same) {  // who is about to press a button presses that one
        for (std::size_t i = 0; i < m_jobs.size(); ++i)
            if (auto *words =
                    m_cards->itemAt(static_cast<int>(i))->widget()->findChild<Label *>(QStringLiteral("ended")))
                words->setText(endedWords(m_jobs[i], now));
        return;
    }
    while (QLayoutItem *item = m_cards->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const EndedJob &job : m_jobs) addCard(job, now);
}

void EndedJobs::addCard(const EndedJob &job, WallTime now)
{
    auto *card = new Card;
    auto *row = new QHBoxLayout(card);
    row->setContentsMargins(12, 10, 12, 10);
    row->setSpacing(8);
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    const QString name = fromNode(job.job.name);
    words->addWidget(new Label(name, Font::title));
    auto *ended = new Label(endedWords(job, now));
    ended->setObjectName(QStringLiteral("ended"));
    words->addWidget(ended->wrapped());
    const std::pair<QString, std::string> places[] = {{tr("Logs: %1"), job.job.logs.path},
                                                      {tr("Checkpoints: %1"), job.job.checkpoints.path}};
    for (const auto &[text, path] : places)
        if (!path.empty()) words->addWidget((new Label(text.arg(fromNode(path)), Font::small, Role::text2))->wrapped());
    row->addLayout(words, 1);
    auto *history = new QPushButton(tr("Open its history"));
    history->setAccessibleName(tr("Open the history of %1").arg(name));
    auto *watch = new QPushButton(tr("Watch this job"));
    watch->setAccessibleName(tr("Watch %1").arg(name));
    row->addWidget(history, 0, Qt::AlignTop);
    row->addWidget(watch, 0, Qt::AlignTop);
    m_cards->addWidget(card);
    connect(history, &QPushButton::clicked, this, [this, entry = job.entry] { Q_EMIT offlineWanted(entry); });
    connect(watch, &QPushButton::clicked, this, [this, one = job.job] { Q_EMIT watchWanted(one); });
}

}  // namespace rankdeck::ui
