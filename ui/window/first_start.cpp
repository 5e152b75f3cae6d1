// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/first_start.h"

#include "core/base/files.h"
#include "core/job/job_file.h"
#include "ui/dialogs/node_question.h"
#include "ui/kit/card.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/kit/table.h"
#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/window/hosts_model.h"
#include "ui/window/ssh_hosts.h"
#include "ui/window/window_state.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

FirstStart::FirstStart(const JobSources &sources, QWidget *parent)
    : QWidget(parent), m_sources(sources), m_model(new HostsModel(sources, this)),
      m_filter(new QSortFilterProxyModel(this)), m_table(new Table(tr("Hosts"))), m_add(new QLineEdit),
      m_messageSign(new GlyphLabel(Glyph::refuses, 14)), m_message(new Label),
      m_saved(new Label({}, Font::small, Role::text2)), m_answer(new QPushButton(tr("Answer…"))),
      m_save(new QPushButton)
{
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(24, 16, 24, 12);
    all->setSpacing(6);
    all->addWidget(new Label(tr("Which machines train?"), Font::valueBold));
    all->addWidget((new Label(tr("Tick hosts to see whether they can be watched; nothing is installed, nothing is "
                                 "written. Or open a job."),
                              Font::normal, Role::text2))
                       ->wrapped());
    auto *message = new QHBoxLayout;
    message->setSpacing(8);
    message->addWidget(m_messageSign, 0, Qt::AlignTop);
    message->addWidget(m_message->wrapped(), 1);
    all->addLayout(message);
    m_message->hide();
    m_messageSign->hide();
    auto *halves = new QHBoxLayout;
    halves->setSpacing(24);
    halves->addWidget(makeHosts(sources), 60);  // why a host cannot be used is a sentence
    halves->addWidget(makeRight(sources), 40);
    all->addLayout(halves, 1);
    connect(m_model, &HostsModel::stateChanged, this, &FirstStart::refresh);
    refresh();
}

QWidget *FirstStart::makeHosts(const JobSources &sources)
{
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 6, 0, 0);
    const QString config = sources.sshConfig.isEmpty() ? userSshConfig() : sources.sshConfig;
    const QStringList aliases = sshAliases(config);
    for (const QString &alias : aliases) m_model->add(alias, false);
    auto *head = new QHBoxLayout;
    head->addWidget(new Label(tr("Hosts"), Font::bold));
    head->addWidget(new Label(aliases.isEmpty()
                                  ? tr("no names in %1").arg(config)
                                  : tr("from %1, %n name(s)", nullptr, static_cast<int>(aliases.size())).arg(config),
                              Font::small, Role::text2));
    head->addStretch(1);
    auto *filter = new QLineEdit;
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter the hosts"));
    filter->setClearButtonEnabled(true);
    filter->setFixedWidth(150);
    head->addWidget(filter);
    column->addLayout(head);
    auto *card = new Card;
    auto *inside = new QVBoxLayout(card);
    inside->setContentsMargins(1, 1, 1, 1);
    m_filter->setSourceModel(m_model);
    m_filter->setFilterKeyColumn(HostsModel::host);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table->setModel(m_filter);
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->setWidths({30, 170, -1});
    inside->addWidget(m_table, 1);
    auto *line = new QHBoxLayout;
    line->setContentsMargins(8, 4, 8, 8);
    m_add->setPlaceholderText(tr("user@host:port"));
    m_add->setAccessibleName(tr("Add a host"));
    auto *add = new QPushButton(tr("Add host"));
    line->addWidget(m_add, 1);
    line->addWidget(add);
    inside->addLayout(line);
    column->addWidget(card, 1);
    auto *acts = new QHBoxLayout;
    acts->addWidget(m_answer);
    acts->addWidget(m_save);
    acts->addWidget(m_saved->wrapped(), 1);
    column->addLayout(acts);
    column->addWidget(
        (new Label(
             tr("Read-only: one small process per node, with bounded CPU and memory, gone when this window closes."),
             Font::small, Role::text2))
            ->wrapped());
    connect(filter, &QLineEdit::textChanged, m_filter, &QSortFilterProxyModel::setFilterFixedString);
    connect(add, &QPushButton::clicked, this, &FirstStart::addHost);
    connect(m_add, &QLineEdit::returnPressed, this, &FirstStart::addHost);
    connect(m_save, &QPushButton::clicked, this, &FirstStart::saveJobFile);
    connect(m_answer, &QPushButton::clicked, this, [this] {
        NodeStatus node;
        if (JobFeed *feed = m_model->questioning(node)) askNodeQuestion(*feed, node, this);
    });
    return box;
}

QWidget *FirstStart::makeRight(const JobSources &sources)
{
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(10);
    auto *head = new Label(tr("Recent jobs"), Font::bold);
    head->setMinimumHeight(24);
    column->addWidget(head);
    column->addWidget(makeRecent());
    column->addStretch(1);
    column->addWidget(makeDemo(static_cast<bool>(sources.startDemo)));
    auto *line = new QHBoxLayout;
    line->addWidget(new Label(tr("Or without choosing hosts:"), Font::normal, Role::text2));
    line->addStretch(1);
    auto *open = new QPushButton(tr("Open job file…"));
    m_offline = new QPushButton(tr("Open history offline…"));
    line->addWidget(open);
    line->addWidget(m_offline);
    column->addLayout(line);
    connect(open, &QPushButton::clicked, this, &FirstStart::openJobWanted);
    return box;
}

QWidget *FirstStart::makeRecent()
{
    auto *card = new Card;
    auto *column = new QVBoxLayout(card);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(2);
    const QStringList recent = WindowState::recentJobs();
    if (recent.isEmpty())
        column->addWidget((new Label(tr("None yet. A job file names the nodes, the ranks and the paths once; then a "
                                        "job opens with one click."),
                                     Font::normal, Role::text2))
                              ->wrapped());
    for (const QString &file : recent.mid(0, 6)) {
        auto *row = new QHBoxLayout;
        auto *words = new QVBoxLayout;
        words->setSpacing(0);
        words->addWidget(new Label(QFileInfo(file).fileName().remove(QStringLiteral(".rankdeck.json")), Font::bold));
        words->addWidget((new Label(file, Font::small, Role::text2))->wrapped());
        row->addLayout(words, 1);
        auto *open = new QPushButton(tr("Watch this job"));
        open->setAccessibleName(tr("Watch %1").arg(file));
        row->addWidget(open);
        column->addLayout(row);
        column->addSpacing(6);
        connect(open, &QPushButton::clicked, this, [this, file] { Q_EMIT jobFileWanted(file); });
    }
    return card;
}

QWidget *FirstStart::makeDemo(bool available)
{
    auto *card = new Card;
    card->setGround(Role::window);
    card->setVisible(available);
    auto *column = new QVBoxLayout(card);
    column->setContentsMargins(12, 10, 12, 10);
    auto *line = new QHBoxLayout;
    line->addWidget(new Label(tr("No cluster at hand?"), Font::title), 1);
    m_demo = new QPushButton(glyphIcon(Glyph::play, Theme::of(this)), tr("Start the demo cluster"));
    line->addWidget(m_demo);
    column->addLayout(line);
    column->addWidget((new Label(tr("A private one on this machine: 2 nodes, 8 ranks that really train and save, with "
                                    "faults on demand. It is gone when you close it."),
                                 Font::normal, Role::text2))
                          ->wrapped());
    connect(m_demo, &QPushButton::clicked, this, &FirstStart::demoWanted);
    return card;
}

void FirstStart::setMessage(const QString &bold, const QString &text)
{
    m_message->setVisible(!bold.isEmpty());
    m_messageSign->setVisible(!bold.isEmpty());
    m_message->setBoldAndText(bold, text);
}

void FirstStart::setDemoBusy(bool busy)
{
    if (m_demo == nullptr) return;
    m_demo->setEnabled(!busy);
    m_demo->setText(busy ? tr("The demo cluster starts") : tr("Start the demo cluster"));
    m_demo->setIcon(glyphIcon(busy ? Glyph::saving : Glyph::play, Theme::of(this)));
}

void FirstStart::setOfflineMenu(QMenu *menu) { m_offline->setMenu(menu); }

void FirstStart::addHost()
{
    const QString host = m_add->text().trimmed();
    if (host.isEmpty()) return;
    // What begins with a dash would be an option of ssh, not a host.
    if (host.startsWith(QLatin1Char('-')) || host.contains(QLatin1Char(' ')))
        return setMessage(tr("This is no host."),
                          tr("Expected a name of the ssh config or user@host:port, found \"%1\".").arg(host));
    setMessage({}, {});
    m_model->add(host, true);
    m_add->clear();
}

void FirstStart::saveJobFile()
{
    Job job;
    job.name = "job";
    for (const QString &host : m_model->tickedHosts()) {
        NodeSpec node;
        node.name = node.host = host.toStdString();
        job.nodes.push_back(node);
    }
    job.sshConfig = m_sources.sshConfig.toStdString();
    const QString path = QFileDialog::getSaveFileName(this, tr("Write a job file"), QStringLiteral("job.rankdeck.json"),
                                                      tr("Job files (*.rankdeck.json)"));
    if (path.isEmpty()) return;
    job.name = QFileInfo(path).fileName().section(QLatin1Char('.'), 0, 0).toStdString();
    const Status written = writeLocalFileAtomically(path.toStdString(), jobToJson(job), 0644);
    m_saved->setText(written ? tr("Written to %1. Add ranks, logs and checkpoints, then open it.").arg(path)
                             : fromNode(written.error().message));
}

QString FirstStart::statusText() const
{
    const HostsModel::Counts sum = m_model->counts();
    if (sum.ticked == 0) return tr("No host is asked");
    return tr("%1 live, %2 need you, %3 on the way, %4 not usable")
        .arg(sum.live)
        .arg(sum.needYou)
        .arg(sum.onTheWay)
        .arg(sum.unusable);
}

void FirstStart::refresh()
{
    const HostsModel::Counts sum = m_model->counts();
    m_answer->setVisible(sum.needYou > 0);
    m_save->setText(tr("Write a job file for %n host(s)…", nullptr, sum.ticked));
    m_save->setVisible(sum.ticked > 0);
    Q_EMIT statusChanged();
}

}  // namespace rankdeck::ui
