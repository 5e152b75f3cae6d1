// SPDX-License-Identifier: GPL-3.0-or-later
// The second curve, below the loss: one metric of the log lines at a time, chosen by the user.
#include "ui/deck/deck_impl.h"
#include "ui/style/format.h"

#include <QAction>

#include <algorithm>

namespace rankdeck::ui {

// Refreshes the second curve and the list of available metrics.
void Deck::Impl::refreshSecond(const Run &run)
{
    saidMetrics.clear();
    for (const auto &[one, action] : actions->curves) {
        if (!one) continue;
        const bool said = !run.measured(*one).empty();
        action->setEnabled(said || one == secondMetric);
        if (said) saidMetrics.push_back(*one);
    }
    actions->nextCurve->setEnabled(!saidMetrics.empty() || secondMetric);
    if (!secondMetric) return;
    const PlotQuery query{.from = axis.from(), .to = axis.to(), .pixels = axis.width(), .metric = secondMetric};
    const std::vector<int> ranks = run.measured(*secondMetric);
    PlotData data = queryPlot(run, query, m_secondCache);
    const QString title = metricWord(*secondMetric);
    second->setMetric(MetricFace{*secondMetric, title, Deck::tr("median of ranks %1").arg(rankRange(ranks))});
    second->setEmptyText(ranks.empty() ? Deck::tr("No log line shows it: %1.").arg(title) : QString());
    QString newest;
    if (data.lastMedian) newest = Deck::tr("newest %1").arg(metricText(*secondMetric, *data.lastMedian));
    if (second->canvas()->accessibleDescription() != newest) second->canvas()->setAccessibleDescription(newest);
    second->setData(std::move(data));
    second->redraw();
}

void Deck::Impl::chooseMetric(std::optional<Metric> wanted)
{
    secondMetric = wanted;
    for (const auto &[one, action] : actions->curves) action->setChecked(one == secondMetric);
    layOut();
    if (canDraw()) refreshPlot();
}

void Deck::Impl::nextMetric()
{
    auto next = saidMetrics.begin();
    if (secondMetric) next = std::find(saidMetrics.begin(), saidMetrics.end(), *secondMetric);
    if (secondMetric && next != saidMetrics.end()) ++next;
    chooseMetric(next == saidMetrics.end() ? std::nullopt : std::optional<Metric>(*next));
}

}  // namespace rankdeck::ui
