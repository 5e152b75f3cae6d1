// SPDX-License-Identifier: GPL-3.0-or-later
// The thin rows between the parts of the deck. Above the plot: the readout line, and the attempts with the newest VALID
// flag. Below the plot: the steps with the headings of the gutter. Painted from the scene; they store only texts.
#pragma once

#include "ui/deck/scene/deck_scene.h"
#include "ui/deck/scene/step_axis.h"

#include <QWidget>

namespace rankdeck::ui {

class ReadoutLine : public QWidget {
    Q_OBJECT
public:
    ReadoutLine(const StepAxis &axis, QWidget *parent);
    static int rowHeight() { return scaled(20); }

    struct Words {
        QString lead;   // bold
        QString quiet;  // time, age, attempt
        QString main;   // the most important value
        QString details;
        QString rank;  // value of the chosen rank, bold
        bool operator==(const Words &) const = default;
    };
    void setWords(const Words &words);
    void setFollowing(const QString &words, bool clickable);
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void followPressed();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    const StepAxis &m_axis;
    Words m_words;
    QString m_following;
    bool m_clickable = false;
};

class AttemptsStrip : public QWidget {
    Q_OBJECT
public:
    AttemptsStrip(const DeckScene &scene, const StepAxis &axis, QWidget *parent);
    static int rowHeight() { return scaled(17); }
    [[nodiscard]] QString flagWords() const;  // "newest VALID 40,600"; empty if that set is not visible

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QRect flagBox() const;

    const DeckScene &m_scene;
    const StepAxis &m_axis;
};

class AxisRow : public QWidget {
    Q_OBJECT
public:
    AxisRow(const DeckScene &scene, const StepAxis &axis, QWidget *parent);
    static int rowHeight() { return scaled(20); }
    void setCompact(bool on);  // headings for node lines instead of ranks

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintHeads(QPainter &painter);
    void paintTicks(QPainter &painter, const QRect &under);
    [[nodiscard]] QRect cursorBox() const;

    const DeckScene &m_scene;
    const StepAxis &m_axis;
    bool m_compact = false;
};

}  // namespace rankdeck::ui
