// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/start/ssh_hosts.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <gtest/gtest.h>

namespace rankdeck::ui::ssh_hosts_test {
namespace {

void write(const QString &path, const QByteArray &text)
{
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
}

TEST(SshHosts, ReadsAliasesAndSkipsPatterns)
{
    const QStringList aliases =
        aliasesIn("# Host commented\nHost ascend-01 ascend-02\n  HostName 10.0.0.1\nhost=lab-3\nHOST \"old gpu\" "
                  "*.internal !secret gpu?\nHost *\n\tUser lin\nMatch host x\nHost ascend-01\n");
    EXPECT_EQ(aliases, (QStringList{QStringLiteral("ascend-01"), QStringLiteral("ascend-02"), QStringLiteral("lab-3"),
                                    QStringLiteral("old gpu")}));
}

TEST(SshHosts, RefusesAliasesThatLookLikeOptions) { EXPECT_TRUE(aliasesIn("Host -oProxyCommand=evil\n").isEmpty()); }

TEST(SshHosts, ConfigBelongsToTheAccountRegardlessOfHome)
{
    const QByteArray home = qgetenv("HOME");
    const QString before = userSshConfig();
    qputenv("HOME", "/nowhere");
    EXPECT_EQ(userSshConfig(), before);
    EXPECT_FALSE(userSshConfig().startsWith(QLatin1String("/nowhere")));
    qputenv("HOME", home);
}

TEST(SshHosts, FollowsIncludesAndSurvivesLoops)
{
    const QTemporaryDir dir;
    write(dir.filePath(QStringLiteral("config")),
          QStringLiteral("Include %1/conf.d/*\nHost last\n").arg(dir.path()).toUtf8());
    QDir(dir.path()).mkdir(QStringLiteral("conf.d"));
    write(dir.filePath(QStringLiteral("conf.d/a")),
          QStringLiteral("Host first\nInclude %1/config\n").arg(dir.path()).toUtf8());
    EXPECT_EQ(sshAliases(dir.filePath(QStringLiteral("config"))),
              (QStringList{QStringLiteral("first"), QStringLiteral("last")}));
    EXPECT_TRUE(sshAliases(dir.filePath(QStringLiteral("missing"))).isEmpty());
}

}  // namespace
}  // namespace rankdeck::ui::ssh_hosts_test
