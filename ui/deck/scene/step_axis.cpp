// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/scene/step_axis.h"

#include <algorithm>
#include <cmath>

namespace rankdeck::ui {

namespace {
constexpr double smallestSpan = 10;
constexpr double room = 0.06;  // share of the span, before the first and after the last step
}  // namespace

double StepAxis::pixelOf(double step) const { return m_left + (step - m_from) / span() * m_width; }

int StepAxis::column(double step) const
{
    constexpr double far = 100000;
    return static_cast<int>(std::floor(std::clamp(pixelOf(step), -far, far) + 0.5));
}

double StepAxis::stepAt(double pixel) const { return m_from + (pixel - m_left) / m_width * span(); }

std::vector<qint64> StepAxis::ticks(int apart) const
{
    const double wanted = stepsPerPixel() * apart;
    double unit = 1;
    while (unit * 10 <= wanted) unit *= 10;
    for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
        if (unit * factor < wanted) continue;
        unit *= factor;
        break;
    }
    std::vector<qint64> ticks;
    for (double step = std::ceil(m_from / unit) * unit; step <= m_to; step += unit) ticks.push_back(std::llround(step));
    return ticks;
}

void StepAxis::place(int left, int width)
{
    width = std::max(width, 10);
    if (left == m_left && width == m_width) return;
    m_left = left;
    m_width = width;
    Q_EMIT changed();
}

void StepAxis::setJob(double first, double last)
{
    m_first = first;
    m_last = std::max(last, first + 1);
}

void StepAxis::show(double from, double to) { settle(from, to); }
void StepAxis::showAll() { settle(m_first, m_last + (m_last - m_first) * 0.02); }

void StepAxis::zoomAt(double step, double factor)
{
    if (!(factor > 0)) return;
    settle(step - (step - m_from) / factor, step + (m_to - step) / factor);
}

void StepAxis::pan(double steps) { settle(m_from + steps, m_to + steps); }

void StepAxis::settle(double from, double to)
{
    if (!std::isfinite(from) || !std::isfinite(to)) return;
    const double widest = std::max((m_last - m_first) * (1 + room), smallestSpan);
    double length = std::clamp(to - from, smallestSpan, std::max(widest, smallestSpan));
    if (length != to - from) from = (from + to - length) / 2;
    const double margin = length * room;
    from = std::min(from, m_last + margin - length);
    from = std::max(from, std::min(m_first - margin, m_last + margin - length));
    if (m_last - m_first < length) from = m_first - std::min(margin, length * 0.01);
    if (from == m_from && from + length == m_to) return;
    m_from = from;
    m_to = from + length;
    Q_EMIT changed();
}

}  // namespace rankdeck::ui
