// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/subresources/subresources.h"

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/subresources/conditions.h"

namespace berth::apiserver {

using nlohmann::json;

Written Success(int code) {
  return {DocumentText(json({{"kind", "Status"},
                             {"apiVersion", "v1"},
                             {"metadata", json::object()},
                             {"status", "Success"},
                             {"code", code}})),
          true};
}

Answer<Written> BindPod(State& state, const WriteCall& call, const json& binding) {
  if (TextAt(binding, "metadata/name") != call.name) {
    return Reject(BadRequest("name in URL does not match name in Binding object"));
  }
  const std::string node = TextAt(binding, "target/name");
  const std::string kind = TextAt(binding, "target/kind");
  // The real server does not convert these errors to a Status with a reason.
  if (!kind.empty() && kind != "Node") {
    return Reject(Unclassified("target.kind: Unsupported value: " + Quoted(kind) +
                               ": supported values: \"Node\", \"<empty>\""));
  }
  if (node.empty()) return Reject(Unclassified("target.name: Required value"));
  const std::string uid = TextAt(binding, "metadata/uid");
  const GroupResource resource = {"", "pods/binding"};
  const auto bind = [&](json& pod) -> Answer<void> {
    const auto reject = [&](const std::string& why) {
      return Reject(Conflict(resource, call.name, why));
    };
    if (!uid.empty() && uid != TextAt(pod, "metadata/uid")) {
      return Reject(Conflict(call.kind->Resource(), call.name,
                             UidMismatch(uid, TextAt(pod, "metadata/uid"))));
    }
    if (At(pod, "metadata/deletionTimestamp") != nullptr)
      return reject("pod " + call.name + " is being deleted, cannot be assigned to a host");
    if (const std::string host = TextAt(pod, "spec/nodeName"); !host.empty()) {
      return reject("pod " + call.name + " is already assigned to node " + Quoted(host));
    }
    if (const json* gates = At(pod, "spec/schedulingGates"); gates != nullptr && !gates->empty()) {
      return reject("pod " + call.name + " has non-empty .spec.schedulingGates");
    }
    pod["spec"]["nodeName"] = node;
    pod["status"].erase("nominatedNodeName");
    if (const json* annotations = At(binding, "metadata/annotations"))
      pod["metadata"]["annotations"].update(*annotations);
    PutCondition(pod["status"],
                 {{"type", "PodScheduled"}, {"status", "True"}, {"lastProbeTime", nullptr}},
                 state.clock.Wall());
    return {};
  };
  const auto bound = Writer(state).Change(call, bind, Ownership::kUntouched);
  if (!bound) return Reject(bound.error());
  return Success(201);
}

}  // namespace berth::apiserver
