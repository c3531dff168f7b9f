// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/container.h"
#include "base/error.h"
#include "crds/names.h"
#include "crds/scheduler_profile.h"
#include "crds/validation.h"

namespace berth::crds {

// Allowances is what an installation lets profiles ask for, so that who may write a profile gets a
// scheduler and no more. The administrator says it with flags of the operator; `berth validate` and
// `berth render` take the same. The defaults allow what needs no trust.
//
// An entry stands for itself, or with `*` at its end for all that begins with what is before it.
// Those of addresses are exact.
struct Allowances {
  ReservedNames reserved = ReservedNames::kReject;
  // Image references, of schedulers and sidecars; the default image should be among them. One with
  // a digest also stands for the same digest with a tag.
  std::vector<std::string> images;
  // What a scheduler's environment may take values from, beside those whose names begin with
  // berth-<profile>-. NAME@HOST:PORT is a Secret that may be sent to that address, and nothing
  // else.
  std::vector<std::string> secrets;
  std::vector<std::string> config_maps;
  // Those that schedulers may run in; the operator's own should be among them.
  std::vector<std::string> namespaces = {std::string(kDefaultNamespace)};
  std::vector<std::string> annotations;  // keys, of scheduler pods
  std::vector<std::string> labels;
  std::vector<std::string> cluster_roles;
  std::vector<std::string> priority_classes = {DeploymentSpec{}.priority_class_name};
  // HOST:PORT of web services beside the Services of `namespaces`.
  std::vector<std::string> addresses;
  // The most that one scheduler pod may request; what is not named may not be requested.
  api::ResourceList requests = DefaultRequests();

  static api::ResourceList DefaultRequests();
};

// AllowanceList is one of the lists of names, as the operator's command line has it.
struct AllowanceList {
  std::string_view flag;
  std::vector<std::string> Allowances::*entries;
  std::string_view type;  // what an entry is, in a word
  std::string_view help;
};

// AllowanceLists gives all of them.
std::span<const AllowanceList> AllowanceLists();

// CheckAllowances finds entries that can mean nothing. Errors (kConfig) name the flag, the entry and
// the form.
Result<void> CheckAllowances(const Allowances& allowances);

// Refusal is why a valid profile is not carried out by this version or this installation: condition
// Stalled. The message has the field's path, what was found and what is allowed.
struct Rejection {
  std::string_view reason;  // of the condition
  std::string message;
  bool operator==(const Rejection&) const = default;
};

// AllowsNamespace says whether schedulers may run there: what is in other namespaces need not even be
// watched.
bool AllowsNamespace(const Allowances& allowances, std::string_view ns);

// BeyondAllowances gives everything a profile asks for that the installation does not allow. Pure;
// the operator and `berth validate` call it. Requires: the profile is valid.
std::vector<Rejection> BeyondAllowances(const SchedulerProfile& profile,
                                        const Allowances& allowances);

}  // namespace berth::crds
