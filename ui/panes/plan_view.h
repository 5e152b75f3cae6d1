// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as read-only text, one tab per node, with its diffs on tints.
#pragma once

#include "ui/state/plan_text.h"

#include <QWidget>

class QPlainTextEdit;
class QTabBar;

namespace rankdeck::ui {

class PlanView : public QWidget {
    Q_OBJECT
public:
    explicit PlanView(QWidget *parent = nullptr);
    void setEmptyWords(const QString &words);  // text that explains why there is no plan
    void setPlan(const Plan &plan);
    void setWhole(bool whole);  // all lines instead of the first ones of each kind
    [[nodiscard]] bool whole() const { return m_whole; }
    [[nodiscard]] QString text() const;

private:
    void showNode(int index);

    Plan m_plan;
    QTabBar *m_tabs;
    QPlainTextEdit *m_text;
    bool m_whole = false;
};

}  // namespace rankdeck::ui
