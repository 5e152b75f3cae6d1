// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/found_jobs.h"

#include "ui/kit/label.h"
#include "ui/start/found_card.h"
#include "ui/style/format.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

FoundJobs::FoundJobs(QWidget *parent)
    : QWidget(parent), m_head(new Label(tr("Jobs found"), Font::bold)), m_note(new Label({}, Font::small, Role::text2)),
      m_none(new Label({}, Font::normal, Role::text2)), m_cards(new QVBoxLayout)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    auto *head = new QHBoxLayout;
    m_head->setMinimumHeight(24);
    head->addWidget(m_head);
    head->addWidget(m_note);
    head->addStretch(1);
    column->addLayout(head);
    column->addWidget(m_none->wrapped());
    m_cards->setSpacing(10);
    column->addLayout(m_cards);
}

FoundCard *FoundJobs::cardOf(std::size_t id)
{
    FoundCard *&card = m_byId[id];
    if (card != nullptr) return card;
    card = new FoundCard;
    m_cards->addWidget(card);
    connect(card, &FoundCard::watchWanted, this, [this, id] { Q_EMIT watchWanted(id); });
    connect(card, &FoundCard::editWanted, this, [this, id] { Q_EMIT editWanted(id); });
    connect(card, &FoundCard::hostsWanted, this, &FoundJobs::hostsWanted);
    return card;
}

void FoundJobs::setPicture(const DiscoveryPicture &picture, const HostsModel::Counts &hosts)
{
    for (auto card = m_byId.begin(); card != m_byId.end();) {
        const bool there = std::any_of(picture.jobs.begin(), picture.jobs.end(),
                                       [&](const JobScan &job) { return job.id == card->first; });
        if (!there) delete card->second;
        card = there ? std::next(card) : m_byId.erase(card);
    }
    for (const JobScan &job : picture.jobs) {
        FoundCard *card = cardOf(job.id);
        card->setJob(job);
        card->setPrimary(&job == &picture.jobs.front());
    }
    setVisible(hosts.ticked > 0);
    m_note->setText(hosts.scanned < hosts.ticked ? tr("on %1 hosts so far").arg(nOf(hosts.scanned, hosts.ticked))
                                                 : tr("on %n host(s)", nullptr, hosts.ticked));
    m_none->setVisible(picture.jobs.empty());
    if (hosts.scanned > 0)
        m_none->setText(tr("No training process yet: no process has a rank in its environment (RANK_ID, or RANK with "
                           "LOCAL_RANK). The hosts are scanned again every 10 s."));
    else
        m_none->setText(hosts.unusable == hosts.ticked
                            ? tr("None of these hosts can be scanned; the list says why.")
                            : tr("A job appears here as soon as the first host has answered."));
}

}  // namespace rankdeck::ui
