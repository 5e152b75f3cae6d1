// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/demo.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <unistd.h>

namespace rankdeck::ctl {

void addDemoOptions(CLI::App &command, DemoCommand &into)
{
    demo::DemoOptions &cluster = into.options.demo;
    command.add_option("--ranks", cluster.ranks, "How many ranks train")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    command.add_option("--nodes", cluster.nodes, "How many nodes, with one sshd each")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command
        .add_option("--fault", cluster.faults,
                    "kill:RANK, exit:RANK, raise:RANK, memory:RANK, nan:RANK, hang:RANK, tear:RANK, slow:NODE, "
                    "cut:NODE, full; @STEP sets when")
        ->type_name("FAULT");
    command.add_option("--for", into.seconds, "End after this time; default: at Ctrl-C")
        ->type_name("SECONDS")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--step-seconds", cluster.stepSeconds, "How long a step takes")
        ->check(CLI::Range(0.001, 3600.0))
        ->capture_default_str();
    command.add_option("--save-steps", cluster.saveSteps, "Steps between checkpoints")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    command.footer("More faults are read from stdin, one per line, while the demo runs on a terminal or a pipe.\n" +
                   command.get_footer());
}

int demo(const Globals &globals, const DemoCommand &command)
{
    demo::DemoCommandOptions options = command.options;
    options.json = globals.json;
    options.faultInput = STDIN_FILENO;
    if (command.seconds > 0) options.forSeconds = command.seconds;
    return demo::runDemo(options, std::cout, std::cerr);
}

}  // namespace rankdeck::ctl
