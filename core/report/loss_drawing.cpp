// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/loss_drawing.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rankdeck {
namespace {

constexpr double width = 960, height = 260, left = 64, bottom = 24, top = 8;

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

class LossDrawing {
public:
    explicit LossDrawing(const LossCurves &curves) : m_curves(curves)
    {
        for (const auto *columns : {&curves.kept, &curves.discarded})
            for (const EnvelopeColumn &column : *columns) {
                if (column.ranks == 0) continue;
                m_low = std::min(m_low, double(column.low));
                m_high = std::max(m_high, double(column.high));
            }
    }

    std::string text()
    {
        if (!(m_low <= m_high) || m_curves.to <= m_curves.from) return {};
        if (m_high - m_low < 1e-9) m_high = m_low + 1e-9;
        std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 960 260\" "
                          "font-size=\"12\" font-family=\"sans-serif\">";
        for (const double seam : m_curves.seams)
            out += "<line x1=\"" + number(x(seam)) + "\" x2=\"" + number(x(seam)) + "\" y1=\"" + number(top) +
                   "\" y2=\"" + number(height - bottom) + "\" stroke=\"#8a94a0\" stroke-dasharray=\"4 3\"/>";
        out += curve(m_curves.discarded, "#8a94a0") + curve(m_curves.kept, "#2f6fb5");
        for (const double value : {m_low, m_high})
            out += "<text x=\"" + number(left - 6) + "\" y=\"" + number(y(value) + 4) +
                   "\" text-anchor=\"end\" fill=\"#59616b\">" + lossText(value) + "</text>";
        for (const double step : {m_curves.from, m_curves.to})
            out += "<text x=\"" + number(x(step)) + "\" y=\"" + number(height - 6) + "\" text-anchor=\"" +
                   (step > m_curves.from ? "end" : "start") + "\" fill=\"#59616b\">" + grouped(std::llround(step)) +
                   "</text>";
        return out + "</svg>";
    }

private:
    [[nodiscard]] double x(double step) const
    {
        return left + (width - left) * (step - m_curves.from) / (m_curves.to - m_curves.from);
    }
    [[nodiscard]] double y(double loss) const
    {
        return top + (height - top - bottom) * (m_high - loss) / (m_high - m_low);
    }
    static std::string lossText(double value)
    {
        char text[32];
        std::snprintf(text, sizeof text, "%.4g", value);
        return text;
    }

    // A column without a finite sample is a gap.
    [[nodiscard]] std::string curve(const std::vector<EnvelopeColumn> &columns, const std::string &color) const
    {
        std::string line, out;
        std::vector<std::pair<double, const EnvelopeColumn *>> stretch;
        const auto end = [&] {
            if (stretch.size() > 1) {
                std::string band;
                for (const auto &[at, column] : stretch) band += number(at) + "," + number(y(column->high)) + " ";
                for (auto each = stretch.rbegin(); each != stretch.rend(); ++each)
                    band += number(each->first) + "," + number(y(each->second->low)) + " ";
                out += "<polygon points=\"" + band + "\" fill=\"" + color + "\" fill-opacity=\"0.18\"/>";
            }
            for (const auto &[at, column] : stretch) line += number(at) + "," + number(y(column->median)) + " ";
            if (!line.empty())
                out +=
                    "<polyline points=\"" + line + "\" fill=\"none\" stroke=\"" + color + "\" stroke-width=\"1.5\"/>";
            line.clear();
            stretch.clear();
        };
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double at = left + (width - left) * (double(i) + 0.5) / double(columns.size());
            if (columns[i].ranks > 0)
                stretch.emplace_back(at, &columns[i]);
            else
                end();
        }
        end();
        return out;
    }

    const LossCurves &m_curves;
    double m_low = INFINITY, m_high = -INFINITY;
};

}  // namespace

std::string lossDrawing(const LossCurves &curves) { return LossDrawing(curves).text(); }

}  // namespace rankdeck
