// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint file as a bar: its records at their bytes, and hatched what is missing to the size that its peers have.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <QWidget>

namespace rankdeck::ui {

class FileMap : public QWidget {
    Q_OBJECT
public:
    explicit FileMap(QWidget *parent = nullptr);
    // peerBytes: the size of the whole ones beside it; 0: not known.
    void setFile(const QString &name, const Evidence &evidence, std::uint64_t peerBytes);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    Evidence m_evidence;
    std::uint64_t m_peerBytes = 0;
};

}  // namespace rankdeck::ui
