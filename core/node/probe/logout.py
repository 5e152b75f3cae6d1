# SPDX-License-Identifier: GPL-3.0-or-later
# Whether a launched program outlives the login that started it.


def logind_files(root):
    """Main file first. A file of a stronger directory hides its namesake; drop-ins come by name, wherever they are."""
    main, drop_ins = [], {}
    for place in (b"/usr/lib/systemd", b"/usr/local/lib/systemd", b"/run/systemd", b"/etc/systemd"):
        path = root + place + b"/logind.conf"
        main = [path] if os.path.exists(path) else main
        folder = path + b".d"
        if os.path.isdir(folder):
            drop_ins.update((name, os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(b".conf"))
    return main + [drop_ins[name] for name in sorted(drop_ins)]


def logind_settings(root=b""):
    """{name: value}. If no line sets a name, the commented-out line of the main file shows this system's default."""
    found, built = {}, {}
    for path in logind_files(root):
        for line in slurp(path).split(b"\n"):
            name, equals, value = line.strip().partition(b"=")
            if equals and name.startswith((b"Kill", b"#Kill")):
                (built if name.startswith(b"#") else found)[name.lstrip(b"#").strip()] = value.strip()
    built.update(found)
    return built


def logout_rule(settings, user, in_session):
    """(0 no, 1 yes, 2 unknown; from what)."""
    if not in_session:
        return 0, b"this login is in no session of systemd-logind"
    kill = settings.get(b"KillUserProcesses")
    if kill is None:
        return 2, b"the files of systemd-logind do not show whether it ends processes that a login leaves behind (KillUserProcesses)"
    if kill.lower() not in (b"yes", b"true", b"on", b"1"):
        return 0, b"KillUserProcesses=" + kill
    only = settings.get(b"KillOnlyUsers", b"").split()
    if user in settings.get(b"KillExcludeUsers", b"root").split() or (only and user not in only):
        return 0, b"KillUserProcesses=" + kill + b", but not for " + user
    return 1, b"KillUserProcesses=" + kill + (b": processes that this login starts are ended with it. Set KillUserProcesses=no, or add "
                                            b"the user to KillExcludeUsers, in /etc/systemd/logind.conf")


def user_manager_rule(user, groups, root=b""):
    """The same for a login that the user's own service manager has started, otherwise None. It ends with the last session, and
    so do all processes that it has started, unless the user lingers."""
    if not any(b"/user@" in line for line in groups):
        return None
    if os.path.exists(root + b"/var/lib/systemd/linger/" + user):
        return 0, b"the service manager of " + user + b" stays when the login ends (linger)"
    return 1, (b"this login runs under the service manager of " + user + b", which ends with the last session. Let it stay: loginctl "
               b"enable-linger " + user)


def logout_job(probe, request, reply):
    try:
        groups = slurp("/proc/self/cgroup").split(b"\n")
        in_session = any(b"/session-" in line and line.endswith(b".scope") for line in groups)
        user = user_name(os.geteuid())
        answer, text = user_manager_rule(user, groups) or logout_rule(logind_settings() if in_session else {}, user, in_session)
    except OSError as error:
        answer, text = 2, b"the settings of systemd-logind cannot be read: " + why(error)
    reply.write(bytes((answer,)) + blob(text))
    yield 0
