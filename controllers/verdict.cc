// SPDX-License-Identifier: Apache-2.0
#include "controllers/verdict.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "controllers/config.h"
#include "controllers/name_registry.h"
#include "crds/effects.h"
#include "crds/validation.h"

namespace berth::controllers {
namespace {

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view ReasonOf(const api::FieldError& error) {
  if (error.path.starts_with("spec.pluginConfig") &&
      !Contains(error.detail, crds::kUnknownPlugin)) {
    return "InvalidArgs";
  }
  if (Contains(error.detail, crds::kUnknownPlugin)) return "UnknownPlugin";
  if (Contains(error.detail, crds::kNotServed) ||
      Contains(error.detail, crds::kNotKubeSchedulers)) {
    return "PluginNotServed";
  }
  if (error.path.starts_with("spec.plugins")) return "InvalidPlugins";
  if (error.path.starts_with("metadata.name") || error.path.starts_with("spec.aliases")) {
    return "InvalidName";
  }
  return "InvalidSpec";
}

std::optional<Explanation> ExplainNames(std::string_view reason, std::string_view relation,
                                        const std::vector<NameConflict>& names) {
  if (names.empty()) return std::nullopt;
  std::vector<std::string> parts;
  for (const NameConflict& name : names) {
    parts.push_back(fmt::format("scheduler name {} {} SchedulerProfile {}, which {}", name.name,
                                relation, name.owner, name.why));
  }
  return Explanation{std::string(reason), Join(parts, "; ")};
}

// A condition's message has at most 32,768 characters.
std::string Cut(std::string message) {
  constexpr size_t kMost = size_t{16} << 10;
  if (message.size() <= kMost) return message;
  return ReplaceInvalidUtf8(message.substr(0, kMost)) + " ...";
}

// Returns the first reason and all messages.
std::optional<Explanation> ExplainRejections(const std::vector<crds::Rejection>& rejections) {
  if (rejections.empty()) return std::nullopt;
  std::string message;
  for (const crds::Rejection& rejection : rejections) {
    if (!message.empty()) message += "; ";
    message += rejection.message;
  }
  return Explanation{std::string(rejections.front().reason), Cut(std::move(message))};
}

}  // namespace

std::vector<api::FieldError> ErrorsIn(const crds::SchedulerProfile& profile,
                                      const PluginCatalogue& catalogue,
                                      crds::DefaultSchedulerName default_scheduler) {
  const std::vector<api::FieldError> errors =
      crds::Validate(profile, catalogue.view(), default_scheduler);
  return errors.empty() ? CheckConfig(profile, NamesOf(profile)) : errors;
}

std::optional<Explanation> ExplainErrors(const std::vector<api::FieldError>& errors) {
  if (errors.empty()) return std::nullopt;
  return Explanation{std::string(ReasonOf(errors.front())), Cut(api::Aggregate(errors))};
}

Verdict JudgeProfile(const crds::SchedulerProfile& profile, const Observed& observed,
                     const PluginCatalogue& catalogue, const crds::Allowances& allowances,
                     const std::vector<crds::Rejection>& of_engine) {
  Verdict verdict;
  if (!profile.unreadable.empty()) {
    verdict.invalid =
        Explanation{"Unreadable", "this version cannot read the profile: " + profile.unreadable};
    return verdict;
  }
  verdict.invalid = ExplainErrors(ErrorsIn(profile, catalogue, allowances.default_scheduler));
  if (verdict.invalid) return verdict;
  std::vector<crds::Rejection> rejections = crds::RejectionsOf(profile, allowances);
  rejections.insert(rejections.end(), of_engine.begin(), of_engine.end());
  for (crds::Rejection& rejection : RejectServices(profile, allowances, observed.services)) {
    rejections.push_back(std::move(rejection));
  }
  verdict.rejected = ExplainRejections(rejections);
  if (verdict.rejected) return verdict;
  Result<Effective> effective = EffectiveOf(profile, catalogue);
  if (!effective) {
    verdict.invalid = Explanation{"InvalidPlugins", "spec.plugins: " + effective.error().message()};
    return verdict;
  }
  verdict.effective = std::move(*effective);

  if (!observed.namespace_exists) {
    verdict.rejected = Explanation{
        "NamespaceNotFound", fmt::format("spec.namespace: namespace {} does not exist; create it, "
                                         "and the scheduler follows",
                                         profile.spec.namespace_)};
    return verdict;
  }
  verdict.names =
      DecideNames(profile, KeptNames(profile, observed), observed.profiles, observed.names);
  return verdict;
}

std::optional<Explanation> ExplainTaken(const NameDecision& names) {
  return ExplainNames(kNameTaken, "belongs to", names.taken);
}

std::optional<Explanation> ExplainAwaited(const NameDecision& names) {
  return ExplainNames("WaitingForName", "is still served by", names.awaited);
}

}  // namespace berth::controllers
