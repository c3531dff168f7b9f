// SPDX-License-Identifier: Apache-2.0
#include "convert/points.h"

#include <array>
#include <span>

namespace berth::convert {

std::vector<std::string> PointsOf(std::string_view plugin, Side side,
                                  const crds::PluginCatalogueView& catalogue) {
  const bool filters = side == Side::kFilter;
  const crds::PluginView* view = catalogue.Find(plugin);
  if (view == nullptr) return {filters ? "filter" : "score"};
  static constexpr std::array<std::string_view, 4> kFilters = {"preFilter", "filter", "reserve",
                                                               "preBind"};
  static constexpr std::array<std::string_view, 2> kScores = {"preScore", "score"};
  const std::span<const std::string_view> candidates =
      filters ? std::span<const std::string_view>(kFilters) : kScores;
  std::vector<std::string> points;
  for (const std::string_view point : candidates) {
    if (view->Implements(point)) points.emplace_back(point);
  }
  return points;
}

}  // namespace berth::convert
