// SPDX-License-Identifier: GPL-3.0-or-later
// The implementation of the deck: takes snapshots as often as the eye can follow, keeps the scene, and updates only the
// parts that changed. Private to deck.cpp, deck_refresh.cpp, deck_curves.cpp, deck_sight.cpp, deck_selection.cpp and
// deck_menus.cpp.
#pragma once

#include "ui/deck/deck.h"
#include "ui/deck/deck_actions.h"
#include "ui/deck/deck_strips.h"
#include "ui/deck/history_bar.h"
#include "ui/deck/lanes/lane_view.h"
#include "ui/deck/plot/loss_plot.h"
#include "ui/deck/scene/axis_gestures.h"
#include "ui/deck/scene/deck_scene.h"
#include "ui/deck/scene/plot_data.h"
#include "ui/deck/scene/step_axis.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankdeck::ui {

class Deck::Impl {
public:
    Impl(Deck &owner, JobFeed &jobFeed);

    // -- deck.cpp
    void connectParts();
    void connectActions();
    void layOut();
    // -- deck_refresh.cpp: from the feed to the scene to the parts
    void schedule(int milliseconds);
    void frame();
    void tick();
    void takeSnapshot();
    void refreshPlot();
    void refreshLines(const Run &run);
    void refreshSecond(const Run &run);
    void chooseMetric(std::optional<Metric> wanted);
    void nextMetric();
    void refreshReadout();
    void refreshTexts();
    void keepInSight();
    void axisChanged();
    [[nodiscard]] double ownSpan() const;
    [[nodiscard]] bool canDraw() const;
    [[nodiscard]] ReadoutLine::Words readoutWords() const;
    [[nodiscard]] ReadoutLine::Words setWordsOf(int column) const;
    // -- deck_sight.cpp
    void userMoved();
    void undoView();
    void redoView();
    // -- deck_selection.cpp
    void setSelectedSet(const QString &id);
    void setSelectedRank(int rank);
    void bringIntoSight(double step);
    void stepSet(int by);
    void stepRank(int by);
    void trouble(bool next);
    void activate();
    void togglePin(int rank);
    void pressedAt(int deckX, int row);
    void doubleClickedAt(QPoint at);
    void openLog(QPoint at);
    // -- deck_menus.cpp
    void connectMenus();
    void setMenu(QWidget *over, QPoint at);
    void laneMenu(QPoint at);
    void plotMenu(QPoint at);
    [[nodiscard]] int columnNear(int deckX, int within) const;

    Deck &deck;
    JobFeed &feed;
    StepAxis axis;
    DeckScene scene;
    DeckActions *actions;
    AxisGestures *gestures;
    ReadoutLine *readout;
    AttemptsStrip *attempts;
    LossPlot *plot;
    LossPlot *second;  // another curve over the same steps, below the loss
    AxisRow *steps;
    LaneView *lanes;
    HistoryBar *history;

    enum class Sight { newest, whole, free } sight = Sight::newest, beforeLeft = Sight::newest;
    std::optional<double> wantedSpan = {};  // chosen by the user, while following
    struct View {
        double from = 0, to = 0;
        Sight sight = Sight::newest;
        std::optional<double> span = {};
    };
    [[nodiscard]] View viewNow() const;
    void rememberView(const View &view);  // adds a view to the undo list
    qint64 lastWhenLeft = 0;
    double smoothing = 0.6;
    std::optional<Metric> secondMetric = {};  // metric of the second plot; empty: none
    std::vector<Metric> saidMetrics = {};     // metrics that the log of this job contains
    QString note;

private:
    void showView(std::vector<View> &from, std::vector<View> &into);

    std::pair<double, double> m_range = {}, m_rangeBefore = {};  // range of the axis
    std::vector<View> m_views, m_undone;                         // newest last
    std::optional<SteadyTime> m_movedAt = {};
    QTimer m_frame{&deck}, m_second;
    QTimer m_clickEnds{&deck};  // fires when a second click can no longer follow
    std::optional<LogPlace> m_clicked = {};
    QElapsedTimer m_sinceQuery;
    qint64 m_queryCost = 0;  // ms
    QElapsedTimer m_sinceFrame, m_sinceSlow;
    SteadyTime m_snapshotAt = {};
    bool m_snapshotDirty = true, m_plotDirty = true, m_linesDirty = true, m_historyDirty = true;
    std::vector<Outlier> m_outliers;
    PlotCache m_plotCache, m_historyCache, m_secondCache;
};

}  // namespace rankdeck::ui
