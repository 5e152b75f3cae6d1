// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts to choose from. A ticked host is connected to, read-only, and shows the state of that; unticking ends it.
#pragma once

#include "ui/feed/job_sources.h"

#include <QAbstractTableModel>

#include <vector>

namespace rankdeck::ui {

class HostsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { tick, host, state, columnTotal };
    HostsModel(JobSources sources, QObject *parent = nullptr);
    ~HostsModel() override;
    void add(const QString &host, bool ticked);
    void setTicked(int row, bool ticked);
    [[nodiscard]] QStringList tickedHosts() const;
    struct Counts {
        int ticked = 0, live = 0, needYou = 0, onTheWay = 0, unusable = 0;
    };
    [[nodiscard]] Counts counts() const;
    // The feed and question of the first host that needs an answer; nullptr: none.
    JobFeed *questioning(NodeStatus &node) const;
    JobFeed *feedAt(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void stateChanged();

private:
    struct Row {
        QString name;
        bool ticked = false;
        std::unique_ptr<JobFeed> feed = {};
        QString problem = {};
    };
    [[nodiscard]] const NodeStatus *nodeOf(const Row &row) const;
    [[nodiscard]] QString stateWords(const Row &row) const;
    void rowChanged(const QString &name);

    JobSources m_sources;
    std::vector<Row> m_rows;
};

}  // namespace rankdeck::ui
