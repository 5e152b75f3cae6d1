// SPDX-License-Identifier: GPL-3.0-or-later
// No job yet: hosts of the user's ssh config to look at, recent jobs, the demo cluster, a job file, a history. What it
// does is asked of the window by signals.
#pragma once

#include "ui/feed/job_sources.h"

#include <QWidget>

class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QVBoxLayout;

namespace rankdeck::ui {

class HostsModel;
class GlyphLabel;
class Label;
class Table;

class FirstStart : public QWidget {
    Q_OBJECT
public:
    explicit FirstStart(const JobSources &sources, QWidget *parent = nullptr);
    void setMessage(const QString &bold, const QString &text);  // why a job did not open; empty: nothing
    void setDemoBusy(bool busy);
    void setOfflineMenu(class QMenu *menu);
    [[nodiscard]] QString statusText() const;

Q_SIGNALS:
    void openJobWanted();
    void jobFileWanted(const QString &path);
    void demoWanted();
    void statusChanged();

private:
    QWidget *makeHosts(const JobSources &sources);
    QWidget *makeRight(const JobSources &sources);
    QWidget *makeRecent();
    QWidget *makeDemo(bool available);
    void addHost();
    void saveJobFile();
    void refresh();

    JobSources m_sources;
    HostsModel *m_model;
    QSortFilterProxyModel *m_filter;
    Table *m_table;
    QLineEdit *m_add;
    GlyphLabel *m_messageSign;
    Label *m_message, *m_saved;
    QPushButton *m_answer, *m_save, *m_demo = nullptr, *m_offline = nullptr;
};

}  // namespace rankdeck::ui
