// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "crds/plugin_catalogue.h"
#include "crds/plugin_lists.h"

namespace berth::convert {

// Side is the half of a plugin that a Policy names: as a predicate, which may also have to reserve
// what it has admitted, or as a priority.
enum class Side { kFilter, kScore };

// PointsOf gives the extension points at which a plugin does this half of its work.
std::vector<std::string> PointsOf(std::string_view plugin, Side side,
                                  const crds::PluginCatalogueView& catalogue);

}  // namespace berth::convert
