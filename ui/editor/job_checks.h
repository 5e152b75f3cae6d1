// SPDX-License-Identifier: GPL-3.0-or-later
// Check results of an edited job file on its nodes, line by line, and a button to connect the other hosts. Unanswered
// checks are shown as unknown.
#pragma once

#include "core/engine/discovery/job_check.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QGridLayout;
class QPushButton;

namespace rankdeck::ui {

class GlyphLabel;
class Label;

class JobChecks : public QWidget {
    Q_OBJECT
public:
    explicit JobChecks(QWidget *parent = nullptr);
    // notAsked: hosts of the job without a connection.
    void setChecks(const std::vector<JobCheck> &checks, const QStringList &notAsked);

Q_SIGNALS:
    void hostsWanted(const QStringList &hosts);

private:
    struct Row {
        Label *caption;
        GlyphLabel *glyph;
        Label *text;
    };
    void showLine(std::size_t at, const JobCheck &check);

    QGridLayout *m_grid;
    std::vector<Row> m_rows;
    QStringList m_notAsked;
    Label *m_none;
    QPushButton *m_connect;
};

}  // namespace rankdeck::ui
