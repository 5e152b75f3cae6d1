// SPDX-License-Identifier: GPL-3.0-or-later
// The name of a key in a small frame, for use next to its description.
#pragma once

#include "ui/kit/label.h"

namespace rankdeck::ui {

class KeyCap : public Label {
    Q_OBJECT
public:
    explicit KeyCap(const QString &key, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;
};

}  // namespace rankdeck::ui
