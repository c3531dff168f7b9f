// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "controllers/plugin_reference.h"

namespace berth::operator_ {

inline constexpr const char* kPluginPagePath = "docs/plugins.md";

// Returns the plugin reference in Markdown.
std::string PluginPage(const controllers::PluginReferences& references);

}  // namespace berth::operator_
