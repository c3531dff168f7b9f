// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "controllers/plugin_reference.h"

namespace berth::operator_ {

inline constexpr const char* kPluginPagePath = "docs/plugins.md";

// PluginPage is the reference of all plugins for people, in Markdown.
std::string PluginPage(const controllers::PluginReferences& references);

}  // namespace berth::operator_
