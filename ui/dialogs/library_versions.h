// SPDX-License-Identifier: GPL-3.0-or-later
// The libraries of the program: name, version, licence. The version is the loaded one if the library reports it, else
// the one of the build; empty: unknown.
#pragma once

#include <QList>
#include <QString>

namespace rankdeck::ui {

struct LibraryVersion {
    QString name, version, licence;
};
QList<LibraryVersion> libraryVersions();  // the program itself first

}  // namespace rankdeck::ui
