// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/fit_error.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "scheduler/framework/algorithm.h"

namespace berth::scheduler {
namespace {

// Counts nodes by verdict. The number of distinct verdicts is small.
std::vector<std::pair<Verdict, size_t>> CountedVerdicts(
    std::span<const NodeVerdicts::Entry> entries) {
  std::vector<std::pair<Verdict, size_t>> counts;
  for (const NodeVerdicts::Entry& entry : entries) {
    const auto found = std::find_if(counts.begin(), counts.end(), [&entry](const auto& count) {
      return count.first == entry.verdict;
    });
    if (found != counts.end()) {
      ++found->second;
    } else {
      counts.emplace_back(entry.verdict, 1);
    }
  }
  return counts;
}

// Returns "<count> <reason>" for each reason, sorted as strings: "10 x" comes before "2 y".
std::vector<std::string> CountedReasons(const NodeVerdicts& verdicts, size_t node_count) {
  std::map<std::string, size_t, std::less<>> counts;
  for (const auto& [verdict, nodes] : CountedVerdicts(verdicts.entries)) {
    for (const std::string_view reason : verdict.Texts()) counts[std::string(reason)] += nodes;
  }
  const size_t explicit_count = verdicts.entries.size();
  if (explicit_count < node_count) {
    for (const std::string& reason : verdicts.absent.reasons) {
      counts[reason] += node_count - explicit_count;
    }
  }
  std::vector<std::string> texts;
  texts.reserve(counts.size());
  for (const auto& [reason, nodes] : counts) texts.push_back(std::to_string(nodes) + " " + reason);
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::string Heading(size_t node_count) {
  return "0/" + std::to_string(node_count) + " nodes are available:";
}

}  // namespace

std::string FitErrorText(const NodeVerdicts& verdicts, size_t node_count) {
  std::string text = Heading(node_count);
  const auto reasons = CountedReasons(verdicts, node_count);
  for (size_t i = 0; i < reasons.size(); ++i) text += (i == 0 ? " " : ", ") + reasons[i];
  if (!reasons.empty()) text += ".";
  return text;
}

std::string FitErrorText(const Outcome& outcome) {
  if (!outcome.fit_error.empty()) return outcome.fit_error;
  std::string text = outcome.pre_filter_message.empty()
                         ? FitErrorText(outcome.verdicts, outcome.node_count)
                         : Heading(outcome.node_count) + " " + outcome.pre_filter_message + ".";
  if (!outcome.post_filter_message.empty()) text += " " + outcome.post_filter_message;
  return text;
}

}  // namespace berth::scheduler
