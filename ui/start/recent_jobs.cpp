// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/recent_jobs.h"

#include "ui/kit/label.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {
constexpr int mostRecent = 6;
}

RecentJobs::RecentJobs(QWidget *parent) : Card(parent)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(8);
    setJobs({});
}

void RecentJobs::setJobs(const QList<RecentJob> &jobs)
{
    qDeleteAll(findChildren<QWidget *>(Qt::FindDirectChildrenOnly));
    if (jobs.isEmpty())
        layout()->addWidget((new Label(tr("None yet. A job file describes the nodes, ranks and paths once. Then the "
                                          "job opens with one click."),
                                       Font::normal, Role::text2))
                                ->wrapped());
    for (const RecentJob &job : jobs.mid(0, mostRecent)) {
        auto *line = new QWidget;
        auto *row = new QHBoxLayout(line);
        row->setContentsMargins(0, 0, 0, 0);
        auto *words = new QVBoxLayout;
        words->setSpacing(0);
        words->addWidget(
            new Label(QFileInfo(job.file).fileName().remove(QStringLiteral(".rankdeck.json")), Font::bold));
        if (!job.seen.isEmpty()) words->addWidget((new Label(job.seen))->wrapped());
        words->addWidget((new Label(job.file, Font::small, Role::text2))->wrapped());
        row->addLayout(words, 1);
        auto *open = new QPushButton(tr("Watch this job"));
        open->setAccessibleName(tr("Watch %1").arg(job.file));
        row->addWidget(open, 0, Qt::AlignTop);
        layout()->addWidget(line);
        connect(open, &QPushButton::clicked, this, [this, file = job.file] { Q_EMIT wanted(file); });
    }
}

}  // namespace rankdeck::ui
