// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/glyphs.h"

#include "ui/style/glyph_paths.h"

#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>

namespace rankdeck::ui {

Glyph verdictGlyph(Verdict verdict)
{
    switch (verdict) {
    case Verdict::valid: return Glyph::valid;
    case Verdict::validUnproven: return Glyph::validUnproven;
    case Verdict::inProgress: return Glyph::inProgress;
    case Verdict::incomplete: return Glyph::incomplete;
    case Verdict::inconsistent: return Glyph::inconsistent;
    case Verdict::corrupt: return Glyph::corrupt;
    case Verdict::unknown: break;
    }
    return Glyph::unknown;
}

Glyph memberGlyph(const MemberVerdict &member, bool newestValid)
{
    switch (member.state) {
    case MemberState::ok: return newestValid ? Glyph::okNewest : Glyph::ok;
    case MemberState::missing: return member.path.empty() ? Glyph::missing : Glyph::shortFile;
    case MemberState::inProgress: return Glyph::saving;
    case MemberState::torn: return Glyph::torn;
    case MemberState::mismatch: return Glyph::mismatch;
    case MemberState::unreadable: return Glyph::unreadable;
    case MemberState::replica: return Glyph::replica;
    case MemberState::unread: break;
    }
    return member.note == notListedNote ? Glyph::unreadable : Glyph::unread;
}

Glyph nodeGlyph(NodeState state)
{
    switch (state) {
    case NodeState::queued: return Glyph::queued;
    case NodeState::connecting: return Glyph::connecting;
    case NodeState::needsYou: return Glyph::needsYou;
    case NodeState::live: return Glyph::live;
    case NodeState::stale: return Glyph::stale;
    case NodeState::lost: return Glyph::lost;
    case NodeState::refused: return Glyph::refused;
    case NodeState::unsupported: break;
    }
    return Glyph::unsupported;
}

Glyph findingGlyph(Finding::Result result)
{
    if (result == Finding::Result::ok) return Glyph::check;
    return result == Finding::Result::warn ? Glyph::warns : Glyph::refuses;
}

Glyph eventGlyph(EventKind kind)
{
    switch (kind) {
    case EventKind::error: return Glyph::error;
    case EventKind::warning: return Glyph::warns;
    case EventKind::nan: return Glyph::nan;
    case EventKind::gracefulExit: return Glyph::exited;
    case EventKind::resumed: return Glyph::play;
    case EventKind::uce:
    case EventKind::hcce:
    case EventKind::ttp: return Glyph::fault;
    case EventKind::repaired: return Glyph::check;
    case EventKind::epochTime:
    case EventKind::waits: return Glyph::note;
    case EventKind::started: return Glyph::arrow;
    case EventKind::rankDied: return Glyph::died;
    case EventKind::saved: return Glyph::saved;
    case EventKind::alarm: return Glyph::warns;
    case EventKind::setJudged: return Glyph::validUnproven;
    case EventKind::nodeChanged: return Glyph::queued;
    case EventKind::attemptStarted: return Glyph::play;
    case EventKind::action: break;
    }
    return Glyph::flag;
}

Theme::Role glyphRole(Glyph glyph)
{
    using Colour = Theme::Role;
    switch (glyph) {
    case Glyph::valid:
    case Glyph::validUnproven:
    case Glyph::okNewest:
    case Glyph::replica:
    case Glyph::live:
    case Glyph::check:
    case Glyph::saved: return Colour::complete;
    case Glyph::inProgress:
    case Glyph::saving:
    case Glyph::connecting: return Colour::writing;
    case Glyph::incomplete:
    case Glyph::shortFile:
    case Glyph::stale:
    case Glyph::warns: return Colour::partial;
    case Glyph::inconsistent:
    case Glyph::corrupt:
    case Glyph::mismatch:
    case Glyph::torn:
    case Glyph::lost:
    case Glyph::refused:
    case Glyph::died:
    case Glyph::refuses:
    case Glyph::nan:
    case Glyph::error:
    case Glyph::fault: return Colour::corrupt;
    case Glyph::ok: return Colour::okQuiet;
    case Glyph::needsYou: return Colour::accent;
    case Glyph::armed: return Colour::armedAmber;
    case Glyph::waits:
    case Glyph::exited: return Colour::text2;
    case Glyph::play:
    case Glyph::stop:
    case Glyph::arrow:
    case Glyph::flag: return Colour::text;
    case Glyph::none:
    case Glyph::unknown:
    case Glyph::missing:
    case Glyph::unreadable:
    case Glyph::unread:
    case Glyph::pruned:
    case Glyph::queued:
    case Glyph::unsupported:
    case Glyph::note: break;
    }
    return Colour::missing;
}

QString kindLetter(CheckpointKind kind)
{
    switch (kind) {
    case CheckpointKind::graceful: return QStringLiteral("G");
    case CheckpointKind::breakpoint: return QStringLiteral("B");
    case CheckpointKind::ttp: return QStringLiteral("T");
    case CheckpointKind::periodic:
    case CheckpointKind::other: break;
    }
    return {};
}

void paintGlyph(QPainter &painter, Glyph glyph, const QRectF &box, const Theme &theme)
{
    if (glyph == Glyph::none) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.center());
    painter.scale(box.width() / 16, box.height() / 16);
    const GlyphPaths paths = glyphPaths(glyph);
    const Theme::Role role = glyphRole(glyph);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(role));
    painter.drawPath(paths.body);
    const bool onArmed = glyph == Glyph::armed;
    painter.setBrush(onArmed ? theme.color(Theme::Role::armedBlack) : theme.inkOn(role));
    painter.drawPath(paths.ink);
    painter.restore();
}

void paintKindMark(QPainter &painter, CheckpointKind kind, const QRectF &box, const Theme &theme)
{
    if (kind == CheckpointKind::periodic || kind == CheckpointKind::other) return;
    const qreal thick = box.height() >= 12 ? 2 : 1;
    const qreal y = kind == CheckpointKind::ttp ? box.top() : box.bottom() - thick;
    const QColor color = theme.color(Theme::Role::complete);
    const QRectF bar(box.left() + 2, y, box.width() - 4, thick);
    if (kind != CheckpointKind::breakpoint) {
        painter.fillRect(bar, color);
        return;
    }
    const qreal part = (bar.width() - 2) / 2;
    painter.fillRect(QRectF(bar.left(), y, part, thick), color);
    painter.fillRect(QRectF(bar.right() - part, y, part, thick), color);
}

QPixmap glyph(Glyph which, int sizePx, const Theme &theme, qreal dpr)
{
    const QString key = QStringLiteral("rankdeck-glyph-%1-%2-%3-%4")
                            .arg(static_cast<int>(which))
                            .arg(sizePx)
                            .arg(dpr)
                            .arg(theme.dark() ? 1 : 0);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    const int pixels = qMax(1, qRound(sizePx * dpr));
    pixmap = QPixmap(pixels, pixels);
    pixmap.setDevicePixelRatio(dpr);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paintGlyph(painter, which, QRectF(0, 0, pixels / dpr, pixels / dpr), theme);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

namespace {

class GlyphIconEngine : public QIconEngine {
public:
    GlyphIconEngine(Glyph which, const Theme &theme) : m_glyph(which), m_theme(theme) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const int side = qMin(rect.width(), rect.height());
        QRectF box(0, 0, side, side);
        box.moveCenter(QRectF(rect).center());
        painter->save();
        if (mode == QIcon::Disabled) painter->setOpacity(painter->opacity() * 0.45);
        paintGlyph(*painter, m_glyph, box, m_theme);
        painter->restore();
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine *clone() const override { return new GlyphIconEngine(m_glyph, m_theme); }

private:
    Glyph m_glyph;
    const Theme &m_theme;
};

}  // namespace

QIcon glyphIcon(Glyph which, const Theme &theme) { return QIcon(new GlyphIconEngine(which, theme)); }

}  // namespace rankdeck::ui
