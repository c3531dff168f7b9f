// SPDX-License-Identifier: Apache-2.0
#include "extender/answers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "api/extender.h"
#include "base/check.h"
#include "base/json/go_text.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "extender/decisions.h"
#include "extender/letter_case.h"
#include "extender/request_nodes.h"

namespace berth::extender {
namespace {

using scheduler::kNoSlot;
using scheduler::PendingPod;
using scheduler::Scheduler;
using scheduler::Slot;
using scheduler::Snapshot;
using scheduler::Vocabulary;

constexpr const char* kUnknownNode = "this extender does not know a node of that name";

Failure BadQuestion(const std::string& text) { return Fail(Reason::kBadRequest, text); }

template <class T>
Result<T> Read(const std::string& question) {
  auto read = json::DecodeGo<T>(question);
  if (!read) return BadQuestion("cannot decode the request: " + read.error().message());
  return read;
}

Result<std::shared_ptr<const PendingPod>> PodIn(const json::Raw& text, Vocabulary& words) {
  if (text.text.empty() || text.text == "null") return BadQuestion("Pod is missing");
  auto pod = json::Decode<api::Pod>(text.text);
  if (!pod) return BadQuestion("Pod: " + pod.error().message());
  if (pod->metadata.name.empty()) return BadQuestion("Pod: metadata.name is missing");
  return PendingPod::Create(std::make_shared<const api::Pod>(std::move(*pod)), words);
}

// AskedNodes are the nodes of a request in order; whole nodes are deduplicated by name.
struct AskedNodes {
  std::vector<std::string> names;
  RequestNodes::Nodes objects;                              // of whole nodes
  std::unordered_map<std::string_view, size_t> texts = {};  // of whole nodes: index in `items`
};

Result<void> CheckCount(size_t nodes) {
  if (nodes <= kMaxNodes) return {};
  return BadQuestion("found " + std::to_string(nodes) + " nodes, at most " +
                     std::to_string(kMaxNodes) + " are allowed in a request");
}

Result<AskedNodes> NodesIn(api::ExtenderArgs& args, bool knows_cluster) {
  AskedNodes asked;
  if (args.node_names) {
    if (!knows_cluster) {
      return BadQuestion(
          "found NodeNames, but this extender has no cluster connection: start berth extender with "
          "--kubeconfig, "
          "or "
          "set nodeCacheCapable: false in the configuration of the scheduler");
    }
    BERTH_TRY_VOID(CheckCount(args.node_names->size()));
    asked.names = std::move(*args.node_names);
    return asked;
  }
  if (!args.nodes) return BadQuestion("Nodes and NodeNames are missing");
  BERTH_TRY_VOID(CheckCount(args.nodes->items.size()));
  std::set<std::string> seen;
  for (size_t i = 0; i < args.nodes->items.size(); ++i) {
    auto node = json::Decode<api::Node>(args.nodes->items[i].text);
    const std::string where = api::Index("Nodes.items", i);
    if (!node) return BadQuestion(where + ": " + node.error().message());
    if (node->metadata.name.empty()) return BadQuestion(where + ": metadata.name is missing");
    if (!seen.insert(node->metadata.name).second) continue;
    asked.objects.push_back(std::make_shared<const api::Node>(std::move(*node)));
    asked.names.push_back(asked.objects.back()->metadata.name);
    asked.texts.emplace(asked.objects.back()->metadata.name, i);
  }
  return asked;
}

// FoundNodes are the known nodes of a request, without duplicates, and the unknown names.
struct FoundNodes {
  FoundNodes(const Snapshot& snapshot, const std::vector<std::string>& names) {
    slots.reserve(names.size());
    std::vector<bool> is_there;  // by slot
    for (const std::string& name : names) {
      const Slot slot = snapshot.Find(name);
      if (slot == kNoSlot) {
        unknown.push_back(name);
        continue;
      }
      if (slot >= is_there.size()) is_there.resize(slot + 1);
      if (!is_there[slot]) slots.push_back(slot);
      is_there[slot] = true;
    }
  }
  std::vector<Slot> slots;
  std::vector<std::string> unknown;
};

// NodeQuestion is a decoded filter or prioritize request.
struct NodeQuestion {
  api::ExtenderArgs args;
  AskedNodes asked;
  std::shared_ptr<const PendingPod> pod;
};

Result<NodeQuestion> ReadNodeQuestion(const std::string& text, Vocabulary& words,
                                      bool knows_cluster) {
  NodeQuestion question;
  BERTH_TRY(question.args, Read<api::ExtenderArgs>(text));
  BERTH_TRY(question.pod, PodIn(question.args.pod, words));
  BERTH_TRY(question.asked, NodesIn(question.args, knows_cluster));
  return question;
}

Result<api::ExtenderFilterResult> Filter(const Entry& entry, const NodeQuestion& question,
                                         const Snapshot& snapshot, const FoundNodes& found) {
  BERTH_TRY(const auto verdicts, FilterNodes(*entry.profile, snapshot, *question.pod, found.slots));
  api::ExtenderFilterResult answer;
  if (question.args.node_names) {
    auto& names = answer.node_names.emplace();
    names.reserve(verdicts.fitting.size());
    for (const Slot slot : verdicts.fitting) names.push_back(snapshot.At(slot).name.text());
  } else {
    auto& nodes = answer.nodes.emplace();
    nodes.metadata.text = "{}";
    for (const Slot slot : verdicts.fitting) {
      const size_t item = question.asked.texts.at(snapshot.At(slot).name.text());
      nodes.items.push_back(question.args.nodes->items[item]);
    }
  }
  for (const scheduler::NodeRejection& rejection : verdicts.rejections) {
    auto& failed =
        rejection.is_resolvable ? answer.failed_nodes : answer.failed_and_unresolvable_nodes;
    failed.emplace(snapshot.At(rejection.slot).name.text(), rejection.message);
  }
  for (const std::string& name : found.unknown) {
    answer.failed_and_unresolvable_nodes.emplace(name, kUnknownNode);
  }
  return answer;
}

Result<api::HostPriorityList> Prioritize(const Entry& entry, const NodeQuestion& question,
                                         const Snapshot& snapshot, const FoundNodes& found) {
  BERTH_TRY(const auto scores, ScoreNodes(*entry.profile, snapshot, *question.pod, found.slots));
  api::HostPriorityList answer;
  answer.reserve(question.asked.names.size());
  for (const auto& [slot, score] : scores) {
    answer.push_back({snapshot.At(slot).name.text(), score});
  }
  for (const std::string& name : found.unknown) answer.push_back({name, 0});
  return answer;
}

// Runs `decide` (Filter or Prioritize) while the core has the whole nodes of the request.
template <class Decide>
Result<std::string> AboutNodes(const Entry& entry, const std::string& text, Scheduler& core,
                               Vocabulary& words, bool knows_cluster, Decide decide) {
  BERTH_TRY(const NodeQuestion question, ReadNodeQuestion(text, words, knows_cluster));
  const RequestNodes in_place(core, question.asked.objects);
  const Snapshot& snapshot = core.View();
  const FoundNodes found(snapshot, question.asked.names);
  BERTH_TRY(const auto answer, decide(entry, question, snapshot, found));
  return Write(answer, LetterCaseOf(text));
}

struct NamedPod {
  api::ObjectMeta metadata;
  static auto Fields() { return json::Object(json::Field("metadata", &NamedPod::metadata)); }
};

// OldVictims is the one field with a different name in older releases.
struct OldVictims {
  std::optional<std::map<std::string, api::Victims>> nodes;
  static auto Fields() { return json::Object(json::Field("nodeToVictims", &OldVictims::nodes)); }
};

// Returns the victims by UID, from either form of the request.
Result<std::map<std::string, api::MetaVictims>> VictimsIn(const std::string& text,
                                                          api::ExtenderPreemptionArgs args) {
  if (args.node_name_to_meta_victims) return std::move(*args.node_name_to_meta_victims);
  if (!args.node_name_to_victims) {
    BERTH_TRY(OldVictims old, Read<OldVictims>(text));
    args.node_name_to_victims = std::move(old.nodes);
  }
  if (!args.node_name_to_victims) {
    return BadQuestion("NodeNameToVictims and NodeNameToMetaVictims are missing");
  }
  std::map<std::string, api::MetaVictims> nodes;
  for (const auto& [name, victims] : *args.node_name_to_victims) {
    api::MetaVictims& meta = nodes[name];
    meta.num_pdb_violations = victims.num_pdb_violations;
    for (const json::Raw& whole : victims.pods) {
      const auto pod = json::Decode<NamedPod>(whole.text);
      if (!pod) return BadQuestion("NodeNameToVictims[" + name + "]: " + pod.error().message());
      meta.pods.push_back({pod->metadata.uid});
    }
  }
  return nodes;
}

Result<std::string> Preempt(const Entry& entry, const std::string& text, Scheduler& core,
                            Vocabulary& words) {
  BERTH_TRY(auto args, Read<api::ExtenderPreemptionArgs>(text));
  BERTH_TRY(const auto pod, PodIn(args.pod, words));
  BERTH_TRY(auto victims, VictimsIn(text, std::move(args)));
  BERTH_TRY_VOID(CheckCount(victims.size()));
  const Snapshot& snapshot = core.View();
  std::vector<VictimsOnNode> candidates;
  for (const auto& [name, on_node] : victims) {
    const Slot slot = snapshot.Find(name);
    if (slot == kNoSlot) continue;
    VictimsOnNode& candidate = candidates.emplace_back(VictimsOnNode{.slot = slot, .uids = {}});
    for (const api::MetaPod& each : on_node.pods) candidate.uids.push_back(each.uid);
  }
  BERTH_TRY(const auto fits, FitsWithout(*entry.profile, snapshot, *pod, candidates));
  api::ExtenderPreemptionResult answer;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!fits[i]) continue;
    const std::string& name = snapshot.At(candidates[i].slot).name.text();
    answer.node_name_to_meta_victims.insert(victims.extract(name));
  }
  return Write(answer, LetterCaseOf(text));
}

Result<scheduler::PodRef> PodToBind(const api::ExtenderBindingArgs& args) {
  if (args.pod_name.empty()) return BadQuestion("PodName is missing");
  if (args.pod_namespace.empty()) return BadQuestion("PodNamespace is missing");
  if (args.pod_uid.empty()) return BadQuestion("PodUID is missing");
  if (args.node.empty()) return BadQuestion("Node is missing");
  return scheduler::PodRef{args.pod_namespace, args.pod_name, args.pod_uid, ""};
}

}  // namespace

Answer ErrorAnswer(int code, const std::string& text) {
  return {code, json::EncodeGo(api::ExtenderBindingResult{.error = text})};
}

Answer RejectionOf(Verb verb, const Error& error, std::string_view question) {
  const std::string text = ReplaceInvalidUtf8(error.message());
  switch (verb) {
    case Verb::kFilter:
      return {200, Write(api::ExtenderFilterResult{.error = text}, LetterCaseOf(question))};
    case Verb::kBind:
      return {200, Write(api::ExtenderBindingResult{.error = text}, LetterCaseOf(question))};
    case Verb::kPrioritize:
    case Verb::kPreempt:
      break;
  }
  return ErrorAnswer(error.Is(Reason::kBadRequest) ? 400 : 500, text);
}

Answer AnswerTo(const Route& route, const std::string& question, Scheduler& core, Vocabulary& words,
                bool knows_cluster) {
  const auto answer = [&]() -> Result<std::string> {
    switch (route.verb) {
      case Verb::kFilter:
        return AboutNodes(*route.entry, question, core, words, knows_cluster, Filter);
      case Verb::kPrioritize:
        return AboutNodes(*route.entry, question, core, words, knows_cluster, Prioritize);
      case Verb::kPreempt:
        return Preempt(*route.entry, question, core, words);
      case Verb::kBind:
        break;
    }
    BERTH_CHECK(false, "bind is handled by Bind");
  }();
  if (!answer) return RejectionOf(route.verb, answer.error(), question);
  return {200, *answer};
}

void Bind(const std::string& question, scheduler::ApiPort& port, std::function<void(Answer)> done) {
  const auto args = Read<api::ExtenderBindingArgs>(question);
  const auto pod = args ? PodToBind(*args) : Result<scheduler::PodRef>(Fail(args.error()));
  if (!pod) return done(RejectionOf(Verb::kBind, pod.error(), question));
  port.Bind(*pod, args->node,
            [done = std::move(done), letters = LetterCaseOf(question)](const Result<void>& how) {
              const std::string error = how ? "" : ReplaceInvalidUtf8(how.error().message());
              done({200, Write(api::ExtenderBindingResult{.error = error}, letters)});
            });
}

}  // namespace berth::extender
