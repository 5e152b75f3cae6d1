// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/marks.h"

#include <QCoreApplication>

namespace rankdeck::ui {

namespace {

struct MarkWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::ui::Marks)
};

}  // namespace

QString comma() { return MarkWords::tr(", "); }

}  // namespace rankdeck::ui
