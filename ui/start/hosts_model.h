// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts to choose from. The search scans a ticked host, read-only, and its row shows the progress; unticking ends the
// scan. Without a search, the row says so.
#pragma once

#include "ui/feed/host_search.h"

#include <QAbstractTableModel>

#include <vector>

namespace rankdeck::ui {

class HostsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { tick, host, reached, state, columnTotal };
    explicit HostsModel(HostSearch *search, QObject *parent = nullptr);
    void add(const QString &host, bool ticked);
    void setTicked(int row, bool ticked);
    void unload();                                        // call when the search is destroyed
    void second();                                        // call every second: updates the ages
    [[nodiscard]] const HostScan *lookAt(int row) const;  // nullptr: no result yet
    [[nodiscard]] QString nameAt(int row) const { return m_rows.at(static_cast<std::size_t>(row)).name; }
    // The full reason why a host cannot be used, or what it waits for, with the remedy; empty: all is well.
    [[nodiscard]] QString trouble(int row) const;
    struct Counts {
        int ticked = 0, live = 0, scanned = 0, needYou = 0, onTheWay = 0, unusable = 0;
    };
    [[nodiscard]] Counts counts() const;

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
    };
    [[nodiscard]] const HostScan *lookOf(const Row &row) const;
    [[nodiscard]] QString stateWords(const Row &row) const;
    void takePicture();

    HostSearch *m_search;
    std::shared_ptr<const DiscoveryPicture> m_picture;
    std::vector<Row> m_rows;
};

}  // namespace rankdeck::ui
