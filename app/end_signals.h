// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT, SIGTERM, SIGHUP and SIGQUIT as a wish to end, told on the GUI thread: the handler writes one byte into a pipe,
// which is all that a handler may do. One per program. When no pipe can be made the signals keep their meaning.
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
