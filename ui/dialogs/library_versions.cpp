// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/library_versions.h"

#include "core/node/session/libssh_version.h"

#include <QCoreApplication>

namespace rankdeck::ui {

QList<LibraryVersion> libraryVersions()
{
    const auto built = [](const char *name, const char *version, const char *licence) {
        return LibraryVersion{QString::fromLatin1(name), QString::fromLatin1(version), QString::fromLatin1(licence)};
    };
    return {{QStringLiteral("Rankdeck"), QCoreApplication::applicationVersion(), QStringLiteral("GPL-3.0-or-later")},
            {QStringLiteral("Qt"), QString::fromLatin1(qVersion()), QStringLiteral("LGPL-3.0-only")},
            built("QCustomPlot", BUILT_WITH_QCUSTOMPLOT, "GPL-3.0-or-later"),
            {QStringLiteral("libssh"), QString::fromStdString(libsshVersion()), QStringLiteral("LGPL-2.1-or-later")},
            built("SQLite", BUILT_WITH_SQLITE, "public domain"),
            built("JSON for Modern C++", BUILT_WITH_JSON, "MIT"),
            built("RE2", BUILT_WITH_RE2, "BSD-3-Clause"),
            built("libfyaml", BUILT_WITH_FYAML, "MIT"),
            built("zlib", BUILT_WITH_ZLIB, "Zlib")};
}

}  // namespace rankdeck::ui
