// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "crds/scheduler_profile.h"

namespace berth::convert {

// Members is a JSON object of any shape and RawList a list of any values; both hold unparsed text.
using Members = std::map<std::string, json::Raw>;

struct RawList {
  std::vector<json::Raw> items;
  static auto Fields() { return json::Object(json::Field("items", &RawList::items)); }
};

// kMostWeight is the maximum weight of a plugin or an extender. A Policy allowed greater weights.
inline constexpr int64_t kMostWeight = std::numeric_limits<int32_t>::max();

// EngineChoice selects when the image of the source's scheduler becomes the engine: if the source
// has plugins that this version lacks, or always. With an image, plugins that kube-scheduler lacks
// belong to the image, and their names and arguments are kept. Otherwise Berth's core is the
// engine.
enum class EngineChoice { kImageWhereNeeded, kImage };

// Draft is a profile under construction.
struct Draft {
  std::string scheduler_name;  // from the source; empty: not set
  crds::SchedulerProfileSpec spec;
  std::vector<std::string> comments;  // lines printed before the profile

  bool operator==(const Draft&) const = default;
};

// Returns the arguments of a plugin; adds them if there are none.
json::Raw& ArgsOf(crds::SchedulerProfileSpec& spec, std::string_view plugin);

// Sets a member of a JSON object; empty text is an object without members. Requires: `object` is an
// object, `value` is JSON.
void SetMember(json::Raw& object, const std::string& name, json::Raw value);

// Returns the resources of a scoring strategy by default: cpu and memory with equal weights.
json::Raw DefaultResources();

// Returns the member scoringStrategy of NodeResourcesFit's arguments. Empty `resources` means
// DefaultResources(); empty `shape` means no shape.
json::Raw ScoringStrategy(std::string_view type, const json::Raw& resources,
                          const json::Raw& shape);

// Adds a plugin to a list unless the list already contains it.
void AppendOnce(std::vector<api::Plugin>& list, std::string_view name, int32_t weight = 0);
void AppendOnce(std::vector<api::DisabledPlugin>& list, std::string_view name);

}  // namespace berth::convert
