// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme.h"

#include "ui/style/color_math.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankdeck::ui {
namespace {

struct Pair {
    Theme::Role role;
    QRgb light, dark;
};

using R = Theme::Role;

constexpr std::array<Pair, Theme::roleCount> table = {{
    {R::window, 0xffefefef, 0xff2a2c2f},       {R::base, 0xffffffff, 0xff1b1d1f},
    {R::alt, 0xfff7f7f6, 0xff202225},          {R::text, 0xff1b1d20, 0xffe8e8e5},
    {R::text2, 0xff55595e, 0xffa9adb1},        {R::accent, 0xff2166b0, 0xff5aa2ee},
    {R::accentFill, 0xff2166b0, 0xff2f6fb8},   {R::complete, 0xff023185, 0xff2c7eec},
    {R::completeFlag, 0xff023185, 0xff1f63c4}, {R::writing, 0xff0989c8, 0xff58ecfd},
    {R::partial, 0xffc87603, 0xfffed923},      {R::corrupt, 0xff800106, 0xffee2707},
    {R::missing, 0xff746f6d, 0xff807f7c},      {R::okQuiet, 0xff8fa3c9, 0xff3d5f93},
    {R::tintBad, 0xfff6e5e5, 0xff47201a},      {R::tintWarn, 0xfffbf0df, 0xff3b3416},
    {R::tintOk, 0xffe5ebf6, 0xff1d2f4a},       {R::median, 0xff33373c, 0xffd6d8da},
    {R::band, 0xffd5dae3, 0xff3b424a},         {R::bandInner, 0xffbcc4d2, 0xff4f5863},
    {R::discarded, 0xffb4b6b9, 0xff5d6165},    {R::discardedBand, 0xffebebeb, 0xff282b2e},
    {R::rankLine1, 0xffe04986, 0xff23e2b3},    {R::rankLine2, 0xff165249, 0xffe488eb},
    {R::rankLine3, 0xff6090fb, 0xffab27d8},    {R::rankLine4, 0xff850b8e, 0xffdfd406},
    {R::rankLine5, 0xff989303, 0xff887b1b},    {R::rankLine6, 0xff565c07, 0xff027b67},
    {R::grid, 0xffe2e2e2, 0xff2e3134},         {R::frame, 0xffc4c5c6, 0xff484b4f},
    {R::laneLine, 0xffe7e7e7, 0xff2e3134},     {R::lostGround, 0xfffcf8f2, 0xff24241f},
    {R::lostHatch, 0xffdbcfb8, 0xff46432f},    {R::controlEdge, 0xff746f6d, 0xff8a8986},
    {R::armedAmber, 0xfff0b429, 0xfff0b429},   {R::armedBlack, 0xff1b1d20, 0xff1b1d20},
}};

constexpr bool inOrder()
{
    for (std::size_t i = 0; i < table.size(); ++i)
        if (static_cast<std::size_t>(table[i].role) != i) return false;
    return true;
}
static_assert(inOrder());

QColor mixed(const QColor &one, const QColor &other, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(one.red(), other.red()), mix(one.green(), other.green()), mix(one.blue(), other.blue())};
}

// A widget with a style sheet, and its children, keep the palette of the time when they were polished.
void repolishStyleSheets()
{
    const QWidgetList all = QApplication::allWidgets();
    for (QWidget *widget : all) {
        const QString sheet = widget->styleSheet();
        if (sheet.isEmpty()) continue;
        widget->setStyleSheet({});
        widget->setStyleSheet(sheet);
    }
}

QPalette paletteOf(bool dark)
{
    const auto c = [dark](R role) { return Theme::color(role, dark); };
    QPalette p;
    p.setColor(QPalette::Window, c(R::window));
    p.setColor(QPalette::Base, c(R::base));
    p.setColor(QPalette::AlternateBase, c(R::alt));
    p.setColor(QPalette::Button, dark ? c(R::window).lighter(118) : c(R::window));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) p.setColor(role, c(R::text));
    p.setColor(QPalette::BrightText, Qt::white);
    p.setColor(QPalette::PlaceholderText, c(R::text2));
    p.setColor(QPalette::Highlight, c(R::accentFill));
    p.setColor(QPalette::HighlightedText, Qt::white);
    p.setColor(QPalette::Link, c(R::accent));
    p.setColor(QPalette::LinkVisited, c(R::accent));
    p.setColor(QPalette::ToolTipBase, c(R::base));
    p.setColor(QPalette::ToolTipText, c(R::text));
    p.setColor(QPalette::Light, c(R::window).lighter(dark ? 150 : 106));
    p.setColor(QPalette::Midlight, c(R::window).lighter(dark ? 125 : 103));
    p.setColor(QPalette::Mid, c(R::frame));
    p.setColor(QPalette::Dark, dark ? QColor(0x17, 0x18, 0x1a) : QColor(0x9f, 0x9f, 0x9f));
    p.setColor(QPalette::Shadow, dark ? QColor(Qt::black) : QColor(0x76, 0x76, 0x76));
    const QColor faint = mixed(c(R::text), c(R::window), 0.55);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, faint);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c(R::frame));
    return p;
}

constexpr auto portalService = "org.freedesktop.portal.Desktop";
constexpr auto portalPath = "/org/freedesktop/portal/desktop";
constexpr auto portalSettings = "org.freedesktop.portal.Settings";
constexpr auto appearance = "org.freedesktop.appearance";
constexpr auto scheme = "color-scheme";

}  // namespace

Theme::Theme(QObject *application) : QObject(application)
{
    m_desktopDark = luminance(QApplication::palette().color(QPalette::Window)) < 0.2;
    apply();
}

Theme &Theme::of(const QWidget *)
{
    if (auto *theme = qApp->findChild<Theme *>(QString(), Qt::FindDirectChildrenOnly)) return *theme;
    return *new Theme(qApp);
}

QColor Theme::color(Role role, bool dark)
{
    const Pair &pair = table.at(static_cast<std::size_t>(role));
    return QColor::fromRgb(dark ? pair.dark : pair.light);
}

Theme::Role Theme::rankLine(int index)
{
    return static_cast<Role>(static_cast<int>(Role::rankLine1) + std::max(index, 0) % 6);
}

QColor Theme::inkOn(Role role) const
{
    const QColor white(Qt::white);
    const QColor fill = color(role);
    // White is chosen whenever it is legible: on saturated fills a dark mark looks like a hole.
    return contrastRatio(fill, white) >= 3 ? white : color(Role::armedBlack);
}

namespace {

constexpr int smallestLetters = 12;

// Height of the desktop's font in px. It is cached, because font metrics are slow and rarely change.
int letters()
{
    static QFont asked;
    static int height = 0;
    if (const QFont now = QApplication::font(); height == 0 || now != asked) {
        asked = now;
        height = std::max(smallestLetters, QFontInfo(now).pixelSize());
    }
    return height;
}

}  // namespace

int scaled(int px) { return px * letters() / smallestLetters; }

QFont Theme::font(Font which) const
{
    QFont font = which == Font::mono ? QFontDatabase::systemFont(QFontDatabase::FixedFont) : QApplication::font();
    const int normal = letters();
    int size = normal;
    if (which == Font::small || which == Font::smallBold || which == Font::mono) size = std::max(11, normal - 1);
    if (which == Font::value || which == Font::valueBold) size = normal + 4;
    if (which == Font::title) size = normal + 1;
    if (which == Font::kind) size = 9;  // drawn inside a glyph, whose size is fixed
    font.setPixelSize(size);
    font.setBold(which == Font::bold || which == Font::smallBold || which == Font::valueBold || which == Font::title ||
                 which == Font::kind);
    return font;
}

void Theme::setMode(Mode mode)
{
    if (mode == m_mode) return;
    m_mode = mode;
    apply();
}

void Theme::apply()
{
    m_dark = m_mode == Mode::dark || (m_mode == Mode::system && m_desktopDark);
    if (QApplication::style()->objectName() != QLatin1String("fusion"))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf(m_dark));
    repolishStyleSheets();
    Q_EMIT changed();
}

void Theme::followDesktop()
{
    if (m_following) return;
    m_following = true;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    const auto service = QString::fromLatin1(portalService);
    const auto path = QString::fromLatin1(portalPath);
    const auto settings = QString::fromLatin1(portalSettings);
    bus.connect(service, path, settings, QStringLiteral("SettingChanged"), this,
                SLOT(desktopChanged(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(service, path, settings, QStringLiteral("Read"));
    read << QString::fromLatin1(appearance) << QString::fromLatin1(scheme);
    auto *watcher = new QDBusPendingCallWatcher(bus.asyncCall(read, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher *call) {
        const QDBusPendingReply<QDBusVariant> reply = *call;
        if (reply.isValid())
            desktopChanged(QString::fromLatin1(appearance), QString::fromLatin1(scheme), reply.value());
        call->deleteLater();
    });
}

void Theme::desktopChanged(const QString &group, const QString &key, const QDBusVariant &value)
{
    if (group != QLatin1String(appearance) || key != QLatin1String(scheme)) return;
    QVariant found = value.variant();
    if (found.canConvert<QDBusVariant>()) found = found.value<QDBusVariant>().variant();  // Read wraps it twice
    const uint preference = found.toUInt();                                               // 0 none, 1 dark, 2 light
    if (preference == 0 || (preference == 1) == m_desktopDark) return;
    m_desktopDark = preference == 1;
    if (m_mode == Mode::system) apply();
}

}  // namespace rankdeck::ui
