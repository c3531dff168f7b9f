// SPDX-License-Identifier: Apache-2.0
#include "convert/naming.h"

#include <algorithm>

#include "base/names.h"
#include "base/strings.h"

namespace berth::convert {
namespace {

constexpr size_t kMostLetters = 52;  // SchedulerProfile::kMalformedName

// Returns a DNS label derived from the text, or an empty string if no character is usable.
std::string LabelOf(std::string_view text) {
  std::string label = ToLower(text);
  std::ranges::replace_if(
      label, [](char c) { return !IsLetter(c) && !IsDigit(c); }, '-');
  label = label.substr(0, kMostLetters);
  while (label.starts_with('-')) label.erase(0, 1);
  while (label.ends_with('-')) label.pop_back();
  return label;
}

bool IsReserved(std::string_view name) {
  return name == api::kDefaultSchedulerName || name == "operator";
}

}  // namespace

void AddAlias(std::string_view scheduler_name, const Reporter& reporter,
              crds::SchedulerProfile& profile) {
  const std::string path = "schedulerName " + Quote(scheduler_name);
  if (scheduler_name == profile.metadata.name) return;
  if (scheduler_name == api::kDefaultSchedulerName) {
    reporter.Dropped(path,
                     "the name is reserved for the cluster's default scheduler: set "
                     "spec.schedulerName of the pods to \"" +
                         profile.metadata.name + "\"");
    return;
  }
  if (std::ranges::find(profile.spec.aliases, scheduler_name) == profile.spec.aliases.end()) {
    profile.spec.aliases.emplace_back(scheduler_name);
  }
  reporter.Exact(path, "spec.aliases", "pods with this name use this scheduler");
}

std::string ProfileNameOf(std::string_view wanted, std::string_view scheduler_name,
                          std::string_view fallback) {
  std::string name;
  if (!wanted.empty()) {
    name = wanted;
  } else if (!scheduler_name.empty() && !IsReserved(scheduler_name)) {
    name = LabelOf(scheduler_name);
  }
  if (name.empty() || IsReserved(name)) name = LabelOf(fallback);
  if (name.empty() || IsReserved(name)) name = "converted";
  return name;
}

void NameProfile(std::string_view wanted, std::string_view scheduler_name,
                 std::string_view fallback, const Reporter& reporter,
                 crds::SchedulerProfile& profile) {
  std::string& name = profile.metadata.name;
  name = ProfileNameOf(wanted, scheduler_name, fallback);
  if (scheduler_name.empty()) {
    reporter.Approximate("(no schedulerName)", "metadata.name " + name,
                         "set it as spec.schedulerName of pods; use --name to change it");
  } else if (scheduler_name == name) {
    reporter.Exact("schedulerName " + Quote(scheduler_name), "metadata.name " + name);
  } else {
    AddAlias(scheduler_name, reporter, profile);
  }
}

}  // namespace berth::convert
