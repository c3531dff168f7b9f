// SPDX-License-Identifier: Apache-2.0
#include "extender/letter_case.h"

#include <map>

#include "base/json/go_text.h"

namespace berth::extender {
namespace {

using Members = std::map<std::string, json::Raw>;

template <class T>
json::Raw RawOf(const T& value) {
  return {json::EncodeGo(value)};
}

// The old form omits empty fields.
template <class T>
void AddUnlessEmpty(Members& members, const char* name, const T& value) {
  if (value != T()) members[name] = RawOf(value);
}

}  // namespace

LetterCase LetterCaseOf(std::string_view question) {
  const size_t name = question.find('"');
  const bool is_small = name != question.npos && name + 1 < question.size() &&
                        question[name + 1] >= 'a' && question[name + 1] <= 'z';
  return is_small ? LetterCase::kOld : LetterCase::kCapitalised;
}

std::string Write(const api::ExtenderFilterResult& answer, LetterCase letters) {
  if (letters == LetterCase::kCapitalised) return json::EncodeGo(answer);
  Members members;
  if (answer.nodes) members["nodes"] = RawOf(*answer.nodes);
  if (answer.node_names) members["nodenames"] = RawOf(*answer.node_names);
  AddUnlessEmpty(members, "failedNodes", answer.failed_nodes);
  AddUnlessEmpty(members, "failedAndUnresolvableNodes", answer.failed_and_unresolvable_nodes);
  AddUnlessEmpty(members, "error", answer.error);
  return json::EncodeGo(members);
}

std::string Write(const api::HostPriorityList& answer, LetterCase letters) {
  if (letters == LetterCase::kCapitalised) return json::EncodeGo(answer);
  std::vector<Members> list;
  for (const api::HostPriority& priority : answer) {
    list.push_back({{"host", RawOf(priority.host)}, {"score", RawOf(priority.score)}});
  }
  return json::EncodeGo(list);
}

std::string Write(const api::ExtenderPreemptionResult& answer, LetterCase letters) {
  if (letters == LetterCase::kCapitalised) return json::EncodeGo(answer);
  std::map<std::string, Members> nodes;
  for (const auto& [name, victims] : answer.node_name_to_meta_victims) {
    std::vector<Members> pods;
    for (const api::MetaPod& pod : victims.pods) pods.push_back({{"uid", RawOf(pod.uid)}});
    nodes[name] = {{"pods", RawOf(pods)}, {"numPDBViolations", RawOf(victims.num_pdb_violations)}};
  }
  return json::EncodeGo(Members{{"nodeNameToMetaVictims", RawOf(nodes)}});
}

std::string Write(const api::ExtenderBindingResult& answer, LetterCase letters) {
  if (letters == LetterCase::kCapitalised) return json::EncodeGo(answer);
  return json::EncodeGo(std::map<std::string, std::string>{{"error", answer.error}});
}

}  // namespace berth::extender
