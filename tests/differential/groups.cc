// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/groups.h"

#include <utility>

#include "tests/differential/written.h"

namespace berth::differential {
namespace {

Json PolicyOf(const Json& min_count) {
  if (min_count.is_null()) return {{"basic", Json::object()}};
  return {{"gang", {{"minCount", min_count}}}};
}

Result<Operation> CreateGroup(Json written, const Defaults& defaults) {
  Json status = Take(written, "status");
  BERTH_TRY(Json metadata, TakeMetadata(written));
  if (!metadata.contains("namespace")) metadata["namespace"] = defaults.ns;
  const Json min_count = Take(written, "minCount");
  if (!written.contains("schedulingPolicy")) written["schedulingPolicy"] = PolicyOf(min_count);
  if (const Json key = Take(written, "topology"); !key.is_null()) {
    written["schedulingConstraints"]["topology"] = Json::array({{{"key", key}}});
  }
  Json& mode = written["disruptionMode"];
  if (mode.is_string()) mode = {{mode.get<std::string>(), Json::object()}};
  if (mode.is_null()) written.erase("disruptionMode");
  const ObjectName name{std::string(kGroupKind), metadata["namespace"], metadata["name"]};
  Json body = {{"apiVersion", "scheduling.k8s.io/v1beta1"},
               {"kind", "PodGroup"},
               {"metadata", std::move(metadata)},
               {"spec", std::move(written)}};
  return Operation{Operation::Verb::kCreate, name, std::move(body), "", std::move(status)};
}

}  // namespace

Result<std::vector<Operation>> CreateGroups(const Json& written, const Defaults& defaults) {
  return CreateEach(written, [&](Json one) { return CreateGroup(std::move(one), defaults); });
}

ObjectName GroupNamed(const std::string& name, const Defaults& defaults) {
  ObjectName group = PodNamed(name, defaults);
  group.kind = kGroupKind;
  return group;
}

}  // namespace berth::differential
