// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a set to resume from: the sets, the preflight with one fix per refusal, the plan per node, and a start
// button. Nothing runs before it is pressed. The plan is requested again when the set or the fixes change, and when it
// is a minute old; a late answer is dropped. A kept set without another copy must be put back first, with a plan and a
// button of its own. Once it is VALID among the checkpoints, the pane continues as for any other set.
#pragma once

#include "ui/feed/job_feed.h"
#include "ui/kit/pane.h"

#include <QTimer>

#include <set>

class QAction;
class QCheckBox;
class QPushButton;

namespace rankdeck::ui {

class ActButton;
class Card;
class FindingRow;
class PlanView;
class SetsModel;
class Table;

class ResumePane : public Pane {
    Q_OBJECT
public:
    explicit ResumePane(JobFeed &feed, QWidget *parent = nullptr);
    [[nodiscard]] int preferredWidth(int windowWidth) const override;
    void act() override;
    void refresh(WallTime now);
    [[nodiscard]] QString chosenSet() const { return m_set; }
    [[nodiscard]] QString why() const;  // reason why the action is impossible; empty: it is possible

public Q_SLOTS:
    void choose(const QString &setId);  // empty: the recommended one
    void toggleWholePlan();
    void checkAgain();

Q_SIGNALS:
    void setChosen(const QString &setId);
    void started();

protected:
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void makeSets();
    void makePreflight();
    void makePlan();
    void makeFoot();
    void requestPlan();
    [[nodiscard]] bool isReadyForAPlan() const;
    void askForPlan();
    void renewWhenOld(WallTime now);
    void tookPlan(int generation, const Result<ResumeReport> &report);
    FindingRow *rowOf(const Finding &finding, bool chosen);
    void showFindings();
    void showAct();
    void setFix(const std::string &code, bool on);
    void copyScript();
    void askToPutBack();
    void putBack();
    void keepNoLonger();
    [[nodiscard]] QString whyNotBack(const KeptSet &kept) const;
    void explain();
    // The chosen set, if it is kept and has no other copy.
    [[nodiscard]] const KeptSet *chosenKept() const;
    [[nodiscard]] const CheckpointSet *current() const;
    [[nodiscard]] ResumeOptions options() const;

    JobFeed &m_feed;
    SetsModel *m_sets;
    Table *m_table;
    Label *m_explain, *m_checked, *m_planNote, *m_missing;
    GlyphLabel *m_missingSign;
    QCheckBox *m_unproven;
    QVBoxLayout *m_findings;
    Card *m_findingsCard;
    PlanView *m_plan;
    QPushButton *m_copy, *m_again, *m_whole;
    QList<QWidget *> m_abovePlan;  // widgets that are hidden to show the whole plan
    ActButton *m_act;
    QString m_set;
    std::set<std::string> m_fixes;
    QAction *m_keepNoLonger;
    std::optional<ResumeReport> m_report;
    std::optional<KeepReport> m_backPlan;  // plan for putting the chosen set back
    bool m_wasKept = false;                // the pane shows how to put the set back
    bool m_puttingBack = false;            // putting back is in progress
    QString m_back;                        // id of the set that was put back and is being judged
    std::optional<WallTime> m_plannedAt;
    QString m_problem;
    int m_generation = 0;
    bool m_planning = false;  // no plan is shown until the new one arrives
    bool m_renewing = false;  // the old plan is shown until the new one arrives
    bool m_passedShown = false;
};

}  // namespace rankdeck::ui
