// SPDX-License-Identifier: Apache-2.0
#include "controllers/problems.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "crds/names.h"

namespace berth::controllers {
namespace {

std::string NamespaceFix(const std::string& ns, const std::string& operator_namespace) {
  return fmt::format(
      "; to let the operator manage namespace {}, bind ClusterRole {} to ServiceAccount {}/{} with "
      "a RoleBinding there",
      ns, crds::kOperatorNamespaceRole, operator_namespace, crds::kOperatorName);
}

// `kubectl apply` of the shipped manifests restores every permission of the operator.
std::string PermissionFix() {
  return "; apply deploy/install.yaml again to restore the operator's permissions";
}

// Denial is a no of the API server, told by its words: the reason on the wire is Forbidden for all
// of them, or for a policy what its author chose.
struct Denial {
  std::string_view words;
  std::string_view reason;
  Severity severity;
};

// Sources: apiserver pkg/endpoints/handlers/responsewriters/errors.go, forbiddenMessage;
// pkg/admission/plugin/{namespace/lifecycle/admission.go, resourcequota/controller.go,
// policy/validating/dispatcher.go, webhook/errors/statuserror.go}; pod-security-admission
// admission/admission.go; kube-apiserver pkg/registry/rbac/validation/rule.go and
// plugin/pkg/admission/gc/gc_admission.go.
constexpr std::string_view kPermission = "Forbidden";
constexpr Denial kDenials[] = {
    {"admission webhook ", "Retrying", Severity::kPasses},  // in its own words; later it may agree
    {"because it is being terminated", "NamespaceTerminating", Severity::kPasses},
    {"exceeded quota: ", "QuotaExceeded", Severity::kPasses},  // until others make room
    {"status unknown for quota: ", "QuotaExceeded", Severity::kPasses},
    {"failed quota: ", "QuotaExceeded", Severity::kStalls},  // the quota asks for what is not said
    {"ValidatingAdmissionPolicy '", "PolicyDenied", Severity::kStalls},
    {"violates PodSecurity ", "PolicyDenied", Severity::kStalls},
    {"\" cannot ", kPermission, Severity::kStalls},  // User "x" cannot create resource "y"
    {"attempting to grant RBAC permissions", kPermission, Severity::kStalls},
    {"cannot set blockOwnerDeletion", kPermission, Severity::kStalls},
    {"cannot set an ownerRef", kPermission, Severity::kStalls},
};

const Denial* DenialIn(const Error& error) {
  if (!error.Is(Reason::kForbidden) && !error.Is(Reason::kInvalid)) return nullptr;
  const auto found = std::ranges::find_if(kDenials, [&error](const Denial& denial) {
    return error.message().find(denial.words) != std::string::npos;
  });
  return found == std::end(kDenials) ? nullptr : &*found;
}

// What stalls a profile although the API server answered: its request was refused.
Severity SeverityOf(const Error& error) {
  if (const Denial* denial = DenialIn(error)) return denial->severity;
  switch (error.reason()) {
    case Reason::kForbidden:
    case Reason::kInvalid:
    case Reason::kBadRequest:
    case Reason::kNotFound:
    case Reason::kMethodNotAllowed:
    case Reason::kRequestEntityTooLarge:
      return Severity::kStalls;
    default:
      return Severity::kPasses;
  }
}

std::string TextOf(const Problem& problem) {
  return fmt::format("cannot {} {} ({}): {}", problem.verb, problem.key.resource->plural,
                     problem.key.ToString(), problem.error.message());
}

Explanation ExplainPermission(const crds::SchedulerProfile& profile,
                              const std::string& operator_namespace, const Problem& problem) {
  const std::string& ns = profile.spec.namespace_;
  if (problem.key.namespace_ == ns && ns != operator_namespace) {
    return {"NamespaceNotManaged", TextOf(problem) + NamespaceFix(ns, operator_namespace)};
  }
  return {std::string(kPermission), TextOf(problem) + PermissionFix()};
}

Explanation ExplainStalling(const crds::SchedulerProfile& profile,
                            const std::string& operator_namespace, const Problem& problem) {
  if (problem.kind == Problem::Kind::kNotOwned) return {"NotOwned", problem.error.message()};
  if (const Denial* denial = DenialIn(problem.error)) {
    if (denial->reason == kPermission) {
      return ExplainPermission(profile, operator_namespace, problem);
    }
    return {std::string(denial->reason), TextOf(problem)};
  }
  if (problem.error.Is(Reason::kForbidden)) return {std::string(kPermission), TextOf(problem)};
  if (problem.error.Is(Reason::kNotFound)) return {"NamespaceNotFound", TextOf(problem)};
  return {"Refused", TextOf(problem)};
}

Explanation ExplainFailed(const Problem& problem) {
  const Denial* denial = DenialIn(problem.error);
  return {std::string(denial ? denial->reason : "Retrying"),
          fmt::format("cannot {} {}: {}", problem.verb, problem.key.ToString(),
                      problem.error.message())};
}

Explanation ExplainPassing(const Problem& problem) {
  switch (problem.kind) {
    case Problem::Kind::kBeingCollected:
      return {"WaitingForDeletion", problem.error.message()};
    case Problem::Kind::kContested:
      return {"Contested", problem.error.message()};
    case Problem::Kind::kWaitingForTurn:
      return {"WaitingForTurn", problem.error.message()};
    default:
      return ExplainFailed(problem);
  }
}

}  // namespace

Severity SeverityOf(const Problem& problem) {
  switch (problem.kind) {
    case Problem::Kind::kFailed:
      return SeverityOf(problem.error);
    case Problem::Kind::kNotOwned:
      return Severity::kStalls;
    case Problem::Kind::kBeingCollected:
      return Severity::kPasses;
    case Problem::Kind::kContested:
    case Problem::Kind::kWaitingForTurn:
      return Severity::kWaits;
    case Problem::Kind::kChangedByAdmission:
      return Severity::kWarns;
  }
  return Severity::kStalls;
}

std::optional<Explanation> StallingProblem(const crds::SchedulerProfile& profile,
                                           const std::string& operator_namespace,
                                           const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    if (SeverityOf(problem) != Severity::kStalls) continue;
    return ExplainStalling(profile, operator_namespace, problem);
  }
  return std::nullopt;
}

std::optional<Explanation> PassingProblem(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    const Severity severity = SeverityOf(problem);
    if (severity == Severity::kPasses || severity == Severity::kWaits) {
      return ExplainPassing(problem);
    }
  }
  return std::nullopt;
}

std::vector<Explanation> LastingProblems(const std::vector<Problem>& problems) {
  std::vector<Explanation> lasting;
  for (const Problem& problem : problems) {
    if (problem.kind == Problem::Kind::kContested) lasting.push_back(ExplainPassing(problem));
    if (problem.kind == Problem::Kind::kChangedByAdmission) {
      lasting.push_back({"ChangedByAdmission", problem.error.message()});
    }
  }
  return lasting;
}

}  // namespace berth::controllers
