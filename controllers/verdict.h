// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controllers/claims.h"
#include "controllers/effective.h"
#include "controllers/observed.h"
#include "crds/allowances.h"

namespace berth::controllers {

// Explanation is a reason, one CamelCase word, and the message that goes with it.
struct Explanation {
  std::string reason;
  std::string message;
};

// Verdict is what can be said of a profile before anything is written.
struct Verdict {
  std::optional<Explanation>
      invalid;  // condition Valid is False; terminal until the profile is changed
  std::optional<Explanation> rejected;  // valid, and not to be carried out as long as this holds
  Effective effective;                  // empty when invalid
  NameDecision names;                   // empty when invalid or refused

  // The plugin lists were read: what they come to, and the warnings about them, are known.
  bool IsRead() const { return !effective.capabilities.empty(); }

  // What can be carried out is rendered; of its names, those that are served.
  bool IsRendered() const { return !invalid && !rejected; }
};

// JudgeProfile validates the profile, looks whether the installation allows it and decides which of
// its names it serves. `of_engine` are the refusals of ChooseKubeScheduler. Pure.
Verdict JudgeProfile(const crds::SchedulerProfile& profile, const Observed& observed,
                     const PluginCatalogue& catalogue, const crds::Allowances& allowances,
                     const std::vector<crds::Rejection>& of_engine = {});

// ErrorsIn gives every mistake of a profile, that of its rendered configuration, which has to fit
// into a ConfigMap twice, included. Pure; `berth validate` calls it too.
std::vector<api::FieldError> ErrorsIn(const crds::SchedulerProfile& profile,
                                      const PluginCatalogue& catalogue,
                                      crds::ReservedNames reserved);

// ExplainErrors gives the reason and message of a list of mistakes; nothing when there is none.
std::optional<Explanation> ExplainErrors(const std::vector<api::FieldError>& errors);

// ExplainTaken and ExplainAwaited say which names are not served, and on account of whom; nothing
// when there is none.
std::optional<Explanation> ExplainTaken(const NameDecision& names);
std::optional<Explanation> ExplainAwaited(const NameDecision& names);

}  // namespace berth::controllers
