// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "apiserver/kinds/selectors.h"
#include "apiserver/kinds/strategy.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

void ValidateSelector(const json& object, Problems& problems) {
  const json* selector = At(object, "spec/selector");
  if (selector == nullptr || selector->is_null()) {
    problems.push_back(RequiredField("spec.selector"));
    const json* template_labels = At(object, "spec/template/metadata/labels");
    problems.push_back(InvalidField("spec.template.metadata.labels",
                                    template_labels == nullptr ? "null" : template_labels->dump(),
                                    "`selector` does not match template `labels`"));
    return;
  }
  const auto compiled = CompileSelector(*selector);
  if (!compiled) {
    problems.push_back(InvalidField("spec.selector", selector->dump(), "invalid label selector"));
    return;
  }
  if (compiled->IsEmpty()) {
    problems.push_back(InvalidField(
        "spec.selector", selector->dump(),
        "empty selector is invalid for " +
            std::string(TextAt(object, "kind") == "Deployment" ? "deployment" : "this kind")));
    return;
  }
  const json* labels = At(object, "spec/template/metadata/labels");
  if (compiled->Matches(LabelsOf(labels))) return;
  problems.push_back(InvalidField("spec.template.metadata.labels",
                                  labels == nullptr ? "null" : labels->dump(),
                                  "`selector` does not match template `labels`"));
}

void ValidateReplicas(const json& object, Problems& problems) {
  const int64_t replicas = IntAt(object, "spec/replicas");
  if (replicas >= 0) return;
  problems.push_back(InvalidField("spec.replicas", std::to_string(replicas),
                                  "must be greater than or equal to 0"));
}

void ValidateTemplate(const json& object, Problems& problems) {
  const json* containers = At(object, "spec/template/spec/containers");
  if (containers == nullptr || containers->empty()) {
    problems.push_back(RequiredField("spec.template.spec.containers"));
    return;
  }
  for (size_t i = 0; i < containers->size(); ++i) {
    const std::string path = "spec.template.spec.containers[" + std::to_string(i) + "]";
    if ((*containers)[i].value("name", "").empty())
      problems.push_back(RequiredField(path + ".name"));
    if ((*containers)[i].value("image", "").empty())
      problems.push_back(RequiredField(path + ".image"));
  }
}

void Validate(const json& object, Problems& problems) {
  ValidateReplicas(object, problems);
  ValidateSelector(object, problems);
  ValidateTemplate(object, problems);
}

void ValidateUpdate(const json& object, const json& old, Problems& problems) {
  CheckUnchanged(object, old, "spec/selector", problems);
}

void PrepareDaemonSet(json& object, Time /*now*/) {
  object["metadata"]["annotations"]["deprecated.daemonset.template.generation"] = "1";
}

// A job is told apart by its uid: the selector and the labels of its pods are made here.
void PrepareJob(json& job, Time /*now*/) {
  if (job["spec"].value("manualSelector", false)) return;
  const std::string uid = TextAt(job, "metadata/uid");
  const std::string name = TextAt(job, "metadata/name");
  const json labels = {{"batch.kubernetes.io/controller-uid", uid},
                       {"batch.kubernetes.io/job-name", name},
                       {"controller-uid", uid},
                       {"job-name", name}};
  job["metadata"]["labels"].update(labels);
  job["spec"]["template"]["metadata"]["labels"].update(labels);
  job["spec"]["selector"]["matchLabels"]["batch.kubernetes.io/controller-uid"] = uid;
}

void ValidateJobUpdate(const json& object, const json& old, Problems& problems) {
  for (const char* path :
       {"spec/selector", "spec/completions", "spec/completionMode", "spec/template"}) {
    CheckUnchanged(object, old, path, problems);
  }
}

Strategy Make(void (*prepare)(json&, Time), void (*validate)(const json&, Problems&),
              void (*validate_update)(const json&, const json&, Problems&)) {
  return {.names = Strategy::NameRule::kSubdomain,
          .prepare_create = prepare,
          .prepare_update = nullptr,
          .validate = validate,
          .validate_update = validate_update};
}

}  // namespace

const Strategy* WorkloadStrategy(const KindInfo& kind) {
  static const Strategy kSelecting = Make(nullptr, Validate, ValidateUpdate);
  static const Strategy kDaemonSet = Make(PrepareDaemonSet, Validate, ValidateUpdate);
  static const Strategy kJob = Make(PrepareJob, ValidateTemplate, ValidateJobUpdate);
  if (kind.group == "apps" && kind.kind == "DaemonSet") return &kDaemonSet;
  if (kind.group == "apps" && kind.kind != "ControllerRevision") return &kSelecting;
  if (kind.group == "batch" && kind.kind == "Job") return &kJob;
  return nullptr;
}

}  // namespace berth::apiserver
