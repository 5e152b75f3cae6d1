// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing: the target that it belongs to owns the precompiled headers.
