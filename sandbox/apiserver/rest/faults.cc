// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/faults.h"

#include <algorithm>
#include <utility>

#include "base/json/json.h"

namespace berth::apiserver {
namespace {

// Document is the JSON form of a rule.
struct Document {
  std::string action, when = "before";
  std::string verb, group, resource, subresource, namespace_, name;
  int32_t code = 500, retry_after_seconds = 0;
  int64_t delay_milliseconds = 0, lag = 0, skip = 0;
  double probability = 1;
  std::optional<int64_t> times;

  static auto Fields() {
    return berth::json::Object(
        berth::json::Field("action", &Document::action),
        berth::json::Field("when", &Document::when), berth::json::Field("verb", &Document::verb),
        berth::json::Field("group", &Document::group),
        berth::json::Field("resource", &Document::resource),
        berth::json::Field("subresource", &Document::subresource),
        berth::json::Field("namespace", &Document::namespace_),
        berth::json::Field("name", &Document::name), berth::json::Field("code", &Document::code),
        berth::json::Field("retryAfterSeconds", &Document::retry_after_seconds),
        berth::json::Field("delayMilliseconds", &Document::delay_milliseconds),
        berth::json::Field("lag", &Document::lag), berth::json::Field("skip", &Document::skip),
        berth::json::Field("probability", &Document::probability),
        berth::json::Field("times", &Document::times));
  }
};

template <class T>
using Words = std::vector<std::pair<std::string_view, T>>;

const Words<FaultRule::Action> kActions = {{"fail", FaultRule::Action::kFail},
                                           {"drop", FaultRule::Action::kDrop},
                                           {"delay", FaultRule::Action::kDelay},
                                           {"duplicate", FaultRule::Action::kDuplicate},
                                           {"stale", FaultRule::Action::kStale}};
const Words<FaultRule::When> kTimes = {{"before", FaultRule::When::kBefore},
                                       {"after", FaultRule::When::kAfter}};

template <class T>
Result<T> WordOf(const std::string& field, const std::string& text, const Words<T>& words) {
  std::string allowed;
  for (const auto& [word, value] : words) {
    if (text == word) return value;
    allowed += (allowed.empty() ? "" : ", ") + std::string(word);
  }
  return ConfigError(field + ": \"" + text + "\"; allowed are " + allowed);
}

template <class T>
Result<void> Between(const std::string& field, T value, T least, T most) {
  if (value >= least && value <= most) return {};
  return ConfigError(field + ": " + berth::json::Encode(value) + "; allowed are " +
                     berth::json::Encode(least) + " to " + berth::json::Encode(most));
}

constexpr int64_t kMany = 1'000'000'000;  // of versions, requests and milliseconds

}  // namespace

bool FaultRule::Matches(const RequestInfo& info) const {
  const auto fits = [](const std::string& wanted, const std::string& found) {
    return wanted.empty() || wanted == found;
  };
  return fits(verb, info.verb) && fits(group, info.group) && fits(resource, info.resource) &&
         fits(subresource, info.subresource) && fits(namespace_, info.namespace_) &&
         fits(name, info.name);
}

Result<FaultRule> FaultRule::Parse(std::string_view text) {
  BERTH_TRY(const Document written,
            berth::json::Decode<Document>(text, berth::json::Mode::kStrict));
  FaultRule rule;
  BERTH_TRY(rule.action, WordOf("action", written.action, kActions));
  BERTH_TRY(rule.when, WordOf("when", written.when, kTimes));
  BERTH_TRY_VOID(Between("code", written.code, 400, 599));
  BERTH_TRY_VOID(Between("retryAfterSeconds", written.retry_after_seconds, 0, 1'000'000));
  BERTH_TRY_VOID(Between("delayMilliseconds", written.delay_milliseconds, int64_t{0}, kMany));
  BERTH_TRY_VOID(Between("lag", written.lag, int64_t{0}, kMany));
  BERTH_TRY_VOID(Between("skip", written.skip, int64_t{0}, kMany));
  BERTH_TRY_VOID(Between("times", written.times.value_or(0), int64_t{0}, kMany));
  BERTH_TRY_VOID(Between("probability", written.probability, 0.0, 1.0));
  rule.verb = written.verb;
  rule.group = written.group;
  rule.resource = written.resource;
  rule.subresource = written.subresource;
  rule.namespace_ = written.namespace_;
  rule.name = written.name;
  rule.code = written.code;
  rule.retry_after_seconds = written.retry_after_seconds;
  rule.delay = std::chrono::milliseconds(written.delay_milliseconds);
  rule.lag = written.lag;
  rule.probability = written.probability;
  rule.skip = written.skip;
  rule.times = written.times;
  return rule;
}

void FaultInjector::Clear() {
  rules_.clear();
  engine_.seed(seed_);
}

FaultPlan FaultInjector::Plan(const RequestInfo& info) {
  FaultPlan plan;
  for (FaultRule& rule : rules_) {
    if (!rule.Matches(info) || rule.times == 0) continue;
    // Drawn for each match, so that rules do not influence each other's results.
    const double drawn =
        static_cast<double>(engine_() >> 11) / static_cast<double>(uint64_t{1} << 53);
    if (drawn >= rule.probability) continue;
    if (rule.skip > 0) {
      --rule.skip;
      continue;
    }
    if (rule.times) --*rule.times;
    FaultPlan::Side& side = rule.when == FaultRule::When::kBefore ? plan.before : plan.after;
    switch (rule.action) {
      case FaultRule::Action::kFail:
        side.fail_code = rule.code;
        side.retry_after_seconds = rule.retry_after_seconds;
        break;
      case FaultRule::Action::kDrop:
        side.drop = true;
        break;
      case FaultRule::Action::kDelay:
        side.delay += rule.delay;
        break;
      case FaultRule::Action::kDuplicate:
        side.duplicate = true;
        break;
      case FaultRule::Action::kStale:
        plan.lag = std::max(plan.lag, rule.lag);
        break;
    }
  }
  return plan;
}

}  // namespace berth::apiserver
