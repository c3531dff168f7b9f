// SPDX-License-Identifier: Apache-2.0
#include "controllers/reconcile_errors.h"

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

// Denial is a rejection by the API server, recognized by its message: the reason on the wire is
// Forbidden for all of them, or the author's choice for a policy.
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
    {"admission webhook ", "Retrying",
     Severity::kTransient},  // the webhook's own message; it may admit a later request
    {"because it is being terminated", "NamespaceTerminating", Severity::kTransient},
    {"exceeded quota: ", "QuotaExceeded", Severity::kTransient},  // until other objects make room
    {"status unknown for quota: ", "QuotaExceeded", Severity::kTransient},
    {"failed quota: ", "QuotaExceeded", Severity::kStalls},  // it limits a value that is not set
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

// An error stalls a profile if the API server answered and rejected the request.
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
      return Severity::kTransient;
  }
}

std::string TextOf(const ReconcileError& failure) {
  return fmt::format("cannot {} {} ({}): {}", failure.verb, failure.key.resource->plural,
                     failure.key.ToString(), failure.error.message());
}

Explanation ExplainPermission(const crds::SchedulerProfile& profile,
                              const std::string& operator_namespace,
                              const ReconcileError& failure) {
  const std::string& ns = profile.spec.namespace_;
  if (failure.key.namespace_ == ns && ns != operator_namespace) {
    return {"NamespaceNotManaged", TextOf(failure) + NamespaceFix(ns, operator_namespace)};
  }
  return {std::string(kPermission), TextOf(failure) + PermissionFix()};
}

Explanation ExplainStalling(const crds::SchedulerProfile& profile,
                            const std::string& operator_namespace, const ReconcileError& failure) {
  if (failure.kind == ReconcileError::Kind::kNotOwned) return {"NotOwned", failure.error.message()};
  if (const Denial* denial = DenialIn(failure.error)) {
    if (denial->reason == kPermission) {
      return ExplainPermission(profile, operator_namespace, failure);
    }
    return {std::string(denial->reason), TextOf(failure)};
  }
  if (failure.error.Is(Reason::kForbidden)) return {std::string(kPermission), TextOf(failure)};
  if (failure.error.Is(Reason::kNotFound)) return {"NamespaceNotFound", TextOf(failure)};
  return {"Refused", TextOf(failure)};
}

Explanation ExplainFailed(const ReconcileError& failure) {
  const Denial* denial = DenialIn(failure.error);
  return {std::string(denial ? denial->reason : "Retrying"),
          fmt::format("cannot {} {}: {}", failure.verb, failure.key.ToString(),
                      failure.error.message())};
}

Explanation ExplainPassing(const ReconcileError& failure) {
  switch (failure.kind) {
    case ReconcileError::Kind::kBeingCollected:
      return {"WaitingForDeletion", failure.error.message()};
    case ReconcileError::Kind::kContested:
      return {"Contested", failure.error.message()};
    case ReconcileError::Kind::kWaitingForTurn:
      return {"WaitingForTurn", failure.error.message()};
    default:
      return ExplainFailed(failure);
  }
}

}  // namespace

Severity SeverityOf(const ReconcileError& failure) {
  switch (failure.kind) {
    case ReconcileError::Kind::kFailed:
      return SeverityOf(failure.error);
    case ReconcileError::Kind::kNotOwned:
      return Severity::kStalls;
    case ReconcileError::Kind::kBeingCollected:
      return Severity::kTransient;
    case ReconcileError::Kind::kContested:
    case ReconcileError::Kind::kWaitingForTurn:
      return Severity::kWaits;
    case ReconcileError::Kind::kChangedByAdmission:
      return Severity::kWarns;
  }
  return Severity::kStalls;
}

std::optional<Explanation> FindStallingError(const crds::SchedulerProfile& profile,
                                             const std::string& operator_namespace,
                                             const std::vector<ReconcileError>& failures) {
  for (const ReconcileError& failure : failures) {
    if (SeverityOf(failure) != Severity::kStalls) continue;
    return ExplainStalling(profile, operator_namespace, failure);
  }
  return std::nullopt;
}

std::optional<Explanation> FindTransientError(const std::vector<ReconcileError>& failures) {
  for (const ReconcileError& failure : failures) {
    const Severity severity = SeverityOf(failure);
    if (severity == Severity::kTransient || severity == Severity::kWaits) {
      return ExplainPassing(failure);
    }
  }
  return std::nullopt;
}

std::vector<Explanation> FindWarnings(const std::vector<ReconcileError>& failures) {
  std::vector<Explanation> lasting;
  for (const ReconcileError& failure : failures) {
    if (failure.kind == ReconcileError::Kind::kContested)
      lasting.push_back(ExplainPassing(failure));
    if (failure.kind == ReconcileError::Kind::kChangedByAdmission) {
      lasting.push_back({"ChangedByAdmission", failure.error.message()});
    }
  }
  return lasting;
}

}  // namespace berth::controllers
