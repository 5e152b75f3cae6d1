// SPDX-License-Identifier: GPL-3.0-or-later
// The Host aliases of an OpenSSH config, for choosing from: in file order, no patterns, no negations, Include followed.
// Reads names only; what they mean is asked of `ssh -G`. A file that is missing or unreadable has no aliases.
#pragma once

#include <QStringList>

namespace rankdeck::ui {

QStringList sshAliases(const QString &configPath);
QStringList aliasesIn(const QByteArray &config);  // of one file's text, Include not followed
QString userSshConfig();                          // ~/.ssh/config of the account, as ssh takes it: not of $HOME

}  // namespace rankdeck::ui
