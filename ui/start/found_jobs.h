// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs found on the ticked hosts, one card each, added as they are found. If there is none, the reason.
#pragma once

#include "ui/feed/host_search.h"
#include "ui/start/hosts_model.h"

#include <QWidget>

#include <map>

class QVBoxLayout;

namespace rankdeck::ui {

class FoundCard;
class Label;

class FoundJobs : public QWidget {
    Q_OBJECT
public:
    explicit FoundJobs(QWidget *parent = nullptr);
    void setPicture(const DiscoveryPicture &picture, const HostsModel::Counts &hosts);

Q_SIGNALS:
    void watchWanted(std::size_t id);
    void editWanted(std::size_t id);
    void hostsWanted(const QStringList &hosts);

private:
    FoundCard *cardOf(std::size_t id);

    Label *m_head, *m_note, *m_none;
    QVBoxLayout *m_cards;
    std::map<std::size_t, FoundCard *> m_byId;
};

}  // namespace rankdeck::ui
