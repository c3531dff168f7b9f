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

// Members is an object of any shape, RawList a list of anything: text that is passed on.
using Members = std::map<std::string, json::Raw>;

struct RawList {
  std::vector<json::Raw> items;
  static auto Fields() { return json::Object(json::Field("items", &RawList::items)); }
};

// kMostWeight is the greatest weight of a plugin or an extender; a Policy knew greater ones.
inline constexpr int64_t kMostWeight = std::numeric_limits<int32_t>::max();

// EngineChoice says when the image of the source's scheduler becomes the engine: where the source has
// plugins that this version has not, or always. Then names and arguments of plugins that kube-scheduler
// has not got are the image's, and stay as they are. Otherwise Berth's core takes its place.
enum class EngineChoice { kImageWhereNeeded, kImage };

// Draft is a profile in the making.
struct Draft {
  std::string scheduler_name;  // of the source; empty: it names none
  crds::SchedulerProfileSpec spec;
  std::vector<std::string> comments;  // lines that go before the profile

  bool operator==(const Draft&) const = default;
};

// ArgsOf gives the arguments of a plugin, made where there were none.
json::Raw& ArgsOf(crds::SchedulerProfileSpec& spec, std::string_view plugin);

// SetMember puts a member into the text of an object; an empty text is an object without members.
// Requires: `object` is an object, `value` JSON.
void SetMember(json::Raw& object, const std::string& name, json::Raw value);

// ScoringStrategy gives the member scoringStrategy of NodeResourcesFit's arguments. `resources`
// empty: cpu and memory alike; `shape` empty: none.
json::Raw ScoringStrategy(std::string_view type, const json::Raw& resources,
                          const json::Raw& shape);

// AppendOnce adds a plugin to a list that does not name it yet.
void AppendOnce(std::vector<api::Plugin>& list, std::string_view name, int32_t weight = 0);
void AppendOnce(std::vector<api::DisabledPlugin>& list, std::string_view name);

}  // namespace berth::convert
