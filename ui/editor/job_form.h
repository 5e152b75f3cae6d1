// SPDX-License-Identifier: GPL-3.0-or-later
// A job file as a form: a row per key of core/job/text/job_keys.h, by section and node. Below: the purpose of the key,
// its placeholders, and its value on each rank. It owns no text: it receives one, and emits the edited one.
#pragma once

#include "core/job/job.h"

#include <QWidget>

#include <optional>

class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace rankdeck::ui {

class JobField;
class Label;

class JobForm : public QWidget {
    Q_OBJECT
public:
    explicit JobForm(QWidget *parent = nullptr);
    // job: the parsed text; empty: not a valid job file, for the reason in problem.
    void setText(const QString &text, const std::optional<Job> &job, const QString &problem);
    void showKey(const QString &path);  // selects the row of a key, or of its parent
    [[nodiscard]] QString currentKey() const;

Q_SIGNALS:
    void edited(const QString &text);  // text: the whole file, with one key changed
    void keyChosen(const QString &path);
    void pasteWanted();  // paste the start command of the job from the clipboard

private:
    void build(std::size_t nodes);
    void addSection(const std::string &prefix, const QString &title);
    void fill();
    void take(QTreeWidgetItem *item);
    void explain();
    void addNode();
    void removeNode();
    [[nodiscard]] QString preview(const QString &path, const QString &value) const;
    [[nodiscard]] QTreeWidgetItem *itemOf(const QString &path) const;
    [[nodiscard]] std::size_t nodeOfCurrent() const;  // an index past the last node: none

    std::string m_text;
    std::optional<Job> m_job;
    QString m_problem, m_refused;
    std::size_t m_nodes = 0;
    bool m_filling = false;
    QTreeWidget *m_tree;
    JobField *m_field;
    Label *m_key, *m_help, *m_more, *m_preview, *m_wrong;
    QPushButton *m_add, *m_remove, *m_paste;
};

}  // namespace rankdeck::ui
