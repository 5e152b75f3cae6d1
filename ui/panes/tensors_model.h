// SPDX-License-Identifier: GPL-3.0-or-later
// The records of one checkpoint file, from its structure.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <QAbstractTableModel>

namespace rankdeck::ui {

class TensorsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { number, name, shape, type, bytes, offset, columnTotal };
    using QAbstractTableModel::QAbstractTableModel;
    void setEvidence(const Evidence &evidence);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TensorList m_tensors;
    std::uint64_t m_fileBytes = 0;
};

}  // namespace rankdeck::ui
