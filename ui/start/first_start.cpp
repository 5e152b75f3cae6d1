// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/first_start.h"

#include "core/base/files.h"
#include "core/job/job_file.h"
#include "core/job/job_folder.h"
#include "ui/editor/job_editor.h"
#include "ui/feed/late_ranks.h"
#include "ui/kit/card.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/start/ended_jobs.h"
#include "ui/start/found_jobs.h"
#include "ui/start/hosts_box.h"
#include "ui/state/check_words.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

FirstStart::FirstStart(const JobSources &sources, QWidget *parent)
    : QWidget(parent), m_search(sources.search ? sources.search() : nullptr),
      m_picture(m_search ? m_search->picture() : std::make_shared<const DiscoveryPicture>()),
      m_seenJobs(sources.stateDirectory.isEmpty() ? std::string() : sources.stateDirectory.toStdString() + "/seen"),
      m_hosts(new HostsBox(m_search.get(), sources.sshConfig)), m_found(new FoundJobs), m_ended(new EndedJobs),
      m_recent(new RecentJobs), m_editor(new JobEditor), m_pages(new QStackedWidget),
      m_messageSign(new GlyphLabel(Glyph::refuses, 14)), m_message(new Label)
{
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(24, 16, 24, 12);
    all->setSpacing(6);
    all->addWidget(new Label(tr("Which machines train?"), Font::valueBold));
    all->addWidget((new Label(tr("Tick hosts. Rankdeck searches them for training processes and proposes a job. It "
                                 "installs nothing and writes nothing."),
                              Font::normal, Role::text2))
                       ->wrapped());
    auto *message = new QHBoxLayout;
    message->setSpacing(8);
    message->addWidget(m_messageSign, 0, Qt::AlignTop);
    message->addWidget(m_message->wrapped(), 1);
    all->addLayout(message);
    m_message->hide();
    m_messageSign->hide();
    auto *looking = new QWidget;
    auto *halves = new QHBoxLayout(looking);
    halves->setContentsMargins(0, 0, 0, 0);
    halves->setSpacing(24);
    halves->addWidget(m_hosts, 46);
    halves->addWidget(makeRight(sources), 54);
    m_pages->addWidget(looking);
    m_pages->addWidget(m_editor);
    all->addWidget(m_pages, 1);
    connect(m_hosts, &HostsBox::refused, this, &FirstStart::setMessage);
    connect(&m_hosts->model(), &HostsModel::stateChanged, this, &FirstStart::refresh);
    if (m_search)
        connect(m_search.get(), &HostSearch::changed, this, [this] {
            m_picture = m_search->picture();
            refresh();
        });
    connect(&m_second, &QTimer::timeout, this, [this] { m_hosts->model().second(); });
    m_second.start(1000);
    refresh();
}

FirstStart::~FirstStart()
{
    m_hosts->model().unload();  // the rows are deleted shortly after the search
}

QWidget *FirstStart::makeRight(const JobSources &sources)
{
    auto *box = new QWidget;
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(10);
    column->addWidget(makeJobs(), 1);
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
    connect(m_editor, &JobEditor::left, this, [this] {
        m_pages->setCurrentIndex(0);
        if (m_search) m_search->checkNothing();
    });
    connect(m_editor, &JobEditor::checkWanted, this, &FirstStart::askForChecks);
    connect(m_editor, &JobEditor::hostsWanted, m_hosts, &HostsBox::addHosts);
    if (!m_search) m_editor->hideChecks();
    connect(m_editor, &JobEditor::watchWanted, this, &FirstStart::watchWanted);
    return box;
}

QWidget *FirstStart::makeJobs()
{
    auto *inside = new QWidget;
    auto *column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(m_found);
    column->addWidget(m_ended);
    auto *head = new Label(tr("Recent jobs"), Font::bold);
    head->setMinimumHeight(24);
    column->addWidget(head);
    column->addWidget(m_recent);
    column->addStretch(1);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(inside);
    connect(m_recent, &RecentJobs::wanted, this, &FirstStart::jobFileWanted);
    connect(m_found, &FoundJobs::watchWanted, this, [this](std::size_t id) {
        const auto picture = m_picture;  // keeps m_wanted valid during the signal
        m_wanted = jobOf(id);
        if (m_wanted != nullptr) Q_EMIT watchWanted(m_wanted->found.job);
        m_wanted = nullptr;
    });
    connect(m_ended, &EndedJobs::watchWanted, this, &FirstStart::watchWanted);
    connect(m_ended, &EndedJobs::offlineWanted, this, &FirstStart::offlineWanted);
    connect(m_found, &FoundJobs::editWanted, this, &FirstStart::edit);
    connect(m_found, &FoundJobs::hostsWanted, m_hosts, &HostsBox::addHosts);
    return scroll;
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
    column->addWidget((new Label(tr("A private cluster on this machine: 2 nodes and 8 ranks that really train and "
                                    "save, with faults on demand. It ends when you close it."),
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
    m_demo->setText(busy ? tr("Starting the demo cluster") : tr("Start the demo cluster"));
    m_demo->setIcon(glyphIcon(busy ? Glyph::saving : Glyph::play, Theme::of(this)));
}

void FirstStart::setOfflineMenu(QMenu *menu) { m_offline->setMenu(menu); }

void FirstStart::setRecent(const QList<RecentJob> &jobs) { m_recent->setJobs(jobs); }

void FirstStart::setEnded(std::vector<EndedJob> jobs)
{
    m_endedJobs = std::move(jobs);
    std::vector<Job> past;
    for (const EndedJob &one : m_endedJobs) past.push_back(one.job);
    for (Job &seen : readJobFolder(m_seenJobs, DiscoverySession::mostPast)) past.push_back(std::move(seen));
    if (m_search) m_search->setPast(std::move(past));
    refresh();
}

void FirstStart::addHostsOf(const QString &file) { m_hosts->addHostsOf(file); }

const JobScan *FirstStart::jobOf(std::size_t id) const
{
    for (const JobScan &job : m_picture->jobs) {
        if (job.id == id) return &job;
    }
    return nullptr;
}

std::unique_ptr<LateRanks> FirstStart::takeLateRanks()
{
    if (!m_search || m_wanted == nullptr || !LateRanks::mayCome(*m_picture, *m_wanted)) return nullptr;
    m_search->disconnect(this);
    m_hosts->model().unload();
    return std::make_unique<LateRanks>(std::move(m_search), *m_wanted);
}

void FirstStart::edit(std::size_t id)
{
    const JobScan *job = jobOf(id);
    if (job == nullptr) return;
    QStringList remarks;
    for (const DiscoveryNote &note : job->found.notes) {
        if (note.act) remarks << asSentence(note.text);
    }
    m_editor->open(QString::fromStdString(jobToJson(job->found.job)), remarks);
    m_pages->setCurrentWidget(m_editor);
}

void FirstStart::editFile(const QString &path)
{
    const auto text = readLocalFile(path.toStdString(), 8u << 20);
    if (!text) return setMessage(tr("Cannot open %1.").arg(path), fromCore(text.error().message));
    setMessage({}, {});
    m_editor->open(QString::fromStdString(*text), {}, path);
    m_pages->setCurrentWidget(m_editor);
}

QString FirstStart::statusText() const
{
    const HostsModel::Counts sum = m_hosts->model().counts();
    if (sum.ticked == 0) return tr("No host selected");
    return tr("%1 live, %2 need login, %3 connecting, %4 unusable")
        .arg(sum.live)
        .arg(sum.needYou)
        .arg(sum.onTheWay)
        .arg(sum.unusable);
}

// Saves the found jobs, so that a later search, even on another day, knows their paths.
void FirstStart::keepSeen()
{
    if (m_seenJobs.empty()) return;
    for (const JobScan &look : m_picture->jobs) {
        if (!look.looked || !m_kept.insert(look.id).second) continue;
        [[maybe_unused]] const auto kept = keepJobFile(m_seenJobs, look.found.job);  // on failure it is not saved
    }
}

void FirstStart::askForChecks()
{
    if (!m_search || m_pages->currentWidget() != m_editor) return;
    ++m_checkId;
    m_editor->job() ? m_search->check(m_checkId, *m_editor->job()) : m_search->checkNothing();
    showChecks();
}

void FirstStart::showChecks()
{
    if (m_pages->currentWidget() != m_editor || !m_editor->job()) return;
    const auto &found = m_picture->check;
    m_editor->setChecks(found && found->id == m_checkId ? found->checks : std::vector<JobCheck>(),
                        hostsNotAsked(*m_editor->job(), *m_picture));
}

void FirstStart::refresh()
{
    keepSeen();
    showChecks();
    m_found->setPicture(*m_picture, m_hosts->model().counts());
    m_ended->setJobs(endedOn(m_endedJobs, *m_picture), m_picture->ended, wallNow());
    Q_EMIT statusChanged();
}

}  // namespace rankdeck::ui
