// SPDX-License-Identifier: GPL-3.0-or-later
// The step axis of the deck: the visible range of steps and the pixel of each step. All parts use it, and only it
// zooms. Pixels are logical, in the deck's coordinates. The range stays within the job, with a little room at both
// ends. GUI thread.
#pragma once

#include <QObject>

#include <vector>

namespace rankdeck::ui {

class StepAxis : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] double from() const { return m_from; }
    [[nodiscard]] double to() const { return m_to; }
    [[nodiscard]] double span() const { return m_to - m_from; }
    [[nodiscard]] int left() const { return m_left; }
    [[nodiscard]] int width() const { return m_width; }
    [[nodiscard]] int right() const { return m_left + m_width; }
    [[nodiscard]] double stepsPerPixel() const { return span() / m_width; }
    [[nodiscard]] double first() const { return m_first; }
    [[nodiscard]] double last() const { return m_last; }

    [[nodiscard]] double pixelOf(double step) const;
    // The pixel column of a step, the same for all parts. Distant steps are clamped, so that the result is safe to
    // paint with.
    [[nodiscard]] int column(double step) const;
    [[nodiscard]] double stepAt(double pixel) const;
    [[nodiscard]] bool sees(double step) const { return step >= m_from && step <= m_to; }
    // Round steps for labels, with this minimum distance in pixels.
    [[nodiscard]] std::vector<qint64> ticks(int apart = 90) const;

public Q_SLOTS:
    void place(int left, int width);
    void setJob(double first, double last);  // all steps of the job
    void show(double from, double to);
    void showAll();
    void zoomAt(double step, double factor);  // factor > 1: zooms in
    void pan(double steps);

Q_SIGNALS:
    void changed();

private:
    void settle(double from, double to);

    double m_from = 0, m_to = 100;
    double m_first = 0, m_last = 100;
    int m_left = 0, m_width = 100;
};

}  // namespace rankdeck::ui
