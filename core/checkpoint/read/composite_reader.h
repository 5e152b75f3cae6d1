// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a checkpoint of several files: the readers of all parts run in lock-step, so that the set costs few round trips;
// then the layout's own combine() says what they are together. Bounded: at most maxParts parts, and steps of about 8 MB.
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
        std::string bytes = {};   // whole: its content, of at most maxWholeBytes
        bool isLeftover = false;  // of another save, and loaded by nobody: said by the reader before it concludes
    };

protected:
    // How to read this part; asked once for each, before anything is read.
    virtual How plan(const Part &part) = 0;
    // For a part that is read byFormat.
    virtual std::unique_ptr<FormatReader> readerOf(const Part &part);
    // After all parts were read; first with no replies, then with those to what it asked for, until it asks for nothing.
    virtual ReadStep combine(const ReadReplies &replies) = 0;

    [[nodiscard]] const Part *find(std::string_view name) const;
    // Takes over what is wrong with a part itself: torn → not complete, unreadable → not known, NaN → seen. True when
    // the part is whole.
    bool takeOver(const Part &part, int rank = -1);
    struct Voice {
        const Part *part = nullptr;
        int rank = -1;
    };
    // What most of them say of a number in their meta; nullopt: none says anything.
    static std::optional<std::int64_t> majority(const std::vector<Voice> &voices, const std::string &key);
    // Refuses with the code every one that says something else than the value.
    void mustSay(const std::vector<Voice> &voices, const std::string &key, std::int64_t value, ReasonCode code);
    // Files of one save are written within minutes of each other. When they were not, the set is a copy, or half of it was
    // saved again later: advice.
    void compareTimes(std::vector<const Part *> parts);
    // Each rank has a piece of its own, or as many hold the same as of each other piece: else one is a copy.
    void compareRanks(const std::string &what, const std::map<int, const Part *> &row);
    void refuse(ReasonCode code, std::string text, int rank = -1);   // not complete
    void problem(ReasonCode code, std::string text, int rank = -1);  // says nothing of completeness
    // As many problems as are kept: no need to look for more.
    [[nodiscard]] bool full() const;
    // complete and level, when nothing was refused; the tensors of all parts.
    void conclude();

    EvidenceLevel m_wanted;
    Evidence m_evidence;
    std::vector<Part> m_parts;

private:
    struct Child {
        std::size_t part = 0;
        std::unique_ptr<FormatReader> reader = {};  // nullptr: read whole
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
    std::vector<std::size_t> m_asked;  // children whose requests are under way, in order
    bool m_unknown = false;            // a part could not be read
};

}  // namespace rankdeck
