// SPDX-License-Identifier: GPL-3.0-or-later
// The content of the lanes as plain values, made from a snapshot. There is a row per rank (grouped by node), a column
// per set (oldest first), and a sign per cell. Also groups sets that are too close to each other at the current zoom.
// Pure.
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
    int block = 0;  // index into LaneData::blocks
    RankStatus status = RankStatus::runs;
    std::optional<qint64> position = {};
    std::optional<double> loss = {};
    std::optional<WallTime> heard = {};
    bool hangs = false;  // suspected cause of a stall
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
    bool ghost = false;  // its branch was discarded by a resume
    bool pruned = false;
    bool newestValid = false;
    std::vector<Glyph> cells = {};  // by row; none: unknown
    std::size_t set = 0;            // index in the snapshot's report
    bool operator==(const LaneColumn &) const = default;
};

struct Seam {  // start of an attempt
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
    bool lostAlready = false;  // the work after the newest VALID set is already lost, by a death or a NaN

    [[nodiscard]] int columnOf(const QString &setId) const;  // -1: none
    [[nodiscard]] int rowOf(int rank) const;                 // -1: none
    [[nodiscard]] const CheckpointSet &setOf(int column) const;
    [[nodiscard]] const MemberVerdict *memberAt(int column, int row) const;  // nullptr: none
};
[[nodiscard]] LaneData lanesOf(std::shared_ptr<const Snapshot> snapshot);

[[nodiscard]] int severity(Verdict verdict);   // 0: VALID
[[nodiscard]] int severity(Glyph memberSign);  // 0: nothing to report
[[nodiscard]] bool isException(Glyph memberSign);
[[nodiscard]] bool isTrouble(Verdict verdict);  // a set that the user should know about
// The attempt whose curve at this position was not discarded; -1: none.
[[nodiscard]] int attemptAt(const std::vector<AttemptInfo> &attempts, double position);

// The x of each column in the axis' pixels. Ghosts move sideways if they would hide a current set.
[[nodiscard]] std::vector<int> columnPixels(const LaneData &lanes, const StepAxis &axis);

struct ColumnGroup {  // one column, or several that are too close to distinguish
    int first = 0, last = 0;
    int worst = 0;  // the column whose verdict is shown
    int x = 0;
    int count = 1;
};
// Groups of the visible columns. The newest VALID set always has its own group, at its exact pixel.
[[nodiscard]] std::vector<ColumnGroup> columnGroups(const LaneData &lanes, const StepAxis &axis);
// The worst sign of a row within a group.
[[nodiscard]] Glyph signIn(const LaneData &lanes, const ColumnGroup &group, std::size_t row);

}  // namespace rankdeck::ui
