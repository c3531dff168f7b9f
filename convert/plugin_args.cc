// SPDX-License-Identifier: Apache-2.0
#include "convert/plugin_args.h"

#include "base/strings.h"

namespace berth::convert {
namespace {

template <class Item>
json::Raw EncodedList(const std::vector<Item>& items) {
  std::vector<std::string> texts;
  for (const Item& item : items) texts.push_back(json::Encode(item));
  return {"[" + Join(texts, ",") + "]"};
}

}  // namespace

json::Raw RatioStrategy(const api::PolicyCapacityRatio& ratio) {
  std::vector<api::PolicyResource> resources = ratio.resources;
  for (api::PolicyResource& resource : resources) {
    if (resource.weight == 0) resource.weight = 1;
  }
  return ScoringStrategy("RequestedToCapacityRatio",
                         resources.empty() ? json::Raw{} : EncodedList(resources),
                         EncodedList(ratio.shape));
}

}  // namespace berth::convert
