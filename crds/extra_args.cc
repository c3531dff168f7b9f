// SPDX-License-Identifier: Apache-2.0
#include "crds/extra_args.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <string_view>

#include "api/scheduler_flags.h"
#include "base/strings.h"

namespace berth::crds {
namespace {

using api::FieldError;
using api::SchedulerFlag;

const SchedulerFlag* FlagNamed(std::string_view name) {
  const auto* const found = std::ranges::find(api::kSchedulerFlags, name, &SchedulerFlag::name);
  return found == std::end(api::kSchedulerFlags) ? nullptr : found;
}

std::string UnknownFlag(std::string_view name) {
  std::vector<std::string> allowed;
  for (const SchedulerFlag& flag : api::kSchedulerFlags) {
    if (flag.range) allowed.emplace_back(flag.name);
  }
  std::string detail = "Berth's scheduler has no such flag; ";
  const auto nearest = NearestName(name, allowed);
  detail += nearest ? "nearest: --" + *nearest : "allowed: --" + Join(allowed, ", --");
  return detail;
}

// The kubelet replaces references to variables, whose values are not known here.
bool Fits(std::string_view value, const SchedulerFlag& flag) {
  if (!flag.range || value.find("$(") != value.npos) return true;
  int64_t number = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  return code == std::errc() && end == value.data() + value.size() && number >= flag.range->first &&
         number <= flag.range->second;
}

}  // namespace

std::vector<FieldError> CheckExtraArgs(const EngineSpec& engine) {
  std::vector<FieldError> errors;
  if (engine.IsKubeScheduler() || !engine.image.empty()) return errors;
  const std::vector<std::string>& args = engine.extra_args;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string path = api::Index("spec.engine.extraArgs", i);
    const std::string_view arg = args[i];
    const size_t dashes = std::min(arg.find_first_not_of('-'), arg.size());
    const size_t sign = arg.find('=');
    const std::string_view name = arg.substr(0, sign).substr(dashes);
    const SchedulerFlag* flag = FlagNamed(name);
    if (dashes == 0) {
      errors.push_back(FieldError::Invalid(path, arg, "belongs to no flag; write --FLAG=VALUE"));
    } else if (flag == nullptr || (dashes != 2 && flag->range)) {
      errors.push_back(FieldError::Invalid(path, arg, UnknownFlag(name)));
    } else if (flag->range) {
      const bool is_next = sign == arg.npos && i + 1 < args.size();
      const std::string_view value = is_next ? args[++i] : arg.substr(std::min(sign, arg.size()));
      if (Fits(value.substr(value.starts_with('=') ? 1 : 0), *flag)) continue;
      errors.push_back(FieldError::Invalid(path, arg,
                                           "must have a whole number from " +
                                               std::to_string(flag->range->first) + " to " +
                                               std::to_string(flag->range->second) + " as value"));
    } else if (sign == arg.npos) {
      ++i;  // the value of a flag of the operator
    }
  }
  return errors;
}

}  // namespace berth::crds
