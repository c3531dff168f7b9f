// SPDX-License-Identifier: Apache-2.0
#include "crds/plugin_sets.h"

namespace berth::crds {

const std::array<Plugins::Point, 15>& Plugins::Points() {
  static constexpr std::array<Point, 15> kPoints{{
      {"preEnqueue", &Plugins::pre_enqueue},
      {"queueSort", &Plugins::queue_sort},
      {"preFilter", &Plugins::pre_filter},
      {"filter", &Plugins::filter},
      {"postFilter", &Plugins::post_filter},
      {"preScore", &Plugins::pre_score},
      {"score", &Plugins::score},
      {"reserve", &Plugins::reserve},
      {"permit", &Plugins::permit},
      {"preBind", &Plugins::pre_bind},
      {"bind", &Plugins::bind},
      {"postBind", &Plugins::post_bind},
      {"placementGenerate", &Plugins::placement_generate},
      {"placementScore", &Plugins::placement_score},
      {"multiPoint", &Plugins::multi_point},
  }};
  return kPoints;
}

}  // namespace berth::crds
