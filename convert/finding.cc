// SPDX-License-Identifier: Apache-2.0
#include "convert/finding.h"

#include "base/json/field_path.h"

namespace berth::convert {
namespace {

constexpr size_t kOutcomeWidth = 13;

}  // namespace

std::string_view ToString(Outcome outcome) {
  switch (outcome) {
    case Outcome::kExact:
      return "exact";
    case Outcome::kApproximate:
      return "approximate";
    case Outcome::kDropped:
      return "dropped";
  }
  return "";
}

std::string Finding::ToString() const {
  std::string line(convert::ToString(outcome));
  line.resize(kOutcomeWidth, ' ');
  line += source;
  if (!result.empty()) line += " -> " + result;
  if (!reason.empty()) line += ": " + reason;
  return json::OneLine(line);
}

const json::Type& FindingText::JsonType() {
  static const json::Type type = json::Describe<FindingText>(json::Object(
      json::Field("source", &FindingText::source), json::Field("result", &FindingText::result),
      json::Field("outcome", &FindingText::outcome), json::Field("reason", &FindingText::reason)));
  return type;
}

FindingText TextOf(const Finding& finding) {
  return {finding.source, finding.result, std::string(ToString(finding.outcome)), finding.reason};
}

Reporter Reporter::In(const std::string& place) const {
  Reporter inner(*findings_);
  inner.place_ = PathOf(place);
  return inner;
}

std::string Reporter::PathOf(const std::string& path) const {
  const bool joins = place_.empty() || path.empty() || place_.ends_with(": ");
  return place_ + (joins ? "" : ".") + path;
}

void Reporter::Add(const std::string& path, std::string result, Outcome outcome,
                   std::string reason) const {
  findings_->push_back({PathOf(path), std::move(result), outcome, std::move(reason)});
}

}  // namespace berth::convert
