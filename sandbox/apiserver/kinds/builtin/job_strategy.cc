// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/kinds/builtin/pod_rules.h"
#include "sandbox/apiserver/kinds/builtin/strategies.h"
#include "sandbox/apiserver/kinds/strategy.h"

// batch. Source: pkg/apis/batch/validation of Kubernetes.
namespace berth::apiserver {
namespace {

using nlohmann::json;

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

void CheckJobSpec(const Field& spec) {
  for (const char* field : {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
                            "ttlSecondsAfterFinished"}) {
    spec[field].AtLeast(0, kNotNegative);
  }
  spec["completionMode"].OneOf({"NonIndexed", "Indexed"});
  CheckPodTemplate(spec["template"]);
  const Field policy = spec["template"]["spec"]["restartPolicy"];
  if (policy.Text() == "Always")
    policy.Required("valid values: \"OnFailure\", \"Never\"");
  else
    policy.OneOf({"OnFailure", "Never"});
}

void ValidateJob(const json& object, Problems& problems) {
  CheckJobSpec(Field(object, problems)["spec"]);
}

void ValidateJobUpdate(const json& object, const json& old, Problems& problems) {
  const Field now = Field(object, problems)["spec"];
  const Field before = Field(old, problems)["spec"];
  for (const char* field : {"selector", "completions", "completionMode", "template"})
    now[field].Unchanged(before[field]);
}

void ValidateCronJob(const json& object, Problems& problems) {
  const Field spec = Field(object, problems)["spec"];
  spec["schedule"].Require();
  spec["startingDeadlineSeconds"].AtLeast(0, kNotNegative);
  if (spec["timeZone"].IsSet() && spec["timeZone"].IsEmpty())
    spec["timeZone"].Invalid("timeZone must be nil or non-empty string");
  spec["concurrencyPolicy"].OneOf({"Allow", "Forbid", "Replace"});
  CheckJobSpec(spec["jobTemplate"]["spec"]);
  spec["successfulJobsHistoryLimit"].AtLeast(0, kNotNegative);
  spec["failedJobsHistoryLimit"].AtLeast(0, kNotNegative);
}

}  // namespace

const Strategy* JobStrategy(const KindInfo& kind) {
  static const std::map<std::string, Strategy, std::less<>> kTable = {
      {"Job",
       {.prepare_create = PrepareJob,
        .validate = ValidateJob,
        .validate_update = ValidateJobUpdate}},
      {"CronJob", {.validate = ValidateCronJob}},
  };
  if (kind.group != "batch") return nullptr;
  const auto found = kTable.find(kind.kind);
  return found == kTable.end() ? nullptr : &found->second;
}

}  // namespace berth::apiserver
