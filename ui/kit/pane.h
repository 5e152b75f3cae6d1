// SPDX-License-Identifier: GPL-3.0-or-later
// A pane next to the deck: a title with a sign, a body that scrolls if necessary, a foot that never scrolls. Esc closes
// it; the deck stays usable.
#pragma once

#include "ui/style/glyphs.h"
#include "ui/style/theme.h"

#include <QWidget>

#include <optional>

class QHBoxLayout;
class QVBoxLayout;

namespace rankdeck::ui {

class Card;
class GlyphLabel;
class Label;

class Pane : public QWidget {
    Q_OBJECT
public:
    explicit Pane(QWidget *parent = nullptr);
    // Width in px: 420; wide panes 576, or 680 in a window of 1600 px or more.
    [[nodiscard]] virtual int preferredWidth(int windowWidth) const;
    virtual void act() {}  // called by Ctrl+Enter
    [[nodiscard]] QString titleText() const;

Q_SIGNALS:
    void closed();

protected:
    void setTitle(Glyph glyph, const QString &title, const QString &aside = {});
    // Shows a second sentence under the title, on a tint (used for the proof).
    void setTitleGround(Theme::Role ground, std::optional<Theme::Role> bar, const QString &second);
    [[nodiscard]] QVBoxLayout *body() const { return m_body; }
    [[nodiscard]] QHBoxLayout *foot() const { return m_foot; }
    // Adds a small heading with a remark at its right. Returns the remark, whose parent is the whole heading.
    Label *addSection(const QString &title, const QString &remark = {});
    void showFoot(bool shown);

private:
    Card *m_titleCard;
    GlyphLabel *m_sign;
    Label *m_title, *m_second, *m_aside;
    QHBoxLayout *m_titleRow, *m_foot;
    QVBoxLayout *m_body;
    QWidget *m_footBox;
};

}  // namespace rankdeck::ui
