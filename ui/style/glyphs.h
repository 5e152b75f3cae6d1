// SPDX-License-Identifier: GPL-3.0-or-later
// The glyphs of the window: verdicts, checkpoint states and kinds, nodes, ranks, findings, events. Painted from paths
// in theme colours; each one is recognizable by its shape alone. glyph() caches by glyph, size, device pixel ratio and
// theme.
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/node/node.h"
#include "core/node/protocol/messages.h"
#include "core/parse/lines/sample.h"
#include "core/recover/actions.h"
#include "core/verdict/verdict.h"
#include "ui/style/theme.h"

#include <QIcon>
#include <QPixmap>

class QPainter;

namespace rankdeck::ui {

enum class Glyph {
    // clang-format off
    none,
    // verdicts of a set
    valid, validUnproven, inProgress, incomplete, inconsistent, corrupt, unknown,
    // checkpoint of one rank
    ok, okNewest, replica, saving, missing, shortFile, mismatch, torn, unreadable, unread, pruned,
    // nodes
    queued, connecting, needsYou, live, stale, lost, refused, unsupported,
    // ranks
    waits, died, exited,
    // preflight
    check, warns, refuses,
    // actions, events
    armed, play, stop, nan, error, fault, arrow, note, saved, flag,
    // clang-format on
};
constexpr int glyphCount = static_cast<int>(Glyph::flag) + 1;

[[nodiscard]] Glyph verdictGlyph(Verdict verdict);
// newestValid: the member belongs to the newest VALID set. A missing member with a path is the file of a dead writer.
[[nodiscard]] Glyph memberGlyph(const MemberVerdict &member, bool newestValid);
[[nodiscard]] Glyph nodeGlyph(NodeState state);
[[nodiscard]] Glyph findingGlyph(Finding::Result result);
[[nodiscard]] Glyph eventGlyph(EventKind kind);
[[nodiscard]] Theme::Role glyphRole(Glyph glyph);

// Fills the square box; sharp at any size from 8 px.
void paintGlyph(QPainter &painter, Glyph glyph, const QRectF &box, const Theme &theme);
// The bar for a checkpoint kind, as wide as the box: below, broken below, or above it. No bar for periodic and other.
void paintKindMark(QPainter &painter, CheckpointKind kind, const QRectF &box, const Theme &theme);
[[nodiscard]] QString kindLetter(CheckpointKind kind);  // "G", "B", "T" or empty

// sizePx in logical pixels.
[[nodiscard]] QPixmap glyph(Glyph which, int sizePx, const Theme &theme, qreal dpr);
// For buttons, actions and models: follows the theme and any size; pale if disabled. The theme must outlive it.
[[nodiscard]] QIcon glyphIcon(Glyph which, const Theme &theme);

}  // namespace rankdeck::ui
