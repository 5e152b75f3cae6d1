// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/job_field.h"

#include "core/job/job_file.h"
#include "core/job/text/job_text.h"
#include "ui/style/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QLineEdit>

namespace rankdeck::ui {

namespace {

const char *const names[] = {"rank",       "local_rank",     "device", "node", "node_index", "world_size",
                             "checkpoint", "checkpoint_dir", "epoch",  "step", "global_step"};

// The text as a JSON value for this kind of key; empty: it cannot be one.
std::string valueWith(const JobKey &key, const std::string &text)
{
    switch (key.value) {
    case JobValue::text: return "\"" + text + "\"";
    case JobValue::words: return "[\"" + text + "\"]";
    case JobValue::map:
    case JobValue::other: return "{\"k\": \"" + text + "\"}";
    default: return {};
    }
}

// The position of an open brace before the cursor; -1: none.
qsizetype openBrace(const QString &before)
{
    const qsizetype brace = before.lastIndexOf(QLatin1Char('{'));
    const bool open = brace >= 0 && before.indexOf(QLatin1Char('}'), brace) < 0;
    const bool literal = brace > 0 && before[brace - 1] == QLatin1Char('{');
    return open && !literal ? brace : -1;
}

void complete(QLineEdit *edit, const QStringList &placeholders)
{
    auto *completer = new QCompleter(placeholders, edit);
    completer->setWidget(edit);
    QObject::connect(edit, &QLineEdit::textEdited, completer, [edit, completer] {
        const QString before = edit->text().left(edit->cursorPosition());
        const qsizetype brace = openBrace(before);
        completer->setCompletionPrefix(brace < 0 ? QString() : before.mid(brace));
        if (brace < 0 || completer->completionCount() == 0) return completer->popup()->hide();
        completer->complete();
    });
    QObject::connect(completer, qOverload<const QString &>(&QCompleter::activated), edit,
                     [edit](const QString &placeholder) {
                         const auto brace = static_cast<int>(openBrace(edit->text().left(edit->cursorPosition())));
                         if (brace < 0) return;
                         edit->setSelection(brace, edit->cursorPosition() - brace);
                         edit->insert(placeholder);
                     });
}

}  // namespace

// Tries each placeholder with the real parser, in the smallest job file that has this key.
QStringList placeholdersOf(const QString &path, const QString &recipe)
{
    const JobKey *key = jobKeyOf(path.toStdString());
    if (key == nullptr || valueWith(*key, {}).empty()) return {};
    std::string at(key->path);
    if (const auto index = at.find("[]"); index != std::string::npos) at.replace(index, 2, "[0]");
    const std::string launch =
        recipe.isEmpty() ? std::string() : ", \"recipe\": " + *jsonOfField(JobValue::text, recipe.toStdString());
    const std::string smallest =
        R"({"rankdeck": 1, "name": "x", "nodes": [{"host": "h", "ranks": [0]}], "launch": {"config": "/x")" + launch +
        "}}";
    const auto taken = [&](const std::string &name) {
        const auto text = withValue(smallest, at, valueWith(*key, "{" + name + "}"));
        return text && parseJob(*text);
    };
    QStringList known;
    if (taken("none_of_these")) return known;  // the value accepts any name, so braces have no meaning here
    for (const char *name : names)
        if (taken(name)) known << QStringLiteral("{%1}").arg(QLatin1String(name));
    return known;
}

QWidget *JobField::createEditor(QWidget *parent, const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const QString path = index.data(pathRole).toString();
    const JobKey *key = index.column() == 1 ? jobKeyOf(path.toStdString()) : nullptr;
    if (key == nullptr) return nullptr;
    if (const auto choices = choicesOf(*key); !choices.empty()) {
        auto *list = new QComboBox(parent);
        list->addItem({});
        for (const std::string &choice : choices) list->addItem(QString::fromStdString(choice));
        list->setAccessibleName(path);
        auto *self = const_cast<JobField *>(this);  // NOLINT(cppcoreguidelines-pro-type-const-cast): Qt's own way
        connect(list, &QComboBox::activated, self, [self, list] {
            Q_EMIT self->commitData(list);
            Q_EMIT self->closeEditor(list);
        });
        return list;
    }
    auto *line = new QLineEdit(parent);
    line->setAccessibleName(path);
    line->setFrame(false);
    if (const QStringList placeholders = placeholdersOf(path, m_recipe); !placeholders.isEmpty())
        complete(line, placeholders);
    return line;
}

void JobField::updateEditorGeometry(QWidget *editor, const QStyleOptionViewItem &option, const QModelIndex &) const
{
    editor->setGeometry(option.rect);
}

QSize JobField::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    return {QStyledItemDelegate::sizeHint(option, index).width(), scaled(22)};
}

}  // namespace rankdeck::ui
