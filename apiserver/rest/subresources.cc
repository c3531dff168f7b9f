// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/subresources.h"

#include <nlohmann/json.hpp>

#include "apiserver/kinds/selectors.h"
#include "apiserver/kinds/strategy.h"
#include "apiserver/rest/json_path.h"
#include "apiserver/rest/printer.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

Written Success(int code) {
  return {json({{"kind", "Status"},
                {"apiVersion", "v1"},
                {"metadata", json::object()},
                {"status", "Success"},
                {"code", code}})
              .dump(),
          true};
}

void SetScheduled(json& pod, const std::string& now) {
  json condition = {{"type", "PodScheduled"},
                    {"status", "True"},
                    {"lastProbeTime", nullptr},
                    {"lastTransitionTime", now}};
  json& conditions = pod["status"]["conditions"];
  if (!conditions.is_array()) conditions = json::array();
  for (json& existing : conditions) {
    if (existing.value("type", "") != "PodScheduled") continue;
    existing = std::move(condition);
    return;
  }
  conditions.push_back(std::move(condition));
}

// The JSON pointer of a simple path such as ".spec.replicas".
json::json_pointer PointerOf(std::string path) {
  for (char& c : path) c = c == '.' ? '/' : c;
  return json::json_pointer(path);
}

std::string SelectorOf(const KindInfo& kind, const json& object) {
  if (kind.scale) {
    const auto found = FindJsonPath(object, kind.scale->label_selector);
    return kind.scale->label_selector.empty() || found.empty() || !found[0]->is_string()
               ? ""
               : found[0]->get<std::string>();
  }
  const json* selector = At(object, "spec/selector");
  if (selector == nullptr) return "";
  const std::string text =
      kind.kind == "ReplicationController" ? MapText(selector) : SelectorText(selector);
  return text == "<none>" ? "" : text;
}

int64_t IntegerAt(const json& object, const std::string& path) {
  const auto found = FindJsonPath(object, path);
  return found.empty() || !found[0]->is_number_integer() ? 0 : found[0]->get<int64_t>();
}

std::string SpecPath(const KindInfo& kind) {
  return kind.scale ? kind.scale->spec_replicas : ".spec.replicas";
}
std::string StatusPath(const KindInfo& kind) {
  return kind.scale ? kind.scale->status_replicas : ".status.replicas";
}

}  // namespace

Answer<Written> BindPod(State& state, const WriteCall& call, const json& binding) {
  if (TextAt(binding, "metadata/name") != call.name) {
    return Refuse(BadRequest("name in URL does not match name in Binding object"));
  }
  const std::string node = TextAt(binding, "target/name");
  const std::string kind = TextAt(binding, "target/kind");
  // The real server forgets to make these a Status of their own: 500 without a reason.
  const auto invalid = [](std::string message) {
    return Refuse({.code = 500, .reason = {}, .message = std::move(message), .details = {}});
  };
  if (!kind.empty() && kind != "Node") {
    return invalid("target.kind: Unsupported value: " + json(kind).dump() +
                   ": supported values: \"Node\", \"<empty>\"");
  }
  if (node.empty()) return invalid("target.name: Required value");
  const std::string uid = TextAt(binding, "metadata/uid");
  const std::string now = state.clock.Wall().ToString();
  const GroupResource resource = {"", "pods/binding"};
  const auto bound = Writer(state).Change(call, [&](json& pod) -> Answer<void> {
    const auto refuse = [&](const std::string& why) {
      return Refuse(Conflict(resource, call.name, why));
    };
    if (!uid.empty() && uid != TextAt(pod, "metadata/uid")) {
      return Refuse(Conflict(call.kind->Resource(), call.name,
                             UidMismatch(call, uid, TextAt(pod, "metadata/uid"))));
    }
    if (At(pod, "metadata/deletionTimestamp") != nullptr)
      return refuse("pod " + call.name + " is being deleted, cannot be assigned to a host");
    if (const std::string host = TextAt(pod, "spec/nodeName"); !host.empty()) {
      return refuse("pod " + call.name + " is already assigned to node " + json(host).dump());
    }
    if (const json* gates = At(pod, "spec/schedulingGates"); gates != nullptr && !gates->empty()) {
      return refuse("pod " + call.name + " has non-empty .spec.schedulingGates");
    }
    pod["spec"]["nodeName"] = node;
    pod["status"].erase("nominatedNodeName");
    if (const json* annotations = At(binding, "metadata/annotations"))
      pod["metadata"]["annotations"].update(*annotations);
    SetScheduled(pod, now);
    return {};
  });
  if (!bound) return Refuse(bound.error());
  return Success(201);
}

Answer<Written> EvictPod(State& state, const WriteCall& call, const json& eviction) {
  const auto options = DeleteOptionsOf(eviction.value("deleteOptions", json::object()));
  if (!options) return Refuse(options.error());
  const ObjectPtr pod = state.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (pod == nullptr) return Refuse(Writer(state).NotFoundError(call));
  const json document = json::parse(pod->text);
  const std::string phase = TextAt(document, "status/phase");
  const bool idle = phase == "Pending" || phase == "Succeeded" || phase == "Failed" ||
                    pod->metadata.IsBeingDeleted();
  const KindPtr budget_kind = state.kinds.Find("policy", "v1", "poddisruptionbudgets");
  if (!idle && budget_kind != nullptr) {
    const ListResult budgets = state.CollectionOf(*budget_kind)
                                   .List({.selection = {.namespace_ = call.namespace_,
                                                        .labels = api::Selector::Everything(),
                                                        .fields = {}}});
    for (const ObjectPtr& entry : budgets ? budgets->items : std::vector<ObjectPtr>()) {
      const json budget = json::parse(entry->text);
      const json* selector = At(budget, "spec/selector");
      const auto compiled = selector == nullptr ? Result<api::Selector>(api::Selector::Nothing())
                                                : CompileSelector(*selector);
      if (!compiled || !compiled->Matches(pod->metadata.labels)) continue;
      if (IntAt(budget, "status/disruptionsAllowed") <= 0) {
        StatusError error =
            TooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0);
        error.details.causes.push_back(
            {"DisruptionBudget",
             "The disruption budget " + entry->metadata.name + " needs " +
                 std::to_string(IntAt(budget, "status/desiredHealthy")) + " healthy pods and has " +
                 std::to_string(IntAt(budget, "status/currentHealthy")) + " currently",
             ""});
        return Refuse(std::move(error));
      }
      if (options->dry_run) continue;
      WriteCall spend = call;
      spend.kind = budget_kind;
      spend.name = entry->metadata.name;
      spend.subresource = "status";
      const auto spent = Writer(state).Change(spend, [&](json& live) -> Answer<void> {
        live["status"]["disruptionsAllowed"] = IntAt(live, "status/disruptionsAllowed") - 1;
        live["status"]["disruptedPods"][call.name] = state.clock.Wall().ToString();
        return {};
      });
      if (!spent) return Refuse(spent.error());
    }
  }
  WriteCall deletion = call;
  deletion.subresource.clear();
  const auto deleted = Writer(state).Delete(deletion, *options);
  if (!deleted) return Refuse(deleted.error());
  return Success(201);
}

Answer<json> ScaleOf(const KindInfo& kind, const json& object) {
  json metadata = json::object();
  for (const char* field : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (object["metadata"].contains(field)) metadata[field] = object["metadata"][field];
  }
  json scale = {{"kind", "Scale"},
                {"apiVersion", "autoscaling/v1"},
                {"metadata", std::move(metadata)},
                {"spec", json::object()},
                {"status", {{"replicas", IntegerAt(object, StatusPath(kind))}}}};
  const int64_t wanted = IntegerAt(object, SpecPath(kind));
  if (wanted != 0) scale["spec"]["replicas"] = wanted;
  if (const std::string selector = SelectorOf(kind, object); !selector.empty())
    scale["status"]["selector"] = selector;
  return scale;
}

Answer<void> SetScale(const KindInfo& kind, const json& scale, json& object) {
  const int64_t wanted = IntAt(scale, "spec/replicas");
  if (wanted < 0) {
    const Problems problems = {InvalidField("spec.replicas", std::to_string(wanted),
                                            "must be greater than or equal to 0")};
    return Refuse(Invalid("autoscaling", "Scale", TextAt(object, "metadata/name"), problems));
  }
  const std::string version = TextAt(scale, "metadata/resourceVersion");
  if (!version.empty() && version != TextAt(object, "metadata/resourceVersion")) {
    return Refuse(Conflict(kind.Resource(), TextAt(object, "metadata/name"),
                           "the object has been modified; please apply your changes to the latest "
                           "version and try again"));
  }
  json& place = object[PointerOf(SpecPath(kind))];
  if (place == wanted) return {};
  place = wanted;
  if (kind.counts_generation)
    object["metadata"]["generation"] = IntAt(object, "metadata/generation") + 1;
  return {};
}

Answer<json> RequestToken(State& state, const WriteCall& call, json request) {
  const ObjectPtr account = state.CollectionOf(*call.kind).Find(call.namespace_, call.name);
  if (account == nullptr) return Refuse(Writer(state).NotFoundError(call));
  json& spec = request["spec"];
  if (!spec.is_object()) spec = json::object();
  std::vector<std::string> audiences;
  if (const json* list = At(spec, "audiences")) audiences = list->get<std::vector<std::string>>();
  if (audiences.empty()) audiences = {std::string(kIssuer)};
  const int64_t seconds = IntAt(spec, "expirationSeconds", 3600);
  if (seconds < 600) {
    const Problems problems = {InvalidField("spec.expirationSeconds", std::to_string(seconds),
                                            "may not specify a duration less than 10 minutes")};
    return Refuse(Invalid("authentication.k8s.io", "TokenRequest", "", problems));
  }
  TokenSubject subject{call.namespace_, call.name, account->metadata.uid, {}, {}};
  if (TextAt(spec, "boundObjectRef/kind") == "Pod") {
    const std::string name = TextAt(spec, "boundObjectRef/name");
    const Collection* pods = state.store.Find("pods");
    const ObjectPtr pod = pods == nullptr ? nullptr : pods->Find(call.namespace_, name);
    if (pod == nullptr) return Refuse(NotFound({"", "pods"}, name));
    const std::string uid = TextAt(spec, "boundObjectRef/uid");
    if (!uid.empty() && uid != pod->metadata.uid) {
      return Refuse(Conflict({"", "pods"}, name,
                             "the UID in the bound object reference (" + uid +
                                 ") does not match the UID in record. The object might have been "
                                 "deleted and then recreated"));
    }
    subject.pod_name = name;
    subject.pod_uid = pod->metadata.uid;
  }
  const Time now = state.clock.Wall();
  const Time expires = now + std::chrono::seconds(seconds);
  spec["audiences"] = audiences;
  spec["expirationSeconds"] = seconds;
  if (!spec.contains("boundObjectRef")) spec["boundObjectRef"] = nullptr;
  request["apiVersion"] = "authentication.k8s.io/v1";
  request["kind"] = "TokenRequest";
  request["metadata"] = {
      {"name", call.name}, {"namespace", call.namespace_}, {"creationTimestamp", now.ToString()}};
  request["status"] = {{"token", state.tokens.Issue(subject, audiences, now, expires)},
                       {"expirationTimestamp", expires.ToString()}};
  return request;
}

Answer<Written> FinalizeNamespace(State& state, const WriteCall& call, const json& document) {
  return Writer(state).Change(call, [&](json& live) -> Answer<void> {
    const std::string version = TextAt(document, "metadata/resourceVersion");
    if (!version.empty() && version != TextAt(live, "metadata/resourceVersion")) {
      return Refuse(Conflict(call.kind->Resource(), call.name,
                             "the object has been modified; please apply your changes to the "
                             "latest version and try again"));
    }
    const json* finalizers = At(document, "spec/finalizers");
    if (finalizers == nullptr)
      live["spec"].erase("finalizers");
    else
      live["spec"]["finalizers"] = *finalizers;
    return {};
  });
}

}  // namespace berth::apiserver
