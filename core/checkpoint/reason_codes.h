// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of reason codes: what each says of a checkpoint, and the section of docs/checkpoints.md that explains it.
// The words are a contract with everyone who reads the JSON. A word that is not in the table does not compile.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// What a code means for the verdict of a set whose reader told it.
enum class Means { corrupt, inconsistent, incomplete, unknown, unproven, advice };

struct ReasonRow {
    std::string_view word;
    Means means;
    std::string_view section;
};

// In the order in which the reasons of one set are told, up to "not_read"; those behind it follow as they were found.
// clang-format off
inline constexpr auto reasonRows = std::to_array<ReasonRow>({
    {"commit_missing", Means::incomplete, "Missing"},
    {"shard_missing", Means::incomplete, "Missing"},
    {"optim_missing", Means::incomplete, "Missing"},
    {"weights_missing", Means::incomplete, "Missing"},
    {"commit_stale", Means::inconsistent, "Not of one piece"},
    {"torn", Means::corrupt, "Damaged"},
    {"zero_tail", Means::corrupt, "Damaged"},
    {"crc_bad", Means::corrupt, "Damaged"},
    {"not_a_checkpoint", Means::corrupt, "Damaged"},
    {"nan_weights", Means::corrupt, "Damaged"},
    {"structure_mismatch", Means::inconsistent, "Not of one piece"},
    {"layers_mismatch", Means::inconsistent, "Not of one piece"},
    {"step_mismatch", Means::inconsistent, "Not of one piece"},
    {"epoch_mismatch", Means::inconsistent, "Not of one piece"},
    {"rank_mismatch", Means::inconsistent, "Not of one piece"},
    {"world_size_mismatch", Means::inconsistent, "Not of one piece"},
    {"degrees_mismatch", Means::inconsistent, "Not of one piece"},
    {"index_mismatch", Means::inconsistent, "Not of one piece"},
    {"attempt_mixed", Means::inconsistent, "Not of one piece"},
    {"run_mismatch", Means::inconsistent, "Not of one piece"},
    {"replica_mismatch", Means::inconsistent, "Not of one piece"},
    {"path_refused", Means::corrupt, "Damaged"},
    {"tracker_conflict", Means::unproven, "Trackers"},
    {"temp_file", Means::incomplete, "Being written"},
    {"still_growing", Means::unknown, "Being written"},
    {"rank_missing", Means::incomplete, "Missing"},
    {"pruned", Means::incomplete, "Missing"},
    {"replica_missing", Means::incomplete, "Missing"},
    {"not_listed", Means::unknown, "Not shown"},
    {"unreadable", Means::unknown, "Not shown"},
    {"encrypted", Means::unknown, "Not shown"},
    {"not_read", Means::unknown, "Not shown"},
    {"unhealthy", Means::unproven, "Good to know"},
    {"two_files", Means::unproven, "Not of one piece"},
    {"rank_unproven", Means::unproven, "Not shown"},
    {"world_counted", Means::advice, "Not shown"},
    {"zero_weights", Means::unproven, "Damaged"},
    {"loss_scale_zero", Means::advice, "Good to know"},
    {"other_run", Means::advice, "Good to know"},
    {"replica_used", Means::advice, "Missing"},
    {"no_rng", Means::advice, "Missing"},
    {"no_scheduler", Means::advice, "Missing"},
    {"size_mismatch", Means::corrupt, "Damaged"},
    {"zero_region", Means::unproven, "Damaged"},
    {"structure_unproven", Means::unproven, "Not of one piece"},
    {"replica_differs", Means::advice, "Not of one piece"},
    {"commit_unproven", Means::unproven, "Not of one piece"},
    {"metadata_per_rank", Means::unknown, "Not of one piece"},
    {"times_apart", Means::unproven, "Not of one piece"},
    {"mark_older", Means::unproven, "Not of one piece"},
    {"values_repeated", Means::unproven, "Not of one piece"},
    {"values_apart", Means::unproven, "Not of one piece"},
    {"part_missing", Means::unproven, "Missing"},
    {"index_total", Means::advice, "Not of one piece"},
    {"leftover", Means::advice, "Not of one piece"},
    {"step_unproven", Means::unproven, "Not shown"},
    {"content_unproven", Means::unproven, "Not shown"},
    {"one_file", Means::unproven, "Not shown"},
    {"weights_only", Means::unproven, "Not shown"},
    {"unmatched_name", Means::unproven, "Not shown"},
    {"unreachable", Means::unknown, "Not shown"},
    {"unknown_format", Means::unknown, "Not shown"},
    {"too_many_parts", Means::unknown, "Not shown"},
    {"too_many_records", Means::unknown, "Not shown"},
    {"too_large", Means::unknown, "Not shown"},
    {"header_too_large", Means::unknown, "Not shown"},
    {"directory_too_large", Means::unknown, "Not shown"},
    {"pickle_too_large", Means::unknown, "Not shown"},
    {"metadata_too_large", Means::unknown, "Not shown"},
    {"dangerous_pickle", Means::unproven, "Good to know"},
    {"needs_python", Means::advice, "Good to know"},
    {"global_step_scalar", Means::advice, "Good to know"},
    {"optimizer_anew", Means::advice, "Good to know"},
    {"crc_off", Means::advice, "Good to know"},
    {"loss_not_finite", Means::advice, "Good to know"},
    {"loss_jump", Means::advice, "Good to know"},
    {"future_time", Means::advice, "Good to know"},
    {"tracker_empty", Means::advice, "Trackers"},
    {"tracker_corrupt", Means::advice, "Trackers"},
    {"tracker_target_missing", Means::advice, "Trackers"},
    {"tracker_not_valid", Means::advice, "Trackers"},
    {"tracker_behind", Means::advice, "Trackers"},
    {"tracker_tolerated", Means::advice, "Trackers"},
    {"tracker_absent", Means::advice, "Trackers"},
    {"tracker_unreadable", Means::advice, "Trackers"},
});
// clang-format on

class ReasonCode {
public:
    consteval ReasonCode(const char *word) : m_row(indexOf(word)) {}
    // Of a report that was kept; nullopt: a word of another version.
    static constexpr std::optional<ReasonCode> find(std::string_view word)
    {
        for (std::size_t i = 0; i < reasonRows.size(); ++i)
            if (reasonRows[i].word == word) return ReasonCode(i);
        return std::nullopt;
    }
    [[nodiscard]] constexpr const ReasonRow &row() const { return reasonRows[m_row]; }
    [[nodiscard]] std::string word() const { return std::string(row().word); }
    [[nodiscard]] constexpr Means means() const { return row().means; }
    // Lower is told first; the same for all that have no order of their own.
    [[nodiscard]] constexpr std::size_t order() const
    {
        return m_row <= indexOf("not_read") ? m_row : reasonRows.size();
    }

    friend constexpr bool operator==(ReasonCode, ReasonCode) = default;
    // A literal becomes a code when it is compiled; only a text that is made at run time is compared as text.
    template <std::same_as<std::string> Text>
    friend bool operator==(ReasonCode code, const Text &word)
    {
        return code.row().word == word;
    }

private:
    constexpr explicit ReasonCode(std::size_t row) : m_row(row) {}
    static constexpr std::size_t indexOf(std::string_view word)
    {
        for (std::size_t i = 0; i < reasonRows.size(); ++i)
            if (reasonRows[i].word == word) return i;
        throw "this code is not in the table of reason codes";
    }
    std::size_t m_row;
};

constexpr bool isAdvice(Means means) { return means == Means::unproven || means == Means::advice; }

}  // namespace rankdeck
