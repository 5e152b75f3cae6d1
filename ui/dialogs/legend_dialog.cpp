// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/legend_dialog.h"

#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace rankdeck::ui {

namespace {

struct Sign {
    Glyph glyph;
    QString words;
};

void addHeading(QGridLayout &grid, const QString &words)
{
    const int row = grid.rowCount();
    grid.setRowMinimumHeight(row, 30);
    grid.addWidget(new Label(words, Theme::Font::bold), row, 0, 1, 4, Qt::AlignLeft | Qt::AlignBottom);
}

// Two signs per row.
void addSigns(QGridLayout &grid, const QString &heading, const std::vector<Sign> &signs)
{
    addHeading(grid, heading);
    const int first = grid.rowCount();
    for (std::size_t i = 0; i < signs.size(); ++i) {
        const int row = first + static_cast<int>(i / 2), column = i % 2 == 0 ? 0 : 2;
        grid.addWidget(new GlyphLabel(signs[i].glyph, 14), row, column, Qt::AlignTop);
        grid.addWidget((new Label(signs[i].words))->wrapped(), row, column + 1, Qt::AlignTop);
    }
}

std::vector<Sign> verdictSigns()
{
    std::vector<Sign> signs;
    const std::pair<Verdict, QString> all[] = {
        {Verdict::valid, LegendDialog::tr("all ranks can load it")},
        {Verdict::validUnproven, LegendDialog::tr("no problem found, but not everything is proven")},
        {Verdict::inProgress, LegendDialog::tr("being saved")},
        {Verdict::incomplete, LegendDialog::tr("a file is missing or short")},
        {Verdict::inconsistent, LegendDialog::tr("the ranks disagree")},
        {Verdict::corrupt, LegendDialog::tr("a file is damaged or contains NaN")},
        {Verdict::unknown, LegendDialog::tr("not enough is known to judge it")}};
    for (const auto &[verdict, words] : all)
        signs.push_back({verdictGlyph(verdict), QStringLiteral("%1: %2").arg(verdictWord(verdict), words)});
    return signs;
}

std::vector<Sign> fileSigns()
{
    return {{Glyph::okNewest, LegendDialog::tr("complete, in the newest VALID set")},
            {Glyph::ok, LegendDialog::tr("complete")},
            {Glyph::replica, LegendDialog::tr("complete as a copy of another rank")},
            {Glyph::unread, LegendDialog::tr("present, not read yet")},
            {Glyph::saving, LegendDialog::tr("being written")},
            {Glyph::missing, LegendDialog::tr("no file")},
            {Glyph::shortFile, LegendDialog::tr("short, or half written by a dead process")},
            {Glyph::mismatch, LegendDialog::tr("a different step or shape from the others")},
            {Glyph::torn, LegendDialog::tr("damaged")},
            {Glyph::unreadable, LegendDialog::tr("cannot be read")},
            {Glyph::pruned, LegendDialog::tr("removed by the run's own rotation")}};
}

std::vector<Sign> nodeSigns()
{
    std::vector<Sign> signs;
    for (const NodeState state : {NodeState::queued, NodeState::connecting, NodeState::needsYou, NodeState::live,
                                  NodeState::stale, NodeState::lost, NodeState::refused, NodeState::unsupported})
        signs.push_back({nodeGlyph(state), nodeWord(state)});
    return signs;
}

std::vector<Sign> rankSigns()
{
    return {{Glyph::waits, LegendDialog::tr("waits")},
            {Glyph::died, LegendDialog::tr("died")},
            {Glyph::exited, LegendDialog::tr("exited as asked")},
            {Glyph::nan, LegendDialog::tr("its loss is NaN or infinite")}};
}

using Row = std::pair<QString, QString>;

void addRows(QGridLayout &grid, const QString &heading, const std::vector<Row> &rows)
{
    addHeading(grid, heading);
    for (const auto &[what, does] : rows) {
        const int row = grid.rowCount();
        grid.addWidget((new Label(what, Theme::Font::bold))->wrapped(), row, 0, 1, 2);
        grid.addWidget((new Label(does))->wrapped(), row, 2, 1, 2);
    }
}

// The single-letter keys work while the deck has the focus.
std::vector<Row> keyRows()
{
    return {{LegendDialog::tr("Left, Right; Up, Down"), LegendDialog::tr("previous and next set; rank")},
            {LegendDialog::tr("Enter"), LegendDialog::tr("inspects the checkpoint")},
            {LegendDialog::tr("V"), LegendDialog::tr("the newest VALID set")},
            {LegendDialog::tr("N, Shift+N"), LegendDialog::tr("the next problem, the previous one")},
            {LegendDialog::tr("K"), LegendDialog::tr("protects the set from rotation")},
            {LegendDialog::tr("M"), LegendDialog::tr("the first failure")},
            {LegendDialog::tr("Space"), LegendDialog::tr("pins the line of the rank")},
            {LegendDialog::tr("F; 0"), LegendDialog::tr("follows the newest step; shows the whole job")},
            {LegendDialog::tr("L; S"), LegendDialog::tr("log scale; smoothing")}};
}

std::vector<Row> gestureRows()
{
    return {
        {LegendDialog::tr("rest"), LegendDialog::tr("reads the values there")},
        {LegendDialog::tr("click on a curve"), LegendDialog::tr("opens the log line of that sample")},
        {LegendDialog::tr("click on a column"), LegendDialog::tr("selects the set")},
        {LegendDialog::tr("double-click on a cell"), LegendDialog::tr("inspects the checkpoint")},
        {LegendDialog::tr("click on a lane's head"), LegendDialog::tr("pins the line of the rank")},
        {LegendDialog::tr("drag"), LegendDialog::tr("moves along the steps")},
        {LegendDialog::tr("Shift and drag"), LegendDialog::tr("zooms to the range")},
        {LegendDialog::tr("right button"), LegendDialog::tr("actions of a set, a rank or the loss; copies its text")},
        {LegendDialog::tr("bar below"),
         LegendDialog::tr("a click moves the view there, a drag moves the view, a drag at its edge changes its width")},
        {LegendDialog::tr("wheel"), LegendDialog::tr("zooms at the cursor; scrolls the lanes")},
        {LegendDialog::tr("double-click on the loss"),
         LegendDialog::tr("zooms in on a set, or back after a move or zoom; 0 shows the whole job")}};
}

}  // namespace

LegendDialog::LegendDialog(QWidget *parent) : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Signs and gestures"));
    auto *column = new QVBoxLayout(this);
    auto *area = new QScrollArea;
    auto *sheet = new QWidget;
    auto *grid = new QGridLayout(sheet);
    grid->setHorizontalSpacing(8);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(3, 1);
    addSigns(*grid, tr("Verdict of a set"), verdictSigns());
    addSigns(*grid, tr("Checkpoint of one rank"), fileSigns());
    addHeading(*grid, tr("A bar below is a graceful exit (G), a broken bar a breakpoint (B), a bar above TTP (T)."));
    addSigns(*grid, tr("Nodes"), nodeSigns());
    addSigns(*grid, tr("Ranks"), rankSigns());
    addRows(*grid, tr("Mouse on the deck"), gestureRows());
    addRows(*grid, tr("Keys of the deck"), keyRows());
    grid->setRowStretch(grid->rowCount(), 1);
    area->setWidget(sheet);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(windowTitle());
    column->addWidget(area, 1);
    auto *buttons = new QDialogButtonBox;
    buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole)->setDefault(true);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(640, 620);
}

}  // namespace rankdeck::ui
