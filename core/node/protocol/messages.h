// SPDX-License-Identifier: GPL-3.0-or-later
// All that can be asked of a node and all that it tells. Values; nothing here fails.
#pragma once

#include "core/node/protocol/file_messages.h"
#include "core/node/protocol/node_status.h"
#include "core/node/protocol/process_messages.h"
#include "core/node/protocol/tail_messages.h"
