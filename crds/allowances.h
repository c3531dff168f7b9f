// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/container.h"
#include "api/outbound_address.h"
#include "base/error.h"
#include "crds/names.h"
#include "crds/scheduler_profile.h"
#include "crds/validation.h"

namespace berth::crds {

// Allowances is the list of resources that an installation lets profiles use, so that permission to
// write a profile grants a scheduler and nothing else. The administrator sets it with flags of the
// operator; `berth validate` and `berth render` accept the same flags. The defaults allow only uses
// that need no trust.
//
// A trailing * in an entry matches any suffix. Entries of addresses are exact.
struct Allowances {
  DefaultSchedulerName default_scheduler = DefaultSchedulerName::kReject;
  // Names of other projects' schedulers. A profile must not serve them, as its name or as an alias:
  // two schedulers would place the same pods.
  std::vector<std::string> reserved_names = DefaultReservedNames();
  // Image references of schedulers and sidecars; should include the default image. A reference with
  // a digest also matches the same digest with a tag.
  std::vector<std::string> images;
  // Secrets and ConfigMaps for a scheduler's environment, besides names that begin with
  // berth-<profile>-. NAME@HOST:PORT is a Secret that may only be sent to that address.
  std::vector<std::string> secrets;
  std::vector<std::string> config_maps;
  // Namespaces of schedulers; should include the operator's own.
  std::vector<std::string> namespaces = {std::string(kDefaultNamespace)};
  std::vector<std::string> annotations;  // keys, of scheduler pods
  std::vector<std::string> labels;
  std::vector<std::string> cluster_roles;
  std::vector<std::string> priority_classes = {DeploymentSpec{}.priority_class_name};
  // HOST:PORT of web services, besides the Services of `namespaces`.
  std::vector<std::string> addresses;
  // KIND.PATH of fields that other clients may add to the operator's objects, with everything below
  // them: "Deployment.spec.template.spec.tolerations".
  std::vector<std::string> additions;
  // Maximum requests of one scheduler pod; other resources must not be requested.
  api::ResourceList requests = DefaultRequests();

  static api::ResourceList DefaultRequests();
  static std::vector<std::string> DefaultReservedNames();
};

// AllowanceList describes one of the lists of names, and its command-line flag.
struct AllowanceList {
  std::string_view flag;
  std::vector<std::string> Allowances::*entries;
  std::string_view type;  // placeholder of an entry in --help
  std::string_view help;
};

// Returns all lists.
std::span<const AllowanceList> AllowanceLists();

// Returns the kinds that an entry of Allowances::additions may begin with: those that the operator
// renders, but the Lease, which belongs to the scheduler.
std::span<const std::string_view> KindsOfAdditions();

// Rejects entries that cannot match anything. Errors (kConfig) name the flag, the entry and the
// form.
Result<void> CheckAllowances(const Allowances& allowances);

// Rejection is the reason why this version or installation does not apply a valid profile:
// condition Stalled. The message has the field path, the value found and the allowed values.
struct Rejection {
  std::string_view reason;  // of the condition
  std::string message;  // as a whole: `spec.engine.image: "a" is not allowed here`; a long value
                        // is cut
  std::string path;     // of the field
  std::string value;    // value found, as JSON; may be empty
  std::string detail;   // the message without path and value
  bool operator==(const Rejection&) const = default;
};

// Returns the rejection of a value at a path. `value` is JSON, or empty.
Rejection Reject(std::string_view reason, std::string_view path, std::string_view value,
                 std::string_view detail);

// Reports whether schedulers may run in the namespace. Other namespaces need not be watched.
bool AllowsNamespace(const Allowances& allowances, std::string_view ns);

// Returns everything in a profile that the installation does not allow. Pure; used by the operator
// and `berth validate`. Requires: the profile is valid.
std::vector<Rejection> BeyondAllowances(const SchedulerProfile& profile,
                                        const Allowances& allowances);

// ServiceCall is a call of a Service that is allowed for the Service's namespace, not for its
// address. The Service decides where the call leads, so it is checked, too (api::ForbiddenReason).
struct ServiceCall {
  std::string path, url;  // of the field
  std::string address;    // HOST:PORT
  api::ServiceReference service;
};

// Returns these calls of a profile.
std::vector<ServiceCall> ServiceCalls(const SchedulerProfile& profile,
                                      const Allowances& allowances);

// Returns the rejection of a call because of its Service: "Service a/b WHY".
Rejection RejectService(const ServiceCall& call, std::string_view why);

}  // namespace berth::crds
