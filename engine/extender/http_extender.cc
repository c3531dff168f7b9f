// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/http_extender.h"

#include <algorithm>
#include <cstdint>
#include <future>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "api/meta.h"
#include "base/json/json.h"
#include "engine/outside_text.h"

namespace berth::engine {
namespace {

using scheduler::Candidate;
using scheduler::ExtenderScore;
using scheduler::ExtenderVerdicts;
using scheduler::kNoSlot;
using scheduler::NodeRef;
using scheduler::PendingPod;
using scheduler::PodInfo;
using scheduler::Slot;
using scheduler::Snapshot;

// AskedNodes finds the nodes of a request by name.
class AskedNodes {
 public:
  AskedNodes(const Snapshot& snapshot, std::span<const Slot> nodes) {
    places_.reserve(nodes.size());
    for (const Slot slot : nodes) places_.emplace(snapshot.At(slot).name.text(), slot);
  }
  Slot Find(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? kNoSlot : found->second;
  }

 private:
  std::unordered_map<std::string_view, Slot> places_;
};

struct NamedObject {
  api::ObjectMeta metadata;
  static auto Fields() { return json::Object(json::Field("metadata", &NamedObject::metadata)); }
};

// Returns the names of the fitting nodes in a filter response; of whole nodes only the names are
// used.
Result<std::vector<std::string>> NamesIn(const api::ExtenderFilterResult& answer, bool as_names) {
  if (as_names && answer.node_names) return *answer.node_names;
  std::vector<std::string> names;
  if (!answer.nodes) return names;
  for (const json::Raw& item : answer.nodes->items) {
    if (item.text.empty()) continue;
    BERTH_TRY(NamedObject node, json::DecodeGo<NamedObject>(item.text));
    names.push_back(std::move(node.metadata.name));
  }
  return names;
}

void AddRejections(const api::FailedNodesMap& failed, bool is_resolvable, const AskedNodes& asked,
                   std::unordered_map<Slot, scheduler::NodeRejection>& rejections) {
  for (const auto& [name, message] : failed) {
    const Slot slot = asked.Find(name);
    if (slot == kNoSlot) continue;
    rejections.try_emplace(slot,
                           scheduler::NodeRejection{slot, OutsideText(message), is_resolvable});
  }
}

std::shared_ptr<const PodInfo> FindPod(const scheduler::NodeInfo& node, std::string_view uid) {
  for (const auto& pod : node.pods) {
    if (pod->uid() == uid) return pod;
  }
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<HttpExtender>> HttpExtender::Create(const api::Extender& extender,
                                                           const ExtenderReach& reach,
                                                           Parts parts) {
  BERTH_TRY(auto client, ExtenderClient::Create(extender, reach, parts.clock, parts.metrics));
  return std::unique_ptr<HttpExtender>(
      new HttpExtender(extender.node_cache_capable, std::move(parts), std::move(client)));
}

template <class Answer>
std::function<Result<Answer>()> HttpExtender::Ask(ExtenderVerb verb, std::string question) {
  const auto promise = std::make_shared<std::promise<Result<Answer>>>();
  const auto answer = std::make_shared<std::future<Result<Answer>>>(promise->get_future());
  const SteadyTime deadline = parts_.clock.Now() + client_->timeout();
  client_->Send<Answer>(
      verb, std::move(question),
      [promise](Result<Answer> arrived) { promise->set_value(std::move(arrived)); }, parts_.stop);
  return [this, answer, deadline]() -> Result<Answer> {
    parts_.busy_until(deadline);
    Result<Answer> arrived = answer->get();
    parts_.busy_until(parts_.clock.Now());
    return arrived;
  };
}

Result<json::Raw> HttpExtender::TextOf(const PendingPod& pod) const {
  const auto text = parts_.texts.pods.Find(pod.uid());
  if (text) return json::Raw{*text};
  return Fail(Reason::kNotFound,
              "extender " + client_->url() + ": pod " + pod.Key() + " no longer exists");
}

Result<api::ExtenderArgs> HttpExtender::Question(const PendingPod& pod, const Snapshot& snapshot,
                                                 std::span<const Slot> nodes) const {
  api::ExtenderArgs args;
  BERTH_TRY(args.pod, TextOf(pod));
  if (sends_names_) {
    auto& names = args.node_names.emplace();
    names.reserve(nodes.size());
    for (const Slot slot : nodes) names.push_back(snapshot.At(slot).name.text());
    return args;
  }
  auto& list = args.nodes.emplace();
  list.metadata.text = "{}";
  list.items.reserve(nodes.size());
  for (const Slot slot : nodes) {
    const std::string& uid = snapshot.At(slot).node->metadata.uid;
    if (const auto text = parts_.texts.nodes.Find(uid)) list.items.push_back({*text});
  }
  return args;
}

Result<ExtenderVerdicts> HttpExtender::Filter(const PendingPod& pod, const Snapshot& snapshot,
                                              std::span<const Slot> nodes) {
  BERTH_TRY(const api::ExtenderArgs args, Question(pod, snapshot, nodes));
  BERTH_TRY(const auto answer,
            Ask<api::ExtenderFilterResult>(ExtenderVerb::kFilter, json::EncodeGo(args))());
  auto names = NamesIn(answer, sends_names_);
  if (!names) {
    return Fail(names.error().reason(),
                OutsideText("extender " + client_->url() + ": " + names.error().message()));
  }
  const AskedNodes asked(snapshot, nodes);
  std::unordered_set<Slot> fitting;
  for (const std::string& name : *names) {
    const Slot slot = asked.Find(name);
    if (slot != kNoSlot) {
      fitting.insert(slot);
    } else if (sends_names_ && answer.node_names) {
      return Fail(
          Reason::kInternalError,
          OutsideText("extender " + json::Quoted(client_->url()) + " claims a filtered node " +
                      json::Quoted(name) + " which is not found in the input node list"));
    }
  }
  std::unordered_map<Slot, scheduler::NodeRejection> rejections;
  AddRejections(answer.failed_and_unresolvable_nodes, /*is_resolvable=*/false, asked, rejections);
  AddRejections(answer.failed_nodes, /*is_resolvable=*/true, asked, rejections);
  ExtenderVerdicts verdicts;
  for (const Slot slot : nodes) {
    if (fitting.contains(slot)) verdicts.fitting.push_back(slot);
    if (auto rejected = rejections.extract(slot)) {
      verdicts.rejections.push_back(std::move(rejected.mapped()));
    }
  }
  return verdicts;
}

HttpExtender::AwaitScores HttpExtender::Prioritize(const PendingPod& pod, const Snapshot& snapshot,
                                                   std::span<const Slot> nodes) {
  const auto args = Question(pod, snapshot, nodes);
  if (!args) return [error = args.error()] { return Fail(error); };
  auto answer = Ask<api::HostPriorityList>(ExtenderVerb::kPrioritize, json::EncodeGo(*args));
  return [answer = std::move(answer), &snapshot,
          asked = std::vector<Slot>(nodes.begin(),
                                    nodes.end())]() -> Result<std::vector<ExtenderScore>> {
    BERTH_TRY(const api::HostPriorityList list, answer());
    const AskedNodes names(snapshot, asked);
    std::vector<ExtenderScore> scores;
    for (const api::HostPriority& priority : list) {
      const Slot slot = names.Find(priority.host);
      if (slot != kNoSlot) scores.push_back({slot, priority.score});
    }
    return scores;
  };
}

Result<api::ExtenderPreemptionArgs> HttpExtender::Question(
    const PendingPod& pod, std::span<const Candidate> candidates) const {
  api::ExtenderPreemptionArgs args;
  BERTH_TRY(args.pod, TextOf(pod));
  if (sends_names_) {
    auto& nodes = args.node_name_to_meta_victims.emplace();
    for (const Candidate& candidate : candidates) {
      api::MetaVictims& victims = nodes[candidate.node.name()];
      victims.num_pdb_violations = candidate.violations;
      for (const auto& victim : candidate.victims) victims.pods.push_back({victim->uid()});
    }
    return args;
  }
  auto& nodes = args.node_name_to_victims.emplace();
  for (const Candidate& candidate : candidates) {
    api::Victims& victims = nodes[candidate.node.name()];
    victims.num_pdb_violations = candidate.violations;
    for (const auto& victim : candidate.victims) {
      if (const auto text = parts_.texts.pods.Find(victim->uid())) victims.pods.push_back({*text});
    }
  }
  return args;
}

Result<Candidate> HttpExtender::Read(const std::string& node_name, const api::MetaVictims& victims,
                                     const Snapshot& snapshot) const {
  const Slot slot = snapshot.Find(node_name);
  if (slot == kNoSlot) {
    return Fail(Reason::kNotFound, "nodeinfo not found for node name " + json::Quoted(node_name));
  }
  const scheduler::NodeInfo& node = snapshot.At(slot);
  Candidate candidate{.node = NodeRef(node), .victims = {}};
  candidate.violations = static_cast<int>(
      std::clamp<int64_t>(victims.num_pdb_violations, 0, std::numeric_limits<int>::max()));
  std::set<std::string_view> seen;
  for (const api::MetaPod& meta : victims.pods) {
    auto victim = FindPod(node, meta.uid);
    if (victim == nullptr) {
      return Fail(Reason::kNotFound,
                  "extender: " + client_->url() + " claims to preempt pod (UID: &{" + meta.uid +
                      "}) on node: " + node_name + ", but the pod is not found on that node");
    }
    if (seen.insert(meta.uid).second) candidate.victims.push_back(std::move(victim));
  }
  return candidate;
}

Result<std::vector<Candidate>> HttpExtender::Preempt(const PendingPod& pod,
                                                     const Snapshot& snapshot,
                                                     std::span<const Candidate> candidates) {
  BERTH_TRY(const api::ExtenderPreemptionArgs args, Question(pod, candidates));
  BERTH_TRY(auto answer,
            Ask<api::ExtenderPreemptionResult>(ExtenderVerb::kPreempt, json::EncodeGo(args))());
  // First the candidates in their order, then nodes that were not proposed, by name.
  std::vector<std::string> order;
  auto& left = answer.node_name_to_meta_victims;
  for (const Candidate& candidate : candidates) {
    if (left.contains(candidate.node.name())) order.push_back(candidate.node.name());
  }
  const std::set<std::string, std::less<>> proposed(order.begin(), order.end());
  for (const auto& [name, victims] : left) {
    if (!proposed.contains(name)) order.push_back(name);
  }
  std::vector<Candidate> chosen;
  for (const std::string& name : order) {
    auto candidate = Read(name, left.at(name), snapshot);
    if (!candidate) {
      return Fail(candidate.error().reason(), OutsideText(candidate.error().message()));
    }
    chosen.push_back(std::move(*candidate));
  }
  return chosen;
}

void HttpExtender::Bind(const PendingPod& pod, const NodeRef& node,
                        std::function<void(Result<void>)> done) {
  ++parts_.bindings;
  const auto finish = [post = parts_.post, &under_way = parts_.bindings,
                       done = std::move(done)](Result<void> how) {
    post([&under_way, done, how = std::move(how)] {
      --under_way;
      done(how);
    });
  };
  if (!parts_.may_write()) {
    return finish(Fail(Reason::kCanceled, "not sent: no longer the leader"));
  }
  client_->Send<api::ExtenderBindingResult>(
      ExtenderVerb::kBind,
      json::EncodeGo(api::ExtenderBindingArgs{.pod_name = pod.name(),
                                              .pod_namespace = pod.namespace_(),
                                              .pod_uid = pod.uid(),
                                              .node = node.name()}),
      [finish](const Result<api::ExtenderBindingResult>& answer) {
        if (!answer) return finish(Fail(answer.error()));
        finish({});
      });
}

TextNeeds NeedsOf(std::span<const api::Extender> extenders) {
  TextNeeds needs;
  for (const api::Extender& extender : extenders) {
    const bool asks = !extender.filter_verb.empty() || !extender.prioritize_verb.empty();
    const bool preempts = !extender.preempt_verb.empty();
    needs.waiting_pods |= asks || preempts;
    needs.nodes |= asks && !extender.node_cache_capable;
    needs.placed_pods |= preempts && !extender.node_cache_capable;
  }
  return needs;
}

}  // namespace berth::engine
