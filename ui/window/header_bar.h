// SPDX-License-Identifier: GPL-3.0-or-later
// The header: the job and its state, the lost work, and the two main actions with their costs. In a narrow window
// vitals are dropped from the right; the actions and the lost work always stay.
#pragma once

#include "ui/state/act_state.h"
#include "ui/state/run_state.h"

#include <QWidget>

class QAction;
class QPushButton;
class QToolButton;

namespace rankdeck::ui {

class ActButton;
class GlyphLabel;
class Label;

class HeaderBar : public QWidget {
    Q_OBJECT
public:
    // The actions are shared with the menus: a click triggers them. The menus open at the job's name and next to Stop.
    HeaderBar(QAction *stop, QAction *resume, QWidget *parent = nullptr);
    void setMenus(class QMenu *jobMenu, class QMenu *stopMenu);
    void showSnapshot(const Snapshot &snapshot, WallTime now);
    // Time of the data if they come only from the history; empty: live. Call it before showSnapshot().
    void setOffline(const QString &asOf);
    // Shows the lost work for a set chosen in the resume pane; nullopt: for the newest VALID set.
    void setLostWith(std::optional<LostWords> chosen);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    struct VitalColumn {
        QWidget *widget;
        Label *caption;
        GlyphLabel *glyph;
        Label *value;
        Label *note;
    };
    QWidget *makeJob();
    VitalColumn makeVital();
    QWidget *makeLost();
    QWidget *makeAct(QPushButton *button, QToolButton *arrow, Label *note);
    void showActs(const Snapshot &snapshot, WallTime now);
    void refuseActs();
    void dropVitals();

    QAction *m_stopAction, *m_resumeAction;
    QPushButton *m_job;
    GlyphLabel *m_armed;
    Label *m_jobLine;
    std::vector<VitalColumn> m_vitals;
    QWidget *m_lost = nullptr;
    Label *m_lostCaption, *m_lostValue, *m_lostNote;
    QPushButton *m_stop;
    ActButton *m_resume;
    QToolButton *m_stopArrow;
    Label *m_stopNote, *m_resumeNote;
    std::optional<LostWords> m_chosen;
    QString m_asOf;
};

}  // namespace rankdeck::ui
