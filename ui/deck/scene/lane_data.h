// SPDX-License-Identifier: GPL-3.0-or-later
// What the lanes show, as plain values made from a snapshot: a row per rank (grouped by node), a column per set (oldest
// first), a sign per cell; and which sets share a pixel neighbourhood at the present zoom. Pure.
#pragma once

#include "ui/style/glyphs.h"

#include "core/engine.h"

#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck::ui {

class StepAxis;

enum class RankStatus { notStarted, runs, waits, died, exited, ended, noNews };

struct LaneRow {
    int rank = 0;
    int block = 0;  // of LaneData::blocks
    RankStatus status = RankStatus::runs;
    std::optional<qint64> position = {};
    std::optional<double> loss = {};
    std::optional<WallTime> heard = {};
    bool hangs = false;  // the suspect of a stall
    std::optional<WallTime> diedAt = {};
    bool operator==(const LaneRow &) const = default;
};

struct LaneBlock {  // the rows of one node
    QString node;
    NodeState state = NodeState::queued;
    int firstRow = 0, rows = 0;
    double retryInSeconds = 0;
    std::optional<WallTime> lastContact = {};
    bool armed = false;
    bool operator==(const LaneBlock &) const = default;
};

struct LaneColumn {
    QString id;
    qint64 position = 0;
    Verdict verdict = Verdict::unknown;
    CheckpointKind kind = CheckpointKind::periodic;
    bool ghost = false;  // of a branch that a resume discarded
    bool pruned = false;
    bool newestValid = false;
    std::vector<Glyph> cells = {};  // by row; none: nothing is known of it
    std::size_t set = 0;            // in the snapshot's report
    bool operator==(const LaneColumn &) const = default;
};

struct Seam {  // where an attempt began
    int attempt = 0;
    qint64 position = 0;
    std::optional<qint64> resumedFrom = {};
    bool operator==(const Seam &) const = default;
};

struct LaneData {
    std::shared_ptr<const Snapshot> snapshot = {};
    std::vector<LaneRow> rows = {};
    std::vector<LaneBlock> blocks = {};
    std::vector<LaneColumn> columns = {};
    std::vector<Seam> seams = {};
    int newestValid = -1;             // column
    std::optional<qint64> last = {};  // newest step of the current attempt
    qint64 first = 0;
    bool lostAlready = false;  // what lies behind the newest VALID set: by a death or a NaN, not only if it dies now

    [[nodiscard]] int columnOf(const QString &setId) const;  // -1: none
    [[nodiscard]] int rowOf(int rank) const;                 // -1: none
    [[nodiscard]] const CheckpointSet &setOf(int column) const;
    [[nodiscard]] const MemberVerdict *memberAt(int column, int row) const;  // nullptr: none
};
[[nodiscard]] LaneData lanesOf(std::shared_ptr<const Snapshot> snapshot);

[[nodiscard]] int severity(Verdict verdict);   // 0: VALID
[[nodiscard]] int severity(Glyph memberSign);  // 0: nothing to see
[[nodiscard]] bool isException(Glyph memberSign);
[[nodiscard]] bool isTrouble(Verdict verdict);  // a set that a person should know of
// The attempt whose curve counts at a position; -1: none.
[[nodiscard]] int attemptAt(const std::vector<AttemptInfo> &attempts, double position);

// The x of each column, ghosts moved aside when they would hide a living set. In the axis' pixels.
[[nodiscard]] std::vector<int> columnPixels(const LaneData &lanes, const StepAxis &axis);

struct ColumnGroup {  // columns that stand too close to be told apart, or one
    int first = 0, last = 0;
    int worst = 0;  // the column whose verdict it shows
    int x = 0;
    int count = 1;
};
// Of those in sight. The newest VALID set always stands alone and at its own pixel.
[[nodiscard]] std::vector<ColumnGroup> columnGroups(const LaneData &lanes, const StepAxis &axis);
// The worst sign a row has in a group.
[[nodiscard]] Glyph signIn(const LaneData &lanes, const ColumnGroup &group, std::size_t row);

}  // namespace rankdeck::ui
