// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/log_reading_dialog.h"

#include "ui/kit/label.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTextCursor>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace rankdeck::ui {

namespace {

struct RoleColour {
    FieldRole role;
    Theme::Role colour;
};
constexpr std::array<RoleColour, 9> colours{{{FieldRole::loss, Theme::Role::rankLine1},
                                             {FieldRole::step, Theme::Role::rankLine2},
                                             {FieldRole::epoch, Theme::Role::rankLine3},
                                             {FieldRole::total, Theme::Role::rankLine2},
                                             {FieldRole::learningRate, Theme::Role::rankLine4},
                                             {FieldRole::gradNorm, Theme::Role::rankLine5},
                                             {FieldRole::lossScale, Theme::Role::rankLine6},
                                             {FieldRole::stepTime, Theme::Role::rankLine6},
                                             {FieldRole::throughput, Theme::Role::rankLine6}}};

QString roleWord(FieldRole role)
{
    switch (role) {
    case FieldRole::loss: return LogReadingDialog::tr("loss");
    case FieldRole::step: return LogReadingDialog::tr("step");
    case FieldRole::epoch: return LogReadingDialog::tr("epoch");
    case FieldRole::total: return LogReadingDialog::tr("total steps");
    case FieldRole::learningRate: return LogReadingDialog::tr("learning rate");
    case FieldRole::gradNorm: return LogReadingDialog::tr("gradient norm");
    case FieldRole::lossScale: return LogReadingDialog::tr("loss scale");
    case FieldRole::stepTime: return LogReadingDialog::tr("step time");
    case FieldRole::throughput: return LogReadingDialog::tr("throughput");
    default: return {};
    }
}

QTextCharFormat formatOf(FieldRole role, const QWidget *widget)
{
    QTextCharFormat format;
    for (const RoleColour &row : colours) {
        if (row.role != role) continue;
        format.setBackground(Theme::of(widget).color(row.colour));
        format.setForeground(Theme::of(widget).inkOn(row.colour));
    }
    return format;
}

}  // namespace

LogReadingDialog::LogReadingDialog(JobFeed &feed, int rank, QWidget *parent)
    : QDialog(parent), m_feed(feed), m_rank(rank), m_summary(new Label(tr("Reading the log…"), Theme::Font::bold)),
      m_warning(new Label(QString())), m_lines(new QPlainTextEdit)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("How the log of rank %1 is read").arg(rank));
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_summary);
    column->addWidget(m_warning->wrapped());
    m_lines->setReadOnly(true);
    m_lines->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_lines->setFont(Theme::of(this).font(Theme::Font::mono));
    m_lines->setAccessibleName(tr("Kinds of lines"));
    column->addWidget(m_lines, 1);
    column->addWidget((new Label(tr("To change a role, set logs.fields in the job file: role → label. "
                                    "A label that is set there has only that role."),
                                 Theme::Font::small, Theme::Role::text2))
                          ->wrapped());
    auto *buttons = new QDialogButtonBox;
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole)->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(900, 520);
    m_feed.readLog(m_rank, 0, 1, [alive = QPointer<LogReadingDialog>(this)](const Result<RangeReply> &reply) {
        if (alive) alive->take(reply);
    });
}

void LogReadingDialog::take(const Result<RangeReply> &reply)
{
    const bool read = reply && reply->error.empty();
    if (!read) {
        m_summary->setText(
            tr("Cannot read the log: %1").arg(reply ? fromNode(reply->error) : fromCore(reply.error().message)));
        return;
    }
    if (!std::exchange(m_sized, true)) {
        const std::uint64_t size = reply->stat.size;
        m_feed.readLog(m_rank, size - std::min<std::uint64_t>(size, LogExplainer::partBytes), LogExplainer::partBytes,
                       [alive = QPointer<LogReadingDialog>(this)](const Result<RangeReply> &end) {
                           if (alive) alive->take(end);
                       });
        return;
    }
    Result<LogExplainer> explainer = LogExplainer::make(m_feed.snapshot()->view.job.logs);
    if (!explainer) {
        m_summary->setText(fromCore(explainer.error().message));
        return;
    }
    explainer->part(reply->bytes, reply->offset);
    show(explainer->finish(), reply->offset > 0 ? reply->bytes.size() : 0);
}

void LogReadingDialog::show(const LogExplanation &log, std::size_t newest)
{
    const auto percent = log.lines == 0 ? 0 : static_cast<int>(log.matched * 100 / log.lines);
    const QString lines = number(static_cast<std::int64_t>(log.lines));
    m_summary->setText(newest == 0 ? tr("%1 % of %2 lines are read").arg(percent).arg(lines)
                                   : tr("%1 % of %2 lines in the newest %3 of the log are read")
                                         .arg(QString::number(percent), lines, byteWords(newest)));
    m_warning->setText(log.mayHideLoss() ? tr("Some lines that are not read have a number that looks like a loss.")
                       : log.hasLoss     ? QString()
                       : log.hasStep     ? tr("No loss was found. Progress follows the steps.")
                                         : tr("Neither a loss nor a step was found."));
    m_warning->setVisible(!m_warning->text().isEmpty());
    QTextCursor cursor(m_lines->document());
    for (const LineKind &kind : log.kinds) addKind(cursor, kind);
    if (!log.unknown.empty()) cursor.insertText(tr("Not read:") + QLatin1Char('\n'), QTextCharFormat());
    for (const LineKind &kind : log.unknown)
        cursor.insertText(tr("%1 ×  %2").arg(number(static_cast<std::int64_t>(kind.count)), fromNode(kind.sample)) +
                              QLatin1Char('\n'),
                          QTextCharFormat());
    m_lines->moveCursor(QTextCursor::Start);
}

// A sample line, then its numbers by name.
void LogReadingDialog::addKind(QTextCursor &cursor, const LineKind &kind)
{
    const QTextCharFormat plain;
    cursor.insertText(tr("%1 ×  ").arg(number(static_cast<std::int64_t>(kind.count))), plain);
    std::size_t at = 0;
    for (const ExplainedField &field : kind.fields) {
        if (field.begin < at || field.end > kind.sample.size() || roleWord(field.role).isEmpty()) continue;
        cursor.insertText(fromNode(kind.sample.substr(at, field.begin - at)), plain);
        cursor.insertText(fromNode(kind.sample.substr(field.begin, field.end - field.begin)),
                          formatOf(field.role, this));
        at = field.end;
    }
    cursor.insertText(fromNode(kind.sample.substr(at)) + QLatin1Char('\n'), plain);
    for (const ExplainedField &field : kind.fields) {
        if (roleWord(field.role).isEmpty()) continue;
        cursor.insertText(QStringLiteral("      "), plain);
        cursor.insertText(QStringLiteral("%1 %2").arg(roleWord(field.role), fromNode(field.value)),
                          formatOf(field.role, this));
        cursor.insertText((field.label.empty() ? QString() : QStringLiteral("  (%1)").arg(fromNode(field.label))) +
                              QLatin1Char('\n'),
                          plain);
    }
    cursor.insertText(QStringLiteral("\n"), plain);
}

}  // namespace rankdeck::ui
