// SPDX-License-Identifier: GPL-3.0-or-later
// Table of reason codes: what each says about a checkpoint, and the section of docs/checkpoints.md that explains it.
// The codes are part of the JSON output and must stay. A code that is missing in the table does not compile.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace rankdeck {

// Effect of a code on the verdict of a set whose reader reported it.
enum class Means { corrupt, inconsistent, incomplete, unknown, unproven, advice };

// The five laws of docs/checkpoints.md. Stated: evidence shows why each part is in its place. Whole: a save has
// everything that other saves have. Equal: the parts of one save agree. Lawful: values change as training changes them.
// Unique: no two saves have the same values.
enum class Law { stated, whole, equal, lawful, unique };

struct ReasonRow {
    std::string_view word;
    Means means;
    Law law;
    std::string_view section;
};

// In the order in which the reasons of one set are shown, up to "not_read"; later ones follow in the order of
// detection.
// clang-format off
inline constexpr auto reasonRows = std::to_array<ReasonRow>({
    {"commit_missing", Means::incomplete, Law::whole, "Missing"},
    {"shard_missing", Means::incomplete, Law::whole, "Missing"},
    {"optim_missing", Means::incomplete, Law::whole, "Missing"},
    {"weights_missing", Means::incomplete, Law::whole, "Missing"},
    {"commit_stale", Means::inconsistent, Law::equal, "Not of one piece"},
    {"torn", Means::corrupt, Law::whole, "Damaged"},
    {"zero_tail", Means::corrupt, Law::whole, "Damaged"},
    {"crc_bad", Means::corrupt, Law::whole, "Damaged"},
    {"not_a_checkpoint", Means::corrupt, Law::whole, "Damaged"},
    {"nan_weights", Means::corrupt, Law::lawful, "Damaged"},
    {"structure_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"layers_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"step_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"epoch_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"rank_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"world_size_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"degrees_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"index_mismatch", Means::inconsistent, Law::whole, "Not of one piece"},
    {"attempt_mixed", Means::inconsistent, Law::equal, "Not of one piece"},
    {"run_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"replica_mismatch", Means::inconsistent, Law::equal, "Not of one piece"},
    {"path_refused", Means::corrupt, Law::stated, "Damaged"},
    {"tracker_conflict", Means::unproven, Law::stated, "Trackers"},
    {"temp_file", Means::incomplete, Law::whole, "Being written"},
    {"still_growing", Means::unknown, Law::whole, "Being written"},
    {"rank_missing", Means::incomplete, Law::whole, "Missing"},
    {"pruned", Means::incomplete, Law::whole, "Missing"},
    {"replica_missing", Means::incomplete, Law::whole, "Missing"},
    {"not_listed", Means::unknown, Law::stated, "Not shown"},
    {"unreadable", Means::unknown, Law::stated, "Not shown"},
    {"encrypted", Means::unknown, Law::stated, "Not shown"},
    {"not_read", Means::unknown, Law::stated, "Not shown"},
    {"unhealthy", Means::unproven, Law::lawful, "Good to know"},
    {"two_files", Means::unproven, Law::stated, "Not of one piece"},
    {"rank_unproven", Means::unproven, Law::stated, "Not shown"},
    {"world_counted", Means::advice, Law::stated, "Not shown"},
    {"zero_weights", Means::unproven, Law::lawful, "Damaged"},
    {"loss_scale_zero", Means::advice, Law::lawful, "Good to know"},
    {"other_run", Means::advice, Law::stated, "Good to know"},
    {"replica_used", Means::advice, Law::whole, "Missing"},
    {"no_rng", Means::advice, Law::whole, "Missing"},
    {"no_scheduler", Means::advice, Law::whole, "Missing"},
    {"size_mismatch", Means::corrupt, Law::whole, "Damaged"},
    {"zero_region", Means::unproven, Law::whole, "Damaged"},
    {"structure_unproven", Means::unproven, Law::equal, "Not of one piece"},
    {"replica_differs", Means::advice, Law::equal, "Not of one piece"},
    {"commit_unproven", Means::unproven, Law::whole, "Not of one piece"},
    {"metadata_per_rank", Means::unknown, Law::stated, "Not of one piece"},
    {"times_apart", Means::unproven, Law::lawful, "Not of one piece"},
    {"mark_older", Means::unproven, Law::lawful, "Not of one piece"},
    {"values_repeated", Means::unproven, Law::unique, "Not of one piece"},
    {"values_apart", Means::unproven, Law::equal, "Not of one piece"},
    {"part_missing", Means::unproven, Law::whole, "Missing"},
    {"index_total", Means::advice, Law::whole, "Not of one piece"},
    {"leftover", Means::advice, Law::whole, "Not of one piece"},
    {"step_unproven", Means::unproven, Law::stated, "Not shown"},
    {"content_unproven", Means::unproven, Law::stated, "Not shown"},
    {"one_file", Means::unproven, Law::stated, "Not shown"},
    {"weights_only", Means::unproven, Law::whole, "Not shown"},
    {"unmatched_name", Means::unproven, Law::stated, "Not shown"},
    {"unreachable", Means::unknown, Law::stated, "Not shown"},
    {"unknown_format", Means::unknown, Law::stated, "Not shown"},
    {"too_many_parts", Means::unknown, Law::stated, "Not shown"},
    {"too_many_records", Means::unknown, Law::stated, "Not shown"},
    {"too_large", Means::unknown, Law::stated, "Not shown"},
    {"header_too_large", Means::unknown, Law::stated, "Not shown"},
    {"directory_too_large", Means::unknown, Law::stated, "Not shown"},
    {"pickle_too_large", Means::unknown, Law::stated, "Not shown"},
    {"metadata_too_large", Means::unknown, Law::stated, "Not shown"},
    {"dangerous_pickle", Means::unproven, Law::stated, "Good to know"},
    {"needs_python", Means::advice, Law::stated, "Good to know"},
    {"global_step_scalar", Means::advice, Law::equal, "Good to know"},
    {"optimizer_anew", Means::advice, Law::whole, "Good to know"},
    {"crc_off", Means::advice, Law::stated, "Good to know"},
    {"loss_not_finite", Means::advice, Law::lawful, "Good to know"},
    {"loss_jump", Means::advice, Law::lawful, "Good to know"},
    {"future_time", Means::advice, Law::lawful, "Good to know"},
    {"tracker_empty", Means::advice, Law::stated, "Trackers"},
    {"tracker_corrupt", Means::advice, Law::stated, "Trackers"},
    {"tracker_target_missing", Means::advice, Law::stated, "Trackers"},
    {"tracker_not_valid", Means::advice, Law::stated, "Trackers"},
    {"tracker_behind", Means::advice, Law::stated, "Trackers"},
    {"tracker_tolerated", Means::advice, Law::stated, "Trackers"},
    {"tracker_absent", Means::advice, Law::stated, "Trackers"},
    {"tracker_unreadable", Means::advice, Law::stated, "Trackers"},
});
// clang-format on

class ReasonCode {
public:
    consteval ReasonCode(const char *word) : m_row(indexOf(word)) {}
    // Code of a stored report; nullopt: a code of another version.
    static constexpr std::optional<ReasonCode> find(std::string_view word)
    {
        for (std::size_t i = 0; i < reasonRows.size(); ++i)
            if (reasonRows[i].word == word) return ReasonCode(i);
        return std::nullopt;
    }
    [[nodiscard]] constexpr const ReasonRow &row() const { return reasonRows[m_row]; }
    [[nodiscard]] std::string word() const { return std::string(row().word); }
    [[nodiscard]] constexpr Means means() const { return row().means; }
    [[nodiscard]] constexpr std::string_view law() const
    {
        constexpr std::array<std::string_view, 5> names{"stated", "whole", "equal", "lawful", "unique"};
        return names[static_cast<std::size_t>(row().law)];
    }
    // Lower numbers are reported first. All codes without an explicit order share one number.
    [[nodiscard]] constexpr std::size_t order() const
    {
        return m_row <= indexOf("not_read") ? m_row : reasonRows.size();
    }

    friend constexpr bool operator==(ReasonCode, ReasonCode) = default;
    // A literal becomes a code at compile time; only a run-time text is compared as text.
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
