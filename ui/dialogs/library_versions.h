// SPDX-License-Identifier: GPL-3.0-or-later
// The libraries that the program stands on: name, version, licence. Of those that do not tell their version when they are
// loaded it is that of the build; empty: nobody tells it.
#pragma once

#include <QList>
#include <QString>

namespace rankdeck::ui {

struct LibraryVersion {
    QString name, version, licence;
};
QList<LibraryVersion> libraryVersions();  // the program itself first

}  // namespace rankdeck::ui
