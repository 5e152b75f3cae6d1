// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint file as a bar: its records at their byte positions, and a hatched part if it is smaller than its peers.
#pragma once

#include "core/checkpoint/checkpoint.h"

#include <QWidget>

namespace rankdeck::ui {

class FileMap : public QWidget {
    Q_OBJECT
public:
    explicit FileMap(QWidget *parent = nullptr);
    // peerBytes: size of the complete files of the other ranks; 0: unknown.
    void setFile(const QString &name, const Evidence &evidence, std::uint64_t peerBytes);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    Evidence m_evidence;
    std::uint64_t m_peerBytes = 0;
};

}  // namespace rankdeck::ui
