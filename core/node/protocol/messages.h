// SPDX-License-Identifier: GPL-3.0-or-later
// All requests to a node, and all its messages. Values; nothing here fails.
#pragma once

#include "core/node/protocol/file_messages.h"
#include "core/node/protocol/node_status.h"
#include "core/node/protocol/process_messages.h"
#include "core/node/protocol/tail_messages.h"
