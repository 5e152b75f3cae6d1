// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panes/tensors_model.h"

#include "ui/style/format.h"
#include "ui/style/theme.h"

namespace rankdeck::ui {

void TensorsModel::setEvidence(const Evidence &evidence)
{
    beginResetModel();
    m_tensors = evidence.tensors;
    m_fileBytes = evidence.stat.size;
    endResetModel();
}

int TensorsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_tensors.size());
}

int TensorsModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : columnTotal; }

QVariant TensorsModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const TensorInfo &tensor = m_tensors[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole &&
        (index.column() == number || index.column() == bytes || index.column() == offset))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    // A record that extends beyond the end of the file shows where the file was cut.
    if (role == Qt::BackgroundRole && m_fileBytes > 0 && tensor.offset + tensor.bytes > m_fileBytes)
        return Theme::of(nullptr).color(Theme::Role::tintBad);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case number: return ui::number(index.row() + 1);
    case name: return fromNode(tensor.name);
    case shape: {
        QStringList sizes;
        for (const std::int64_t size : tensor.shape) sizes << QString::number(size);
        return QStringLiteral("[%1]").arg(sizes.join(QStringLiteral(", ")));
    }
    case type: return fromNode(tensor.type);
    case bytes: return ui::number(static_cast<std::int64_t>(tensor.bytes));
    case offset: return ui::number(static_cast<std::int64_t>(tensor.offset));
    default: return {};
    }
}

QVariant TensorsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && (section == number || section == bytes || section == offset))
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case number: return QStringLiteral("#");
    case name: return tr("Tensor");
    case shape: return tr("Shape");
    case type: return tr("Type");
    case bytes: return tr("Bytes");
    case offset: return tr("At byte");
    default: return {};
    }
}

}  // namespace rankdeck::ui
