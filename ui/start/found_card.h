// SPDX-License-Identifier: GPL-3.0-or-later
// The card of a found job: its name and progress, its actions, and a line with a sign for each part.
#pragma once

#include "ui/kit/card.h"
#include "ui/state/found_job.h"

#include <QStringList>

class QGridLayout;
class QPushButton;

namespace rankdeck::ui {

class ActButton;
class GlyphLabel;
class Label;

class FoundCard : public Card {
    Q_OBJECT
public:
    explicit FoundCard(QWidget *parent = nullptr);
    void setJob(const JobScan &job);
    void setPrimary(bool primary);  // marks the recommended one of all cards

Q_SIGNALS:
    void watchWanted();
    void editWanted();
    void hostsWanted(const QStringList &hosts);

private:
    void showLine(int row, const FoundLine &line);

    struct Row {
        Label *caption;
        GlyphLabel *glyph;
        Label *text;
    };
    Label *m_name, *m_headline;
    QPushButton *m_addHosts;
    ActButton *m_edit, *m_watch;
    QGridLayout *m_grid;
    std::vector<Row> m_rows;
    QStringList m_otherHosts;
    bool m_primary = false, m_needsPerson = false;
};

}  // namespace rankdeck::ui
