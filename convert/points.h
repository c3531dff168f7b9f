// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "crds/plugin_catalogue.h"
#include "crds/plugin_lists.h"

namespace berth::convert {

// Side selects the half of a plugin that a Policy entry enables: a predicate (which may include
// reserve) or a priority.
enum class Side { kFilter, kScore };

// Returns the extension points of this half of a plugin.
std::vector<std::string> PointsOf(std::string_view plugin, Side side,
                                  const crds::PluginCatalogueView& catalogue);

}  // namespace berth::convert
