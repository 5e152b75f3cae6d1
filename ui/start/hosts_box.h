// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts to tick: from the ssh config, a typed name or range, a hostfile or a rank table. Below the list is the full
// reason why the chosen host cannot be used, with the possible actions.
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
    // search may be nullptr; it must outlive this object, unless unload() is called.
    HostsBox(HostSearch *search, const QString &sshConfig, QWidget *parent = nullptr);
    [[nodiscard]] HostsModel &model() { return *m_model; }
    void addHosts(const QStringList &hosts);  // adds and ticks them
    void addHostsOf(const QString &file);     // from a hostfile or a rank table; refused() reports an error in it

Q_SIGNALS:
    void refused(const QString &bold, const QString &text);  // the input is not a host; empty: the problem is solved

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
