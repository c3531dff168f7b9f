// SPDX-License-Identifier: Apache-2.0
#include "controllers/verdict.h"

#include <algorithm>

#include "base/strings.h"
#include "controllers/config.h"
#include "crds/effects.h"
#include "crds/validation.h"

namespace berth::controllers {
namespace {

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view ReasonOf(const api::FieldError& mistake) {
  if (mistake.path.starts_with("spec.pluginConfig") &&
      !Contains(mistake.detail, crds::kUnknownPlugin)) {
    return "InvalidArgs";
  }
  if (Contains(mistake.detail, crds::kUnknownPlugin)) return "UnknownPlugin";
  if (Contains(mistake.detail, crds::kNotServed)) return "PluginNotServed";
  if (mistake.path.starts_with("spec.plugins")) return "InvalidPlugins";
  if (mistake.path.starts_with("metadata.name") || mistake.path.starts_with("spec.aliases")) {
    return "InvalidName";
  }
  return "InvalidSpec";
}

Explanation ExplainTakenNames(const std::vector<TakenName>& taken) {
  std::string message;
  for (const TakenName& name : taken) {
    if (!message.empty()) message += "; ";
    message +=
        "scheduler name " + name.name + " belongs to the older SchedulerProfile " + name.holder;
  }
  return {"NameTaken", message};
}

// A condition's message has at most 32,768 characters.
std::string Cut(std::string message) {
  constexpr size_t kMost = size_t{16} << 10;
  if (message.size() <= kMost) return message;
  return ReplaceInvalidUtf8(message.substr(0, kMost)) + " ...";
}

// The first reason, and all that is refused.
std::optional<Explanation> ExplainRefusals(const std::vector<crds::Refusal>& refusals) {
  if (refusals.empty()) return std::nullopt;
  std::string message;
  for (const crds::Refusal& refusal : refusals) {
    if (!message.empty()) message += "; ";
    message += refusal.message;
  }
  return Explanation{std::string(refusals.front().reason), Cut(std::move(message))};
}

}  // namespace

std::vector<api::FieldError> MistakesIn(const crds::SchedulerProfile& profile,
                                        const PluginCatalogue& catalogue,
                                        crds::ReservedNames reserved) {
  std::vector<api::FieldError> mistakes = crds::Validate(profile, catalogue.view(), reserved);
  if (!mistakes.empty()) return mistakes;
  if (auto mistake = CheckConfigSize(RenderConfig(profile, NamesOf(profile)))) {
    mistakes.push_back(std::move(*mistake));
  }
  return mistakes;
}

std::optional<Explanation> ExplainMistakes(const std::vector<api::FieldError>& mistakes) {
  if (mistakes.empty()) return std::nullopt;
  return Explanation{std::string(ReasonOf(mistakes.front())), Cut(api::Aggregate(mistakes))};
}

Verdict JudgeProfile(const crds::SchedulerProfile& profile, const Observed& observed,
                     const PluginCatalogue& catalogue, const crds::Allowances& allowances) {
  Verdict verdict;
  if (!profile.unreadable.empty()) {
    verdict.invalid =
        Explanation{"Unreadable", "this version cannot read the profile: " + profile.unreadable};
    return verdict;
  }
  verdict.invalid = ExplainMistakes(MistakesIn(profile, catalogue, allowances.reserved));
  if (verdict.invalid) return verdict;
  verdict.refused = ExplainRefusals(crds::RefusalsOf(profile, allowances));
  if (verdict.refused) return verdict;
  Result<Effective> effective = EffectiveOf(profile, catalogue);
  if (!effective) {
    verdict.invalid = Explanation{"InvalidPlugins", "spec.plugins: " + effective.error().message()};
    return verdict;
  }
  verdict.effective = std::move(*effective);

  const std::vector<TakenName> taken = TakenNames(profile, observed.profiles);
  if (!taken.empty()) verdict.refused = ExplainTakenNames(taken);
  const auto is_taken = [&taken](const std::string& name) {
    return std::ranges::find(taken, name, &TakenName::name) != taken.end();
  };
  if (is_taken(profile.metadata.name)) return verdict;
  for (std::string& name : NamesOf(profile)) {
    if (!is_taken(name)) verdict.names.push_back(std::move(name));
  }
  return verdict;
}

}  // namespace berth::controllers
