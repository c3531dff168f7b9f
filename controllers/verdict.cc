// SPDX-License-Identifier: Apache-2.0
#include "controllers/verdict.h"

#include <algorithm>

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

}  // namespace

std::optional<Explanation> ExplainMistakes(const std::vector<api::FieldError>& mistakes) {
  if (mistakes.empty()) return std::nullopt;
  return Explanation{std::string(ReasonOf(mistakes.front())), api::Aggregate(mistakes)};
}

Verdict JudgeProfile(const crds::SchedulerProfile& profile, const Observed& observed,
                     const PluginCatalogue& catalogue, crds::ReservedNames reserved) {
  Verdict verdict;
  verdict.invalid = ExplainMistakes(crds::Validate(profile, catalogue.view(), reserved));
  if (verdict.invalid) return verdict;
  if (const auto refusal = crds::RefusalOf(profile.spec, {})) {
    verdict.refused = Explanation{std::string(refusal->reason), refusal->message};
    return verdict;
  }
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
