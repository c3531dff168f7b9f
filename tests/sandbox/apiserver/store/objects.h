// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/store/object.h"

namespace berth::apiserver {

// The selectable fields of the test's pods.
inline const std::vector<std::string> kPodFields = {"spec.nodeName", "status.phase"};

// Returns a draft of a pod; `change` edits the document first.
template <class Change>
Draft MakePod(const std::string& name_space, const std::string& name, Change change) {
  nlohmann::json pod = {{"apiVersion", "v1"},
                        {"kind", "Pod"},
                        {"metadata", {{"name", name}, {"namespace", name_space}}},
                        {"spec", {{"nodeName", ""}}},
                        {"status", {{"phase", "Pending"}}}};
  change(pod);
  std::vector<std::string> fields = {pod["spec"]["nodeName"], pod["status"]["phase"]};
  return MakeDraft(pod, std::move(fields));
}

inline Draft MakePod(const std::string& name_space, const std::string& name) {
  return MakePod(name_space, name, [](nlohmann::json&) {});
}

inline Draft MakePodOn(const std::string& name_space, const std::string& name,
                       const std::string& node) {
  return MakePod(name_space, name, [&](nlohmann::json& pod) { pod["spec"]["nodeName"] = node; });
}

}  // namespace berth::apiserver
