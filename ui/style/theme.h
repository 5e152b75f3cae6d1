// SPDX-License-Identifier: GPL-3.0-or-later
// All colours and fonts of the window, by role, in a light and a dark set; can be switched at run time. Owned by the
// application: Theme::of(widget) returns it, and creates it on first use. setMode() styles the application (Fusion,
// with a palette made of the roles) and emits changed(). GUI thread.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>

class QDBusVariant;
class QWidget;

namespace rankdeck::ui {

class Theme : public QObject {
    Q_OBJECT
public:
    enum class Role {
        // clang-format off
        window, base, alt, text, text2, accent, accentFill,
        complete, completeFlag, writing, partial, corrupt, missing,      // status of glyphs and bars, never of text
        okQuiet, tintBad, tintWarn, tintOk,
        median, band, bandInner, discarded, discardedBand,
        rankLine1, rankLine2, rankLine3, rankLine4, rankLine5, rankLine6,
        grid, frame, laneLine, lostGround, lostHatch,
        controlEdge,                                                     // of fields and boxes, on window and base
        armedAmber, armedBlack,
        // clang-format on
    };
    static constexpr int roleCount = static_cast<int>(Role::armedBlack) + 1;
    enum class Mode { system, light, dark };
    enum class Font { normal, bold, small, smallBold, value, valueBold, title, mono, kind };

    // The application's theme; widget may be null.
    static Theme &of(const QWidget *widget);
    // The colour of a role in the given set, independent of the current one.
    [[nodiscard]] static QColor color(Role role, bool dark);
    [[nodiscard]] static Role rankLine(int index);  // 0…5, then repeats

    [[nodiscard]] QColor color(Role role) const { return color(role, m_dark); }
    // The colour of marks on a shape filled with this role: near white or near black, whichever is more legible.
    [[nodiscard]] QColor inkOn(Role role) const;
    [[nodiscard]] QFont font(Font font) const;
    [[nodiscard]] bool dark() const { return m_dark; }
    [[nodiscard]] Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    // Reads the desktop's setting (settings portal) and follows it while the mode is system.
    void followDesktop();

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void desktopChanged(const QString &group, const QString &key, const QDBusVariant &value);

private:
    explicit Theme(QObject *application);
    void apply();

    Mode m_mode = Mode::system;
    bool m_dark = false;
    bool m_desktopDark = false;
    bool m_following = false;
};

// Scales a length that contains text: px for a font height of 12 px, more for larger fonts. GUI thread.
int scaled(int px);

}  // namespace rankdeck::ui
