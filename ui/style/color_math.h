// SPDX-License-Identifier: GPL-3.0-or-later
// Perceived colour differences: WCAG contrast, CIEDE2000 distance, and colours as seen by a colour-blind eye (Machado,
// Oliveira and Fernandes 2009, severity 1). Pure.
#pragma once

#include <QColor>

namespace rankdeck::ui {

enum class Eye { normal, protan, deutan, tritan };

[[nodiscard]] double luminance(const QColor &color);                         // WCAG 2, 0…1
[[nodiscard]] double contrastRatio(const QColor &one, const QColor &other);  // 1…21
[[nodiscard]] QColor seenBy(Eye eye, const QColor &color);
[[nodiscard]] double deltaE2000(const QColor &one, const QColor &other);

}  // namespace rankdeck::ui
