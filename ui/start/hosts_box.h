// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts to tick: those of the ssh config, those that are typed as names, as a range, or given by a hostfile or a rank
// table. Under the list stands, whole, why the chosen host cannot be used, with what can be done about it.
#pragma once

#include "ui/start/hosts_model.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;

namespace rankdeck::ui {

class Card;
class GlyphLabel;
class Label;
class Table;

class HostsBox : public QWidget {
    Q_OBJECT
public:
    // search may be nullptr; it must live as long as this, or unload() is called.
    HostsBox(HostSearch *search, const QString &sshConfig, QWidget *parent = nullptr);
    [[nodiscard]] HostsModel &model() { return *m_model; }
    void addHosts(const QStringList &hosts);  // ticked
    void addHostsOf(const QString &file);     // of a hostfile or a rank table; what is wrong with it is refused()

Q_SIGNALS:
    void refused(const QString &bold, const QString &text);  // what was given is no host; empty: it is one again

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeHead(const QString &config, int names);
    QWidget *makeFoot();
    QWidget *makeTrouble();
    void addTyped();
    void chooseFile();
    void askSlurm(const std::string &job);
    void answer();
    void refresh();
    void showTrouble();
    [[nodiscard]] int firstIn(NodeState state) const;  // row; -1: none
    [[nodiscard]] int chosenRow() const;

    HostSearch *m_search;
    HostsModel *m_model;
    QSortFilterProxyModel *m_filter;
    Table *m_table;
    QLineEdit *m_add;
    Card *m_trouble;
    GlyphLabel *m_sign;
    Label *m_why;
    QPushButton *m_answer, *m_retry;
};

}  // namespace rankdeck::ui
