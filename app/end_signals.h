// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT, SIGTERM, SIGHUP and SIGQUIT as a request to end, reported on the GUI thread. The handler only writes one byte
// into a pipe, which is async-signal-safe. One per program. If no pipe can be made, the signals keep their default
// action.
#pragma once

#include <QObject>

#include <functional>

namespace rankdeck {

class EndSignals : public QObject {
public:
    explicit EndSignals(std::function<void()> ended);
    ~EndSignals() override;

private:
    std::function<void()> m_ended;
};

}  // namespace rankdeck
