// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/inventory/names_and_ranks.h"

#include "core/base/text.h"
#include "core/checkpoint/name_words.h"

namespace rankdeck {

void takeStepOfFolder(const std::string &path, const std::string &root, const RankLocator &locator, ParsedName &name)
{
    if (name.kind != CheckpointKind::other || name.epoch || name.globalStep || name.sharedByRanks) return;
    std::optional<ParsedName> guess;
    for (std::string at = dirName(path); at.size() > root.size(); at = dirName(at)) {
        const std::string folder = locator.nameWithoutRank(at);
        if (const auto point = pointOfFolder(folder)) {
            name.epoch = point->epoch;
            name.globalStep = point->globalStep;
            return;
        }
        ParsedName own = numberedName(folder);
        const bool ofRank = folder.empty() || (folder == baseName(at) && locator.rankOfDirectory(at, root));
        if (!guess && own.globalStep && !own.stepIsGuess && !own.temporary && !ofRank) guess = std::move(own);
    }
    if (!guess) return;
    name.globalStep = guess->globalStep;
    name.stepIsGuess = true;
}

std::map<std::string, FileRank> ranksOfComposites(const std::vector<Composite> &composites, const Listing &listing,
                                                  const RankLocator &locator)
{
    std::vector<RankCandidate> candidates;
    for (const Composite &one : composites)
        if (one.mayBeOfRank && !one.directory && !one.name.rank &&
            locator.locate(one.parts.front().path, listing.root, one.name).rank < 0)
            candidates.push_back({&one.whole});
    return findFileRanks(candidates);
}

void takeRankFromName(Composite &found, const FileRank &rank, const std::string &root)
{
    const std::int64_t number = found.name.globalStep.value_or(found.name.epoch.value_or(-1));
    for (const std::string_view own : numbersIn(rank.base))
        if (decimal(own) == number) return;
    found.name.epoch.reset();
    found.name.globalStep.reset();
    found.name.stepIsGuess = false;
    takeSaveFolder(dirName(found.whole.path), root, found.name);
}

}  // namespace rankdeck
