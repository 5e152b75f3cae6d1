// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/node/session/container/local_files.h"

#include "core/base/text.h"

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck {

namespace {

bool mayBeAnothers(const std::string &path)
{
    struct stat status = {};
    if (path.find('/') == std::string::npos || ::stat(path.c_str(), &status) != 0) return false;
    return (status.st_uid != 0 && status.st_uid != ::geteuid()) || (status.st_mode & 022) != 0;
}

}  // namespace

Status checkLocalFiles(const KubernetesSpec &cluster)
{
    for (const std::string &path : {cluster.kubeconfig, cluster.kubectl})
        if (mayBeAnothers(path))
            return fail(ErrorKind::refused,
                        message("Other users can write to %1, and its content can run programs here. Remove their "
                                "write permission (chmod go-w), or use your own copy.",
                                printable(path)));
    return Done{};
}

}  // namespace rankdeck
