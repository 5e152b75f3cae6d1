// SPDX-License-Identifier: GPL-3.0-or-later
// Reader of a checkpoint of several files. The readers of all parts run in lock-step, so that the set needs few round
// trips. Then the layout's own combine() judges them together. Bounded: at most maxParts parts, and steps of about 8
// MB.
#pragma once

#include "core/checkpoint/read/reader.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck {

class CompositeReader : public FormatReader {
public:
    static constexpr std::size_t maxParts = 20000;
    static constexpr std::uint32_t maxWholeBytes = 16u << 20;

    CompositeReader(const FileEntry &whole, const std::vector<FileEntry> &parts, EvidenceLevel wanted, Format format);
    ReadStep advance(const ReadReplies &replies) final;
    [[nodiscard]] Evidence evidence() const final { return m_evidence; }

    enum class How { leave, byFormat, whole };
    struct Part {
        FileEntry file;
        std::string name = {};  // path below the checkpoint's own: "mp_rank_00/distrib_optim.pt"
        How how = How::leave;
        Evidence evidence =
            {};  // byFormat: what its reader saw. whole: level L0 and a problem when it could not be read
        std::string bytes = {};   // whole: its content, at most maxWholeBytes
        bool isLeftover = false;  // left by another save and never loaded; set by the reader before it concludes
    };

protected:
    // Chooses how to read this part; called once for each, before anything is read.
    virtual How plan(const Part &part) = 0;
    // Reader of a part with How::byFormat.
    virtual std::unique_ptr<FormatReader> readerOf(const Part &part);
    // Called after all parts were read: first with no replies, then with the replies to its own requests, until it
    // makes no more requests.
    virtual ReadStep combine(const ReadReplies &replies) = 0;

    [[nodiscard]] const Part *find(std::string_view name) const;
    // Takes over the problems of a part: torn → not complete, unreadable → unknown, NaN → seen. True if the part is
    // complete.
    bool takeOver(const Part &part, int rank = -1);
    struct Voice {
        const Part *part = nullptr;
        int rank = -1;
    };
    // The value of this number in most of the voices' metadata; nullopt: none has it.
    static std::optional<std::int64_t> majority(const std::vector<Voice> &voices, const std::string &key);
    // Refuses, with the code, every part whose value differs.
    void mustSay(const std::vector<Voice> &voices, const std::string &key, std::int64_t value, ReasonCode code);
    // Files of one save are written within minutes. If they are not, the set is a copy, or half of it was saved again
    // later: reported as advice.
    void compareTimes(std::vector<const Part *> parts);
    // Either each rank has its own piece, or every piece is held by the same number of ranks. Otherwise one of them is
    // a copy.
    void compareRanks(const std::string &what, const std::map<int, const Part *> &row);
    void refuse(ReasonCode code, Message text, int rank = -1);   // the checkpoint is then not complete
    void problem(ReasonCode code, Message text, int rank = -1);  // does not affect completeness
    // True if the maximum number of problems is reached: no need to look for more.
    [[nodiscard]] bool full() const;
    // Sets complete and level if nothing was refused, and collects the tensors of all parts.
    void conclude();

    EvidenceLevel m_wanted;
    Evidence m_evidence;
    std::vector<Part> m_parts;

private:
    struct Child {
        std::size_t part = 0;
        std::unique_ptr<FormatReader> reader = {};  // nullptr: read as a whole
        ReadStep step = {};
        ReadReplies replies = {};
        bool over = false;
    };
    void begin();
    void compareDays();
    void compareNames();
    void takeStates();
    void distribute(const ReadReplies &replies);
    void feed(Child &child);
    ReadStep gather();
    ReadStep counted(ReadStep step);

    enum class Phase { begin, parts, combine, done };
    Phase m_phase = Phase::begin;
    std::vector<Child> m_children;
    std::vector<std::size_t> m_asked;  // children with open requests, in order
    bool m_unknown = false;            // a part could not be read
};

}  // namespace rankdeck
