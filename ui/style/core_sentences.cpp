// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/core_sentences.h"

#include "ui/style/format.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include <utility>
#include <vector>

namespace rankdeck::ui {

namespace {

// More specific sentences first. A part may itself be a sentence of this list, or the name of a verdict.
// clang-format off
constexpr const char *rows[] = {
    QT_TRANSLATE_NOOP("CoreSentences", "Step %1: %2, %3"),
    QT_TRANSLATE_NOOP("CoreSentences", "Set %1: %2, %3"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 of %2 files complete, same step"),
    QT_TRANSLATE_NOOP("CoreSentences", "1 file has not been read yet"),
    QT_TRANSLATE_NOOP("CoreSentences", "its files have not been read yet"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 files have not been read yet"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 has no file yet; the others saved at %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 has no file yet; the others saved %2 to %3"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 has no file yet"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 has no file; the others saved at %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 has no file; the others saved %2 to %3"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 no longer has a file: retention removed it"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 no longer has a file: all its files are newer"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 has no file"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 is unknown: a plan is moving its files"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 is unknown: %2 not listed since %3"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 is being saved: only %2, %3 so far"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 has only %2, %3, left by a save that never ended"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 could not be listed: %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 could not be read: %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 is still being written: %2 so far, mode 0600"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1 grows: %2 so far"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1: %2 (%3 bytes, the others have %4)"),
    QT_TRANSLATE_NOOP("CoreSentences", "rank %1: %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "NaN in the weights"),
    QT_TRANSLATE_NOOP("CoreSentences", "incomplete file"),
    QT_TRANSLATE_NOOP("CoreSentences", "cannot tell whether it is complete"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 is live"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 is stale: %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 is lost: %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 is refused: %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 is unsupported: %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "No contact for 10 s; the values shown are old."),
    QT_TRANSLATE_NOOP("CoreSentences", "No contact for %1."),
    QT_TRANSLATE_NOOP("CoreSentences", "its process ended; its log shows no reason"),
    QT_TRANSLATE_NOOP("CoreSentences", "loss is %1 at epoch %2, step %3"),
    QT_TRANSLATE_NOOP("CoreSentences", "loss is %1 at epoch %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "loss is %1 at step %2"),
    // Checks before a stop or a resume, and results of both. Texts that the window words itself are not in this list.
    QT_TRANSLATE_NOOP("CoreSentences", "expected no process of the old attempt, found %1"),
    QT_TRANSLATE_NOOP("CoreSentences", "stop the run first, or let the plan end exactly these; two attempts would write the same files"),
    QT_TRANSLATE_NOOP("CoreSentences", "the plan ends exactly these first: SIGTERM, and SIGKILL after ten seconds"),
    QT_TRANSLATE_NOOP("CoreSentences", "the old attempt's launcher or scheduler is still running: %1"),
    QT_TRANSLATE_NOOP("CoreSentences", "the plan ends it first"),
    QT_TRANSLATE_NOOP("CoreSentences", "a new attempt would truncate the logs of the old one"),
    QT_TRANSLATE_NOOP("CoreSentences", "the plan backs them up as %1"),
    QT_TRANSLATE_NOOP("CoreSentences", "a graceful exit left %1: OnRequestExit loads it over the chosen set, or crashes on its global_step"),
    QT_TRANSLATE_NOOP("CoreSentences", "the plan backs it up"),
    QT_TRANSLATE_NOOP("CoreSentences", "the plan backs them up"),
    QT_TRANSLATE_NOOP("CoreSentences", "the script loads the newest file in its own directory, an emergency checkpoint first, and %1 before the chosen one (%2)"),
    QT_TRANSLATE_NOOP("CoreSentences", "expected %1 free for the scheduler, found %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "end that process, or choose a different launch.master_port"),
    QT_TRANSLATE_NOOP("CoreSentences", "port %1 on node %2 is free"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 is VALID: one readable checkpoint for each of %2 ranks"),
    QT_TRANSLATE_NOOP("CoreSentences", "expected at least one VALID checkpoint set, found none"),
    QT_TRANSLATE_NOOP("CoreSentences", "repair or copy what is missing, or choose a VALID-UNPROVEN set and allow it"),
    QT_TRANSLATE_NOOP("CoreSentences", "expected running ranks, found no process of this job"),
    QT_TRANSLATE_NOOP("CoreSentences", "there is nothing to stop; resume starts the job again"),
    QT_TRANSLATE_NOOP("CoreSentences", "expected all %1 ranks alive, found no process of %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "a graceful stop needs every rank to agree, so it would never finish: end the others, then resume from the newest VALID set"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 wrote no step for more than %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "a rank that hangs never agrees to the stop; check its log, or be ready to escalate"),
    QT_TRANSLATE_NOOP("CoreSentences", "the flag is read when the next step begins: a step takes about %1, the next one ends in about %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "a graceful stop loses only the step in progress; a kill would lose %1 steps, %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "expected MS_ENABLE_GRACEFUL_EXIT=1 in the environment of %1, found %2: MindSpore then never reads the config, so the stop would do nothing"),
    QT_TRANSLATE_NOOP("CoreSentences", "start the job with MS_ENABLE_GRACEFUL_EXIT=1 (launch.env of the job file) next time; for now, wait for a checkpoint and kill the job"),
    QT_TRANSLATE_NOOP("CoreSentences", "the exit saves about %1 on node %2, found %3 free"),
    QT_TRANSLATE_NOOP("CoreSentences", "GracefulExit is %1 in %2 on node %3: every rank would stop after its first step"),
    QT_TRANSLATE_NOOP("CoreSentences", "the plan puts it back to 0"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 refer to the same config as the job file"),
    QT_TRANSLATE_NOOP("CoreSentences", "All %1 ranks confirmed, saved set %2 (VALID) and are gone."),
    QT_TRANSLATE_NOOP("CoreSentences", "All %1 ranks saved set %2 (VALID) and are gone."),
    QT_TRANSLATE_NOOP("CoreSentences", "All %1 ranks continue from %2."),
    QT_TRANSLATE_NOOP("CoreSentences", "global_step is a single Int64 in these files; MindSpore refuses to load them into a network with its optimizer"),
    QT_TRANSLATE_NOOP("CoreSentences", "set %1 (epoch %2, step %3)"),
    // Invalid lists of hosts.
    QT_TRANSLATE_NOOP("CoreSentences", "Expected hosts like ascend-[01-64], found %1: %2."),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 is not a range of numbers"),
    QT_TRANSLATE_NOOP("CoreSentences", "a ] without a ["),
    QT_TRANSLATE_NOOP("CoreSentences", "a [ without a ]"),
    QT_TRANSLATE_NOOP("CoreSentences", "Expected at most %1 hosts; list fewer hosts."),
    QT_TRANSLATE_NOOP("CoreSentences", "Expected a host in each line of the hostfile, found none in any line."),
    QT_TRANSLATE_NOOP("CoreSentences", "Expected a rank table with a server_list, found other JSON."),
    QT_TRANSLATE_NOOP("CoreSentences", "Expected servers in the rank table, found an empty server_list."),
    QT_TRANSLATE_NOOP("CoreSentences", "Expected the nodes of the Slurm job %1, squeue said: %2."),
    QT_TRANSLATE_NOOP("CoreSentences", "Expected the nodes of the Slurm job %1, squeue listed none: the job has not started, or has ended."),
    // Notes next to the glyph in a cell of the deck.
    QT_TRANSLATE_NOOP("CoreSentences", "no file"),
    QT_TRANSLATE_NOOP("CoreSentences", "not yet"),
    QT_TRANSLATE_NOOP("CoreSentences", "pruned"),
    QT_TRANSLATE_NOOP("CoreSentences", "saving"),
    QT_TRANSLATE_NOOP("CoreSentences", "only a .tmp"),
    QT_TRANSLATE_NOOP("CoreSentences", "not listed"),
    QT_TRANSLATE_NOOP("CoreSentences", "unreachable"),
    QT_TRANSLATE_NOOP("CoreSentences", "unreadable"),
    QT_TRANSLATE_NOOP("CoreSentences", "growing"),
    QT_TRANSLATE_NOOP("CoreSentences", "0 bytes"),
    QT_TRANSLATE_NOOP("CoreSentences", "not a checkpoint"),
    QT_TRANSLATE_NOOP("CoreSentences", "damaged"),
    QT_TRANSLATE_NOOP("CoreSentences", "NaN weights"),
    QT_TRANSLATE_NOOP("CoreSentences", "encrypted"),
    QT_TRANSLATE_NOOP("CoreSentences", "not known"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1 short"),
    QT_TRANSLATE_NOOP("CoreSentences", "other tensors"),
    QT_TRANSLATE_NOOP("CoreSentences", "other values"),
    QT_TRANSLATE_NOOP("CoreSentences", "from another run"),
    // Errors in a job file; the line and the key come first.
    QT_TRANSLATE_NOOP("CoreSentences", "%1: unknown key, ignored; did you mean \"%2\"?"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1: unknown key, ignored"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1: expected JSON, found a syntax error %2"),
    QT_TRANSLATE_NOOP("CoreSentences", "%1: expected %2, found %3"),
};
// clang-format on
constexpr int deepest = 3;  // nesting depth of sentences

QString inWords(const char *row) { return QCoreApplication::translate("CoreSentences", row); }

const std::vector<QRegularExpression> &patterns()
{
    static const std::vector<QRegularExpression> all = [] {
        std::vector<QRegularExpression> made;
        for (const char *row : rows) {
            QString pattern = QRegularExpression::escape(QString::fromLatin1(row));
            for (int part = 1; part <= 4; ++part)
                pattern.replace(QStringLiteral("\\%%1").arg(part), QStringLiteral("(.+?)"));
            made.emplace_back(QRegularExpression::anchoredPattern(pattern));
        }
        return made;
    }();
    return all;
}

QString verdictIn(const QString &name)
{
    for (const Verdict verdict : {Verdict::valid, Verdict::validUnproven, Verdict::inProgress, Verdict::incomplete,
                                  Verdict::inconsistent, Verdict::corrupt, Verdict::unknown})
        if (name == QLatin1String(verdictName(verdict))) return verdictWord(verdict);
    return name;
}

QString said(const QString &text, int depth)
{
    if (depth == 0) return text;
    for (std::size_t at = 0; at < std::size(rows); ++at) {
        const QRegularExpressionMatch match = patterns()[at].match(text);
        if (!match.hasMatch()) continue;
        const QString words = inWords(rows[at]);
        std::vector<QString> parts;
        for (int part = 1; part <= match.lastCapturedIndex(); ++part)
            parts.push_back(verdictIn(said(match.captured(part), depth - 1)));
        const bool judged = at <= 1;  // other rows may match any line of a log
        if (judged && parts[1] == match.captured(2)) continue;
        QString whole;
        for (qsizetype i = 0; i < words.size(); ++i) {
            const int part = words[i] == QLatin1Char('%') && i + 1 < words.size() ? words[i + 1].digitValue() : -1;
            if (part < 1 || static_cast<std::size_t>(part) > parts.size()) {
                whole += words[i];
                continue;
            }
            whole += parts[static_cast<std::size_t>(part) - 1];
            ++i;
        }
        return whole;
    }
    return text;
}

}  // namespace

QString coreSentence(const QString &text)
{
    thread_local QHash<QString, QString> known;  // cache: the same few texts are painted repeatedly
    thread_local QString language;
    const QString now = inWords(rows[0]);
    if (now == QLatin1String(rows[0]) || text.size() > 1200) return text;
    if (std::exchange(language, now) != now || known.size() > 2000) known.clear();
    const auto at = known.constFind(text);
    return at != known.constEnd() ? *at : *known.insert(text, said(text, deepest));
}

QStringList coreSentences()
{
    QStringList all;
    for (const char *row : rows) all << QString::fromLatin1(row);
    return all;
}

}  // namespace rankdeck::ui
