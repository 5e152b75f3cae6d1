// SPDX-License-Identifier: GPL-3.0-or-later
// What runs, how it does, what would be lost, and the two big actions with their price. Vitals drop from the right when
// it gets narrow; the actions and lost work never do.
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
    // The actions are shared with the menus: a click triggers them. The menus hang on the job's name and beside Stop.
    HeaderBar(QAction *stop, QAction *resume, QWidget *parent = nullptr);
    void setMenus(class QMenu *jobMenu, class QMenu *stopMenu);
    void showSnapshot(const Snapshot &snapshot, WallTime now);
    // Of when the picture is, when it comes from the history alone; empty: it is live. Before showSnapshot().
    void setOffline(const QString &asOf);
    // While a set is chosen in the resume pane its price stands here; nullopt: back to the newest VALID set.
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
