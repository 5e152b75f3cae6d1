// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/hosts_box.h"

#include "core/base/files.h"
#include "core/discover/text/host_list.h"
#include "ui/dialogs/node_question.h"
#include "ui/kit/card.h"
#include "ui/kit/glyph_label.h"
#include "ui/kit/label.h"
#include "ui/kit/table.h"
#include "ui/start/ssh_hosts.h"
#include "ui/style/format.h"
#include "ui/style/window_words.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QTimer>
#include <QVBoxLayout>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {
constexpr std::uint64_t largestFile = 4u << 20;
constexpr std::chrono::seconds slurmTime{15};
}  // namespace

HostsBox::HostsBox(HostSearch *search, const QString &sshConfig, QWidget *parent)
    : QWidget(parent), m_search(search), m_model(new HostsModel(search, this)),
      m_filter(new QSortFilterProxyModel(this)), m_table(new Table(tr("Hosts"))), m_add(new QLineEdit),
      m_trouble(new Card), m_sign(new GlyphLabel(Glyph::note, 14)), m_why(new Label), m_answer(new QPushButton),
      m_retry(new QPushButton(tr("Try again now")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    const QString config = sshConfig.isEmpty() ? userSshConfig() : sshConfig;
    const QStringList aliases = sshAliases(config);
    for (const QString &alias : aliases) m_model->add(alias, false);
    column->addWidget(makeHead(config, static_cast<int>(aliases.size())));
    auto *card = new Card;
    auto *inside = new QVBoxLayout(card);
    inside->setContentsMargins(1, 1, 1, 1);
    inside->setSpacing(0);
    m_filter->setSourceModel(m_model);
    m_filter->setFilterKeyColumn(HostsModel::host);
    m_filter->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_table->setModel(m_filter);
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->setWidths({30, 118, 170, -1});
    m_table->setWordWrap(true);
    m_table->verticalHeader()->setMinimumSectionSize(scaled(24));
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    inside->addWidget(m_table, 1);
    inside->addWidget(makeTrouble());
    inside->addWidget(makeFoot());
    column->addWidget(card, 1);
    column->addWidget(
        (new Label(
             tr("Read-only: one small process per node, with bounded CPU and memory. It ends when this window closes."),
             Font::small, Role::text2))
            ->wrapped());
    connect(m_model, &HostsModel::stateChanged, this, &HostsBox::refresh);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, &HostsBox::showTrouble);
    refresh();
}

// A narrow box hides the route to the host, because the reason of a problem is more important. The tooltip of the name
// then shows the route.
void HostsBox::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_table->setColumnHidden(HostsModel::reached, width() < scaled(700));
}

QWidget *HostsBox::makeHead(const QString &config, int names)
{
    auto *box = new QWidget;
    auto *head = new QHBoxLayout(box);
    head->setContentsMargins(0, 0, 0, 0);
    head->addWidget(new Label(tr("Hosts"), Font::bold));
    head->addWidget(
        new Label(names == 0 ? tr("no names in %1").arg(config) : tr("from %1, %n name(s)", nullptr, names).arg(config),
                  Font::small, Role::text2));
    head->addStretch(1);
    auto *filter = new QLineEdit;
    filter->setPlaceholderText(tr("Filter"));
    filter->setAccessibleName(tr("Filter the hosts"));
    filter->setClearButtonEnabled(true);
    filter->setFixedWidth(150);
    head->addWidget(filter);
    connect(filter, &QLineEdit::textChanged, m_filter, &QSortFilterProxyModel::setFilterFixedString);
    return box;
}

QWidget *HostsBox::makeTrouble()
{
    m_trouble->setFramed(false);
    m_trouble->setGround(Role::window);
    auto *line = new QHBoxLayout(m_trouble);
    line->setContentsMargins(8, 6, 8, 6);
    line->setSpacing(8);
    line->addWidget(m_sign, 0, Qt::AlignTop);
    line->addWidget(m_why->wrapped()->selectable(), 1);
    line->addWidget(m_answer, 0, Qt::AlignTop);
    line->addWidget(m_retry, 0, Qt::AlignTop);
    connect(m_answer, &QPushButton::clicked, this, &HostsBox::answer);
    connect(m_retry, &QPushButton::clicked, this, [this] {
        const int row = chosenRow();
        if (m_search != nullptr && row >= 0) m_search->retryNow(m_model->nameAt(row));
    });
    return m_trouble;
}

QWidget *HostsBox::makeFoot()
{
    auto *box = new QWidget;
    auto *line = new QHBoxLayout(box);
    line->setContentsMargins(8, 6, 8, 8);
    m_add->setPlaceholderText(tr("user@host:port, ascend-[01-64], slurm:4711, k8s:default/pod"));
    m_add->setAccessibleName(tr("Add a host"));
    auto *add = new QPushButton(tr("Add host"));
    auto *file = new QPushButton(tr("From file…"));
    file->setToolTip(toolTipOf(tr("A hostfile with one host in each line, or an Ascend rank table (hccl.json)")));
    line->addWidget(m_add, 1);
    line->addWidget(add);
    line->addWidget(file);
    connect(add, &QPushButton::clicked, this, &HostsBox::addTyped);
    connect(m_add, &QLineEdit::returnPressed, this, &HostsBox::addTyped);
    connect(file, &QPushButton::clicked, this, &HostsBox::chooseFile);
    return box;
}

void HostsBox::addHosts(const QStringList &hosts)
{
    for (const QString &host : hosts) m_model->add(host, true);
}

void HostsBox::addTyped()
{
    const QString typed = m_add->text().trimmed();
    if (typed.isEmpty()) return;
    // A leading dash would make it an option of ssh.
    if (typed.startsWith(QLatin1Char('-')) || typed.contains(QLatin1Char(' ')))
        Q_EMIT refused(tr("Not a valid host name."),
                       tr("Expected a name from the ssh config or user@host:port, found \"%1\".").arg(typed));
    else if (const std::string job = slurmJobOf(typed.toStdString()); !job.empty())
        askSlurm(job);
    else if (const auto hosts = expandHosts(typed.toStdString()); !hosts)
        Q_EMIT refused(tr("Not a valid list of hosts."), fromCore(hosts.error().message));
    else {
        Q_EMIT refused({}, {});
        for (const std::string &host : *hosts) m_model->add(QString::fromStdString(host), true);
        m_add->clear();
    }
}

// Asks Slurm on this machine for the hosts of a job, without blocking.
void HostsBox::askSlurm(const std::string &job)
{
    auto *squeue = new QProcess(this);
    QStringList words;
    for (const std::string &word : slurmHostsCommand(job)) words << QString::fromStdString(word);
    const QString program = words.takeFirst();
    const auto refuse = [this](const QString &why) { Q_EMIT refused(tr("Slurm named no hosts."), why); };
    connect(squeue, &QProcess::errorOccurred, this, [squeue, refuse](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            refuse(tr("Expected squeue in the PATH of this machine, found none. Name the hosts instead."));
        squeue->deleteLater();
    });
    connect(squeue, &QProcess::finished, this, [this, squeue, job, refuse](int exitCode) {
        const auto hosts = hostsOfSlurm(job, exitCode, squeue->readAllStandardOutput().toStdString(),
                                        squeue->readAllStandardError().toStdString());
        squeue->deleteLater();
        if (!hosts) return refuse(fromCore(hosts.error().message));
        Q_EMIT refused({}, {});
        for (const std::string &host : *hosts)
            if (!host.starts_with('-')) m_model->add(fromNode(host), true);
        m_add->clear();
    });
    QTimer::singleShot(slurmTime, squeue, [this, squeue, refuse] {
        squeue->disconnect(this);
        connect(squeue, &QProcess::finished, squeue, &QObject::deleteLater);
        squeue->kill();
        refuse(tr("squeue did not answer in time."));
    });
    squeue->start(program, words, QIODevice::ReadOnly);
}

void HostsBox::chooseFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("A hostfile or a rank table"));
    if (!path.isEmpty()) addHostsOf(path);
}

void HostsBox::addHostsOf(const QString &path)
{
    const auto text = readLocalFile(path.toStdString(), largestFile);
    const auto hosts = text ? hostsOfFile(*text) : Result<std::vector<std::string>>(text.error());
    if (!hosts) {
        Q_EMIT refused(tr("No hosts found in %1.").arg(QFileInfo(path).fileName()), fromCore(hosts.error().message));
        return;
    }
    for (const std::string &host : *hosts) {
        if (host.starts_with('-')) continue;
        m_model->add(fromNode(host), true);
    }
    Q_EMIT refused({}, {});
}

int HostsBox::firstIn(NodeState state) const
{
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const HostScan *look = m_model->lookAt(row);
        if (look != nullptr && look->node.state == state) return row;
    }
    return -1;
}

// The chosen row if it has a problem, else the first host that waits for an answer, else the first one with a problem.
int HostsBox::chosenRow() const
{
    const QModelIndex current = m_filter->mapToSource(m_table->currentIndex());
    if (current.isValid() && !m_model->trouble(current.row()).isEmpty()) return current.row();
    if (const int asks = firstIn(NodeState::needsYou); asks >= 0) return asks;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (!m_model->trouble(row).isEmpty()) return row;
    }
    return -1;
}

void HostsBox::answer()
{
    const int row = chosenRow();
    const HostScan *look = row < 0 ? nullptr : m_model->lookAt(row);
    if (look == nullptr || m_search == nullptr) return;
    askNodeQuestion(look->node, this, m_search, [search = m_search, host = m_model->nameAt(row)](Answer answer) {
        search->answer(host, std::move(answer));
    });
}

void HostsBox::showTrouble()
{
    const int row = chosenRow();
    m_trouble->setVisible(row >= 0);
    if (row < 0) return;
    const HostScan *look = m_model->lookAt(row);
    const NodeState state = look->node.state;
    m_sign->setGlyph(state == NodeState::live ? Glyph::warns : nodeGlyph(state));
    m_why->setBoldAndText(m_model->nameAt(row), m_model->trouble(row));
    m_answer->setText(tr("Answer…"));
    m_answer->setVisible(state == NodeState::needsYou);
    m_retry->setVisible(state == NodeState::lost || state == NodeState::refused || state == NodeState::unsupported);
}

void HostsBox::refresh() { showTrouble(); }

}  // namespace rankdeck::ui
