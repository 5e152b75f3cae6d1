// SPDX-License-Identifier: GPL-3.0-or-later
// The Host aliases of an OpenSSH config, for selection: in file order, without patterns and negations, with Include
// followed. Reads only names; `ssh -G` resolves them later. A missing or unreadable file has no aliases.
#pragma once

#include <QStringList>

namespace rankdeck::ui {

QStringList sshAliases(const QString &configPath);
QStringList aliasesIn(const QByteArray &config);  // of one file's text; Include is not followed
QString userSshConfig();                          // ~/.ssh/config in the home of the account, ignoring $HOME, as in ssh

}  // namespace rankdeck::ui
