// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/job_form.h"

#include "core/job/path_template.h"
#include "core/job/text/job_text.h"
#include "ui/editor/job_field.h"
#include "ui/editor/job_key_words.h"
#include "ui/kit/card.h"
#include "ui/kit/focus_ring.h"
#include "ui/kit/label.h"
#include "ui/style/format.h"
#include "ui/style/glyphs.h"
#include "ui/style/window_words.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck::ui {

using Font = Theme::Font;
using Role = Theme::Role;

namespace {

constexpr int mostPreviewed = 4;
constexpr std::size_t mostOpenNodes = 2;

// The section of a key: "launch.volcano" for "launch.volcano.image", "" for "name".
std::string sectionOf(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string() : std::string(path.substr(0, dot));
}

bool isIn(const QString &path, const QString &object)
{
    if (object.isEmpty() || !path.startsWith(object)) return false;
    return path.size() == object.size() || path[object.size()] == QLatin1Char('.') ||
           path[object.size()] == QLatin1Char('[');
}

QString pathOf(const QTreeWidgetItem *item)
{
    return item == nullptr ? QString() : item->data(1, JobField::pathRole).toString();
}

// "job:12: launch.recipe: expected …" → "launch.recipe"
QString keyOfProblem(const QString &problem)
{
    const QString rest = problem.section(QStringLiteral(": "), 1);
    return rest.section(QStringLiteral(": "), 0, 0);
}

}  // namespace

JobForm::JobForm(QWidget *parent)
    : QWidget(parent), m_tree(new QTreeWidget), m_field(new JobField(this)), m_key(new Label({}, Font::bold)),
      m_help(new Label), m_more(new Label({}, Font::small, Role::text2)), m_preview(new Label({}, Font::mono)),
      m_wrong(new Label), m_add(new QPushButton(tr("Add a node"))), m_remove(new QPushButton(tr("Remove the node"))),
      m_paste(new QPushButton(tr("Paste the launch command")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_tree->setAccessibleName(tr("Keys of the job file"));
    m_tree->setColumnCount(2);
    m_tree->setHeaderLabels({tr("Key"), tr("Value")});
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_tree->header()->setStretchLastSection(true);
    m_tree->setItemDelegate(m_field);
    m_tree->setEditTriggers(QAbstractItemView::SelectedClicked | QAbstractItemView::DoubleClicked |
                            QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    m_tree->setTabKeyNavigation(false);
    m_tree->setUniformRowHeights(true);
    FocusRing::addTo(m_tree);
    column->addWidget(m_tree, 1);
    auto *acts = new QHBoxLayout;
    acts->addWidget(m_add);
    acts->addWidget(m_remove);
    acts->addStretch(1);
    const QString paste =
        tr("Fills the section launch from the clipboard: a line with msrun, torchrun, mpirun, srun or "
           "python, an sbatch script, or the YAML of a vcjob");
    m_paste->setToolTip(toolTipOf(paste));
    acts->addWidget(m_paste);
    column->addLayout(acts);
    auto *card = new Card;
    card->setGround(Role::window);
    auto *words = new QVBoxLayout(card);
    words->setContentsMargins(10, 8, 10, 8);
    words->setSpacing(3);
    for (Label *one : {m_key, m_help, m_more, m_preview, m_wrong}) words->addWidget(one->wrapped()->selectable());
    words->addStretch(1);
    card->setMinimumHeight(scaled(150));
    column->addWidget(card);
    connect(m_tree, &QTreeWidget::itemChanged, this, &JobForm::take);
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem *item) { m_tree->editItem(item, 1); });
    connect(m_tree, &QTreeWidget::currentItemChanged, this, [this] {
        m_refused.clear();
        explain();
        if (!m_filling && !currentKey().isEmpty()) Q_EMIT keyChosen(currentKey());
    });
    connect(m_add, &QPushButton::clicked, this, &JobForm::addNode);
    connect(m_paste, &QPushButton::clicked, this, &JobForm::pasteWanted);
    connect(m_remove, &QPushButton::clicked, this, &JobForm::removeNode);
}

QString JobForm::currentKey() const { return pathOf(m_tree->currentItem()); }

void JobForm::addSection(const std::string &prefix, const QString &title)
{
    auto *section = new QTreeWidgetItem(m_tree, {title});
    section->setData(1, JobField::pathRole, fromNode(prefix));
    section->setFont(0, Theme::of(this).font(Font::bold));
    section->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    const std::string start = prefix.empty() ? prefix : prefix + ".";
    const std::string general = prefix.starts_with("nodes[") ? "nodes[]" : prefix;
    for (const JobKey &key : jobKeys) {
        if (sectionOf(key.path) != general) continue;
        const std::string name(key.path.substr(general.empty() ? 0 : general.size() + 1));
        auto *item = new QTreeWidgetItem(section, {fromNode(name)});
        item->setData(1, JobField::pathRole, fromNode(start + name));
        item->setToolTip(0, toolTipOf(jobKeyHelp(key)));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable);
    }
}

// Adds the sections in the order of the table; sections without a value are collapsed at first.
void JobForm::build(std::size_t nodes)
{
    const QString current = currentKey();
    m_tree->clear();
    m_nodes = nodes;
    std::string last = "none";
    for (const JobKey &key : jobKeys) {
        const std::string section = sectionOf(key.path);
        if (section == last) continue;
        last = section;
        if (section != "nodes[]") {
            addSection(section, section.empty() ? tr("Job") : fromNode(section));
            continue;
        }
        for (std::size_t node = 0; node < nodes; ++node) {
            const std::string path = "nodes[" + std::to_string(node) + "]";
            addSection(path, fromNode(path));
        }
    }
    std::size_t seen = 0;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem *section = m_tree->topLevelItem(i);
        const std::string path = pathOf(section).toStdString();
        const bool late = path.starts_with("nodes[") && seen++ >= mostOpenNodes;
        section->setExpanded(path.empty() || (valueAt(m_text, path) && !late));
    }
    showKey(current);
}

void JobForm::setText(const QString &text, const std::optional<Job> &job, const QString &problem)
{
    const std::string bytes = text.toStdString();
    m_job = job;
    m_problem = problem;
    const auto readable = static_cast<bool>(locateMembers(bytes));
    m_tree->setEnabled(readable);
    m_add->setEnabled(readable);
    m_paste->setEnabled(readable);
    if (readable) {
        m_text = bytes;  // otherwise the rows stay unchanged and disabled
        fill();
    }
    explain();
}

void JobForm::fill()
{
    m_filling = true;
    const std::size_t nodes = elementsAt(m_text, "nodes");
    if (nodes != m_nodes || m_tree->topLevelItemCount() == 0) build(nodes);
    const Theme &theme = Theme::of(this);
    const QString wrong = keyOfProblem(m_problem);
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem *section = m_tree->topLevelItem(i);
        for (int k = 0; k < section->childCount(); ++k) {
            QTreeWidgetItem *item = section->child(k);
            const QString path = pathOf(item);
            const JobKey *key = jobKeyOf(path.toStdString());
            const auto span = valueAt(m_text, path.toStdString());
            const QString value = span ? fromNode(fieldOf(key->value, span->of(m_text))) : QString();
            item->setText(1, value);
            item->setForeground(0, theme.color(span ? Role::text : Role::text2));
            item->setIcon(1, !m_problem.isEmpty() && isIn(wrong, path) ? glyphIcon(Glyph::refuses, theme) : QIcon());
            if (path == QLatin1String("launch.recipe")) m_field->setRecipe(value);
            if (path.startsWith(QLatin1String("nodes[")) && path.endsWith(QLatin1String(".host")))
                section->setText(1, value);
        }
    }
    m_filling = false;
}

// Writes a typed value into the text, or shows why it is refused.
void JobForm::take(QTreeWidgetItem *item)
{
    const QString path = pathOf(item);
    const JobKey *key = jobKeyOf(path.toStdString());
    if (m_filling || key == nullptr) return;
    const std::string field = item->text(1).toStdString();
    const auto old = valueAt(m_text, path.toStdString());
    if (field == (old ? fieldOf(key->value, old->of(m_text)) : std::string())) return;
    m_refused.clear();
    auto json = jsonOfField(key->value, field);
    if (!json && !field.empty()) {
        m_refused = sentence(fromCore(json.error().message));
    } else {
        const auto text =
            field.empty() ? withoutValue(m_text, path.toStdString()) : withValue(m_text, path.toStdString(), *json);
        if (text)
            Q_EMIT edited(QString::fromStdString(*text));
        else
            m_refused = sentence(fromCore(text.error().message));
    }
    fill();  // shows the current text
    explain();
}

QTreeWidgetItem *JobForm::itemOf(const QString &path) const
{
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem *section = m_tree->topLevelItem(i);
        for (int k = 0; k < section->childCount(); ++k)
            if (isIn(path, pathOf(section->child(k)))) return section->child(k);
    }
    return nullptr;
}

void JobForm::showKey(const QString &path)
{
    QTreeWidgetItem *item = itemOf(path);
    if (item == nullptr || item == m_tree->currentItem()) return;
    const bool before = std::exchange(m_filling, true);
    m_tree->setCurrentItem(item, 1);
    m_filling = before;
}

QString JobForm::preview(const QString &path, const QString &value) const
{
    if (!m_job || value.isEmpty() || !value.contains(QLatin1Char('{'))) return {};
    if (placeholdersOf(path, m_field->recipe()).isEmpty()) return {};
    QStringList lines;
    const int ranks = m_job->ranks();
    for (int rank = 0; rank < ranks; ++rank) {
        if (rank >= mostPreviewed - 1 && rank < ranks - 1) continue;
        Placeholders values = rankPlaceholders(*m_job, rank);
        for (const char *later : {"checkpoint", "checkpoint_dir", "epoch", "step", "global_step"})
            values[later] = std::string("{") + later + "}";
        auto text = expand(value.toStdString(), values);
        if (!text) text = expandWords(value.toStdString(), values);
        if (!text) return {};
        if (rank == ranks - 1 && ranks > mostPreviewed) lines << QStringLiteral("…");
        lines << tr("rank %1: %2").arg(QString::number(rank), fromNode(*text));
    }
    return lines.join(QLatin1Char('\n'));
}

void JobForm::explain()
{
    const QTreeWidgetItem *item = m_tree->currentItem();
    const QString path = pathOf(item);
    const JobKey *key = jobKeyOf(path.toStdString());
    m_remove->setEnabled(m_tree->isEnabled() && nodeOfCurrent() < m_nodes && m_nodes > 1);
    const QStringList placeholders = key != nullptr ? placeholdersOf(path, m_field->recipe()) : QStringList();
    QStringList more;
    if (key != nullptr && !jobFieldHint(*key).isEmpty()) more << jobFieldHint(*key);
    if (!placeholders.isEmpty()) more << tr("Placeholders: %1").arg(placeholders.join(QLatin1Char(' ')));
    m_key->setText(key != nullptr ? path : tr("Choose a key to see what it is for."));
    m_help->setText(key != nullptr ? jobKeyHelp(*key) : QString());
    m_more->setText(more.join(QLatin1Char('\n')));
    m_preview->setText(key != nullptr ? preview(path, item->text(1)) : QString());
    QString wrong = m_refused;
    if (wrong.isEmpty() && !m_tree->isEnabled()) wrong = tr("The text is not valid JSON. The form waits until it is.");
    if (wrong.isEmpty() && key != nullptr && isIn(keyOfProblem(m_problem), path))
        wrong = sentence(m_problem.section(QStringLiteral(": "), 2));
    m_wrong->setText(wrong);
    for (Label *one : {m_help, m_more, m_preview, m_wrong}) one->setVisible(!one->text().isEmpty());
}

std::size_t JobForm::nodeOfCurrent() const
{
    const QString path = currentKey();
    if (!path.startsWith(QLatin1String("nodes["))) return m_nodes;
    return path.mid(6, path.indexOf(QLatin1Char(']')) - 6).toULongLong();
}

void JobForm::addNode()
{
    const std::string path = "nodes[" + std::to_string(m_nodes) + "]";
    const auto text = withValue(m_text, path, R"({"host": ""})");
    if (!text) return;
    Q_EMIT edited(QString::fromStdString(*text));
    showKey(fromNode(path + ".host"));
    m_tree->setFocus();
    m_tree->editItem(m_tree->currentItem(), 1);
}

void JobForm::removeNode()
{
    const auto text = withoutValue(m_text, "nodes[" + std::to_string(nodeOfCurrent()) + "]");
    if (text) Q_EMIT edited(QString::fromStdString(*text));
}

}  // namespace rankdeck::ui
