// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/plugin_answers.h"

#include <string>

#include "scheduler/framework/no_evictions.h"
#include "tests/conformance/verdict_json.h"

namespace berth::conformance {
namespace {

using Json = nlohmann::json;
using scheduler::Code;
using scheduler::CycleContext;
using scheduler::CycleState;
using scheduler::ExtensionPoint;
using scheduler::Profile;

Json NodeOrder(const scheduler::Snapshot& snapshot) {
  Json names = Json::array();
  for (const scheduler::Slot slot : snapshot.Order())
    names.push_back(snapshot.At(slot).name.text());
  return names;
}

Json PreEnqueue(const Profile& profile, const scheduler::PendingPod& pod) {
  Json answers = Json::object();
  for (const Profile::Named& plugin : profile.PluginsAt(ExtensionPoint::kPreEnqueue)) {
    const auto& pre_enqueue = dynamic_cast<const scheduler::PreEnqueuePlugin&>(*plugin.instance);
    answers[std::string(plugin.name)] =
        VerdictJson(pre_enqueue.PreEnqueue(pod, {scheduler::NoEvictions()}));
  }
  return answers;
}

Json PreFilter(const Cluster& cluster, const scheduler::PendingPod& pod) {
  Json answers = Json::object();
  for (const Profile::Named& plugin : cluster.profile().PluginsAt(ExtensionPoint::kPreFilter)) {
    CycleState state;
    CycleContext cycle{pod, cluster.snapshot(), state};
    const auto result =
        dynamic_cast<const scheduler::PreFilterPlugin&>(*plugin.instance).PreFilter(cycle);
    Json answer = VerdictJson(result.status);
    if (result.status.code == Code::kSkip) answer["skip"] = true;
    if (result.nodes) answer["nodeNames"] = *result.nodes;
    answers[std::string(plugin.name)] = std::move(answer);
  }
  return answers;
}

// Returns the nodes that a plugin rejects, or null if its own PreFilter skipped or failed.
Json FilterAlone(const Cluster& cluster, const scheduler::PendingPod& pod,
                 const Profile::Named& plugin) {
  CycleState state;
  CycleContext cycle{pod, cluster.snapshot(), state};
  if (const auto* pre = dynamic_cast<const scheduler::PreFilterPlugin*>(plugin.instance)) {
    if (!pre->PreFilter(cycle).status.ok()) return nullptr;
  }
  const auto& filter = dynamic_cast<const scheduler::FilterPlugin&>(*plugin.instance);
  Json rejected = Json::object();
  for (const scheduler::Slot slot : cluster.snapshot().Order()) {
    const scheduler::NodeView node = cluster.snapshot().View(slot);
    const scheduler::Verdict verdict = filter.Filter(cycle, node);
    if (verdict.fits()) continue;
    rejected[node.name()] = VerdictJson(scheduler::Status::FromVerdict(verdict, {}));
  }
  return rejected;
}

void SetUnlessEmpty(Json& answer, const char* field, Json value) {
  if (!value.empty()) answer[field] = std::move(value);
}

}  // namespace

void AddPluginAnswers(const Cluster& cluster, const scheduler::PendingPod& pod, Json& answer) {
  answer["nodeOrder"] = NodeOrder(cluster.snapshot());
  SetUnlessEmpty(answer, "preEnqueue", PreEnqueue(cluster.profile(), pod));
  SetUnlessEmpty(answer, "preFilter", PreFilter(cluster, pod));
  Json filters = Json::object();
  for (const Profile::Named& plugin : cluster.profile().PluginsAt(ExtensionPoint::kFilter)) {
    Json rejected = FilterAlone(cluster, pod, plugin);
    if (!rejected.is_null()) filters[std::string(plugin.name)] = std::move(rejected);
  }
  SetUnlessEmpty(answer, "pluginFilter", std::move(filters));
}

}  // namespace berth::conformance
