// SPDX-License-Identifier: Apache-2.0
#include "sandbox/simulation/deployment_plan.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/json/document.h"
#include "base/json/json.h"
#include "base/names.h"
#include "sandbox/simulation/deployment_status.h"
#include "sandbox/simulation/proportional_scaling.h"

namespace berth::simulation {
namespace {

using Json = nlohmann::json;

constexpr int32_t kDefaultHistory = 10;

Json WithoutHash(const json::Raw& pod_template) {
  Json parsed = berth::json::ReadDocument(pod_template.text);
  const auto labels = "/metadata/labels"_json_pointer;
  if (parsed.contains(labels)) parsed[labels].erase(kTemplateHashLabel);
  return parsed;
}

int64_t RevisionOf(const ReplicaSet& set) {
  const auto found = set.metadata.annotations.find(kRevisionAnnotation);
  int64_t revision = 0;
  if (found != set.metadata.annotations.end()) {
    const std::string& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), revision);
  }
  return revision;
}

bool OlderThan(const ReplicaSetPtr& a, const ReplicaSetPtr& b) {
  return std::tie(a->metadata.creation_timestamp, a->metadata.name) <
         std::tie(b->metadata.creation_timestamp, b->metadata.name);
}

// Family is the sorted ReplicaSets of a Deployment.
struct Family {
  const ReplicaSet* newest = nullptr;
  std::vector<ReplicaSetPtr> old;  // oldest first
  int32_t total = 0;               // desired pods of all
  int64_t last_revision = 0;       // of the old ones
};

Family FamilyOf(const DeploymentView& view) {
  std::vector<ReplicaSetPtr> sets = view.sets;
  std::sort(sets.begin(), sets.end(), OlderThan);
  Family family;
  for (const ReplicaSetPtr& set : sets) {
    family.total += set->spec.replicas;
    const bool is_new = family.newest == nullptr &&
                        SameTemplate(set->spec.template_, view.deployment.spec.template_);
    if (is_new) {
      family.newest = set.get();
    } else {
      family.old.push_back(set);
      family.last_revision = std::max(family.last_revision, RevisionOf(*set));
    }
  }
  return family;
}

Json SelectorWith(const api::LabelSelector& selector, const std::string& hash) {
  Json json = berth::json::ReadDocument(json::Encode(selector));
  json["matchLabels"][kTemplateHashLabel] = hash;
  return json;
}

std::string NewSetJson(const Deployment& deployment, const std::string& name,
                       const std::string& hash, int32_t replicas, int64_t revision) {
  Json pod = berth::json::ReadDocument(deployment.spec.template_.text);
  pod["metadata"]["labels"][kTemplateHashLabel] = hash;
  Json annotations = Json::object();
  for (const auto& [key, value] : deployment.metadata.annotations) {
    if (key != "kubectl.kubernetes.io/last-applied-configuration") annotations[key] = value;
  }
  annotations[kRevisionAnnotation] = std::to_string(revision);
  annotations.update(SizeNotes(deployment.spec));
  const Json owner = {
      {"apiVersion", "apps/v1"},        {"kind", "Deployment"}, {"name", deployment.metadata.name},
      {"uid", deployment.metadata.uid}, {"controller", true},   {"blockOwnerDeletion", true}};
  return berth::json::DocumentText(
      Json({{"apiVersion", "apps/v1"},
            {"kind", "ReplicaSet"},
            {"metadata",
             {{"name", name},
              {"namespace", deployment.metadata.namespace_},
              {"labels", pod["metadata"]["labels"]},
              {"annotations", annotations},
              {"ownerReferences", Json::array({owner})}}},
            {"spec",
             {{"replicas", replicas},
              {"minReadySeconds", deployment.spec.min_ready_seconds},
              {"selector", SelectorWith(deployment.spec.selector, hash)},
              {"template", pod}}}}));
}

void PlanNewSet(const DeploymentView& view, const Family& family, DeploymentPlan& plan) {
  const DeploymentSpec& spec = view.deployment.spec;
  const int64_t revision = family.last_revision + 1;
  if (family.newest == nullptr) {
    const std::string hash =
        TemplateHash(spec.template_, view.deployment.status.collision_count.value_or(0));
    const std::string name = view.deployment.metadata.name + "-" + hash;
    plan.create = {name, NewSetJson(view.deployment, name, hash, NewReplicas(spec, 0, family.total),
                                    revision)};
    plan.revision_text = std::to_string(revision);
    return;
  }
  plan.newest = family.newest->metadata.name;
  if (RevisionOf(*family.newest) < revision) plan.revision = revision;
  plan.revision_text = std::to_string(std::max(revision, RevisionOf(*family.newest)));
  const int32_t current = family.newest->spec.replicas;
  const int32_t wanted = NewReplicas(spec, current, family.total);
  if (wanted != current) plan.scale[plan.newest] = wanted;
}

std::vector<const ReplicaSet*> OldOf(const Family& family) {
  std::vector<const ReplicaSet*> old;
  for (const ReplicaSetPtr& set : family.old) old.push_back(set.get());
  return old;
}

bool WasScaled(const DeploymentSpec& spec, const Family& family) {
  std::vector<const ReplicaSet*> all = OldOf(family);
  if (family.newest != nullptr) all.push_back(family.newest);
  return WasScaled(spec, all);
}

Scales ToZero(const Family& family) {
  Scales scales;
  for (const ReplicaSetPtr& set : family.old) {
    if (set->spec.replicas > 0) scales[set->metadata.name] = 0;
  }
  return scales;
}

// One step at a time: first the new ReplicaSet grows, then the old ones shrink.
void PlanRollout(const DeploymentView& view, const Family& family, DeploymentPlan& plan) {
  const DeploymentSpec& spec = view.deployment.spec;
  if (spec.strategy.type == "Recreate") {
    plan.scale = ToZero(family);
    if (plan.scale.empty() && !view.old_pods_exist) PlanNewSet(view, family, plan);
    return;
  }
  PlanNewSet(view, family, plan);
  if (plan.create || !plan.scale.empty() || family.newest == nullptr) return;
  plan.scale = ScaleOldDown(spec, *family.newest, OldOf(family));
}

std::vector<ReplicaSetPtr> BeyondHistory(const DeploymentSpec& spec, const Family& family) {
  std::vector<ReplicaSetPtr> idle;
  for (const ReplicaSetPtr& set : family.old) {
    const bool is_idle = set->spec.replicas == 0 && set->status.replicas == 0 &&
                         set->status.observed_generation >= set->metadata.generation &&
                         !set->metadata.deletion_timestamp;
    if (is_idle) idle.push_back(set);
  }
  const auto keep = static_cast<size_t>(spec.revision_history_limit.value_or(kDefaultHistory));
  if (idle.size() <= keep) return {};
  std::sort(idle.begin(), idle.end(), [](const ReplicaSetPtr& a, const ReplicaSetPtr& b) {
    return RevisionOf(*a) < RevisionOf(*b);
  });
  idle.resize(idle.size() - keep);
  return idle;
}

}  // namespace

std::string TemplateHash(const json::Raw& pod_template, int32_t collisions) {
  return NameHash(berth::json::DocumentText(WithoutHash(pod_template)) +
                  (collisions > 0 ? "#" + std::to_string(collisions) : ""));
}

bool SameTemplate(const json::Raw& a, const json::Raw& b) {
  return WithoutHash(a) == WithoutHash(b);
}

DeploymentPlan PlanDeployment(const DeploymentView& view) {
  const Family family = FamilyOf(view);
  DeploymentPlan plan;
  if (family.newest != nullptr) plan.newest = family.newest->metadata.name;
  if (!view.deployment.metadata.deletion_timestamp) {
    if (view.deployment.spec.paused || WasScaled(view.deployment.spec, family)) {
      plan.scale = ScaleToFit(view.deployment, family.newest, OldOf(family));
    } else {
      PlanRollout(view, family, plan);
    }
    plan.remove = BeyondHistory(view.deployment.spec, family);
  }
  const std::string created = plan.create ? plan.create->name : "";
  plan.status = PlanDeploymentStatus({.deployment = view.deployment,
                                      .sets = view.sets,
                                      .newest = family.newest,
                                      .created = created,
                                      .now = view.now},
                                     plan.requeue_after);
  return plan;
}

}  // namespace berth::simulation
