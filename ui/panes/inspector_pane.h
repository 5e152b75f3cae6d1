// SPDX-License-Identifier: GPL-3.0-or-later
// Details of one rank's checkpoint. Shows the reason of its verdict with its law, and the evidence by level with the
// bytes read. Also shows why the file belongs to this set and rank, the map of the file, and its records. "Check every
// byte" has progress and cancel. Reads level L3 through the feed if necessary; a late answer is dropped.
#pragma once

#include "ui/feed/job_feed.h"
#include "ui/kit/pane.h"

#include <vector>

class QLineEdit;
class QPushButton;

namespace rankdeck::ui {

class FileMap;
class Table;
class TensorsModel;

class InspectorPane : public Pane {
    Q_OBJECT
public:
    explicit InspectorPane(JobFeed &feed, QWidget *parent = nullptr);
    [[nodiscard]] int preferredWidth(int windowWidth) const override;
    void inspect(const QString &setId, int rank);
    void refresh(WallTime now);
    void find();

Q_SIGNALS:
    void logWanted(int rank);

private:
    struct Line {
        GlyphLabel *sign;
        Label *name, *text, *bytes;
    };
    void makeEvidence();
    void makeFile();
    void showMember();
    void showEvidence();
    void showPlace(const CheckpointSet &set);
    void setLine(EvidenceLevel level, Glyph sign, const QString &text, const QString &bytes = {});
    void checkEveryByte();
    void showDeeper();
    [[nodiscard]] QString numbersOf(const Evidence &evidence, const CheckpointSet &set) const;
    [[nodiscard]] const MemberVerdict *member(const CheckpointSet *&set) const;

    JobFeed &m_feed;
    std::shared_ptr<const Snapshot> m_snapshot;
    QString m_set;
    int m_rank = -1;
    int m_generation = 0;
    std::optional<Evidence> m_evidence;
    std::vector<PlacedPart> m_places;  // its rows in the table of saves and places
    std::optional<WallTime> m_readAt;
    QString m_checking;  // set whose bytes are being read; empty: none
    double m_checkedShare = 0;
    QString m_checkOutcome;  // for the shown set, until it is read again
    QString m_problem;
    std::vector<Line> m_lines;
    Label *m_sentence, *m_age, *m_certainty, *m_place, *m_mapNote, *m_count, *m_path;
    FileMap *m_map;
    TensorsModel *m_model;
    Table *m_table;
    QLineEdit *m_find;
    QPushButton *m_deeper, *m_log, *m_copy;
};

}  // namespace rankdeck::ui
