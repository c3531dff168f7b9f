// SPDX-License-Identifier: Apache-2.0
#include "controllers/problems.h"

#include <fmt/format.h>

#include "crds/names.h"

namespace berth::controllers {
namespace {

std::string NamespaceFix(const std::string& ns) {
  return fmt::format(
      "; to let the operator manage namespace {}, bind ClusterRole {} to ServiceAccount {}/{} with "
      "a RoleBinding there",
      ns, crds::kOperatorNamespaceRole, crds::kDefaultNamespace, crds::kOperatorName);
}

// `kubectl apply` of the shipped manifests restores every permission of the operator.
std::string PermissionFix() {
  return "; apply deploy/install.yaml again to restore the operator's permissions";
}

// A webhook of the cluster says no in its own words and may say yes later.
bool IsWebhookDenial(const Error& error) {
  return error.message().find("admission webhook") != std::string::npos;
}

bool IsForbiddenIn(const Problem& problem, const std::string& ns) {
  return problem.kind == Problem::Kind::kFailed && problem.error.Is(Reason::kForbidden) &&
         problem.key.namespace_ == ns;
}

Explanation ExplanationOf(const crds::SchedulerProfile& profile, const Problem& problem) {
  const std::string& ns = profile.spec.namespace_;
  if (problem.kind == Problem::Kind::kNotOwned) return {"NotOwned", problem.error.message()};
  const std::string what =
      fmt::format("cannot {} {} ({}): {}", problem.verb, problem.key.resource->plural,
                  problem.key.ToString(), problem.error.message());
  if (problem.error.Is(Reason::kForbidden)) {
    if (IsForbiddenIn(problem, ns) && ns != crds::kDefaultNamespace) {
      return {"NamespaceNotManaged", what + NamespaceFix(ns)};
    }
    return {"Forbidden", what + PermissionFix()};
  }
  if (problem.error.Is(Reason::kNotFound)) return {"NamespaceNotFound", what};
  return {"Refused", what};
}

}  // namespace

bool IsPassing(const Problem& problem) {
  if (problem.kind == Problem::Kind::kBeingCollected) return true;
  if (problem.kind == Problem::Kind::kNotOwned) return false;
  if (IsWebhookDenial(problem.error)) return true;
  switch (problem.error.reason()) {
    case Reason::kForbidden:
    case Reason::kInvalid:
    case Reason::kBadRequest:
    case Reason::kNotFound:
    case Reason::kMethodNotAllowed:
    case Reason::kRequestEntityTooLarge:
      return false;
    default:
      return true;
  }
}

std::optional<Explanation> StallingProblem(const crds::SchedulerProfile& profile,
                                           const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    if (!IsPassing(problem)) return ExplanationOf(profile, problem);
  }
  return std::nullopt;
}

std::optional<Explanation> PassingProblem(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    if (!IsPassing(problem)) continue;
    if (problem.kind == Problem::Kind::kBeingCollected) {
      return Explanation{"WaitingForDeletion", problem.error.message()};
    }
    return Explanation{"Retrying", fmt::format("cannot {} {}: {}", problem.verb,
                                               problem.key.ToString(), problem.error.message())};
  }
  return std::nullopt;
}

}  // namespace berth::controllers
