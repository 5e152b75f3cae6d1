// SPDX-License-Identifier: GPL-3.0-or-later
// A job file as a form: a row per key of core/job/text/job_keys.h, by section and node; below it what the key is for, which
// placeholders it takes and what becomes of it on each rank. It holds no text of its own: it is given one and says what
// that becomes.
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
    // job: what the text says; empty: it is no job file, for this reason.
    void setText(const QString &text, const std::optional<Job> &job, const QString &problem);
    void showKey(const QString &path);  // the row of a key, or of what it is in
    [[nodiscard]] QString currentKey() const;

Q_SIGNALS:
    void edited(const QString &text);  // the whole file, with one key changed
    void keyChosen(const QString &path);
    void pasteWanted();  // what starts the job, from the clipboard

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
    [[nodiscard]] std::size_t nodeOfCurrent() const;  // an index past the last: none

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
