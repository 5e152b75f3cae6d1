// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/ended_jobs.h"

#include "ui/kit/card.h"
#include "ui/kit/label.h"
#include "ui/state/past_job.h"
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

void EndedJobs::setJobs(std::vector<EndedJob> jobs, std::vector<EndedJobScan> looks, WallTime now)
{
    std::vector<Shown> all;
    for (EndedJob &job : jobs) {
        const auto look = std::find_if(looks.begin(), looks.end(), [&job](const EndedJobScan &one) {
            return one.job.logs.path == job.job.logs.path && one.job.checkpoints.path == job.job.checkpoints.path;
        });
        Shown shown{.ended = std::move(job), .look = {}};
        if (look != looks.end()) {
            shown.look = std::move(*look);
            looks.erase(look);
        }
        all.push_back(std::move(shown));
    }
    for (EndedJobScan &look : looks) all.push_back({.ended = {}, .look = std::move(look)});
    if (all.size() > mostShown) all.resize(mostShown);
    QStringList keys;
    for (const Shown &one : all) keys << (one.ended ? fromNode(one.ended->entry.path) : fromNode(one.job().logs.path));
    setVisible(!all.empty());
    if (keys != m_keys) {  // unchanged cards are kept, so that a button does not change under the mouse
        m_keys = keys;
        while (QLayoutItem *item = m_cards->takeAt(0)) {
            delete item->widget();
            delete item;
        }
        for (const Shown &one : all) addCard(one);
    }
    for (std::size_t i = 0; i < all.size(); ++i) tell(static_cast<int>(i), all[i], now);
}

void EndedJobs::tell(int card, const Shown &shown, WallTime now)
{
    const QWidget *widget = m_cards->itemAt(card)->widget();
    auto *ended = widget->findChild<Label *>(QStringLiteral("ended"));
    auto *disk = widget->findChild<Label *>(QStringLiteral("disk"));
    ended->setText(shown.ended ? endedWords(*shown.ended, now) : tr("None of its processes was found."));
    disk->setVisible(shown.look.has_value());
    if (shown.look) disk->setText(onDiskWords(*shown.look, now));
}

void EndedJobs::addCard(const Shown &shown)
{
    auto *card = new Card;
    auto *row = new QHBoxLayout(card);
    row->setContentsMargins(12, 10, 12, 10);
    row->setSpacing(8);
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    const Job &job = shown.job();
    const QString name = fromNode(job.name);
    words->addWidget(new Label(name, Font::title));
    for (const char *part : {"ended", "disk"}) {
        auto *label = new Label;
        label->setObjectName(QLatin1String(part));
        words->addWidget(label->wrapped());
    }
    const std::pair<QString, std::string> places[] = {{tr("Logs: %1"), job.logs.path},
                                                      {tr("Checkpoints: %1"), job.checkpoints.path}};
    for (const auto &[text, path] : places)
        if (!path.empty()) words->addWidget((new Label(text.arg(fromNode(path)), Font::small, Role::text2))->wrapped());
    row->addLayout(words, 1);
    if (shown.ended) {
        auto *history = new QPushButton(tr("Open its history"));
        history->setAccessibleName(tr("Open the history of %1").arg(name));
        row->addWidget(history, 0, Qt::AlignTop);
        connect(history, &QPushButton::clicked, this,
                [this, entry = shown.ended->entry] { Q_EMIT offlineWanted(entry); });
    }
    auto *watch = new QPushButton(tr("Watch this job"));
    watch->setAccessibleName(tr("Watch %1").arg(name));
    row->addWidget(watch, 0, Qt::AlignTop);
    m_cards->addWidget(card);
    connect(watch, &QPushButton::clicked, this, [this, job] { Q_EMIT watchWanted(job); });
}

}  // namespace rankdeck::ui
