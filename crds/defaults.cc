// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "base/check.h"
#include "base/json/json.h"
#include "crds/bounds.h"
#include "crds/scheduler_profile.h"

namespace berth::crds {
namespace {

using json::Type;

// An empty string is a value unless the field has an enum or a pattern that excludes it.
bool EmptyMeansAbsent(const Type& type, const json::FieldOptions& options) {
  if (type.kind == Type::Kind::kScalar) return true;
  return type.kind == Type::Kind::kString &&
         (!options.one_of.empty() ||
          (!options.pattern.empty() && !FitsPattern("", options.pattern)));
}

void FillDefaults(const Type& type, void* object) {
  for (const Type::Field& field : type.fields) {
    const Type& content = field.type();
    void* value = field.In(object);
    if (content.kind == Type::Kind::kObject) {
      FillDefaults(content, value);
    } else if (!field.options.default_json.empty() && content.empty(value) &&
               EmptyMeansAbsent(content, field.options)) {
      std::string document = "{";
      json::AppendQuoted(field.name, document);
      document.append(":").append(field.options.default_json).append("}");
      const auto filled = json::DecodeInto(document, type, object, json::Mode::kStrict);
      BERTH_CHECK(filled.has_value(), "a described default does not decode as its own field");
    }
  }
}

}  // namespace

SchedulerProfile WithDefaults(SchedulerProfile profile) {
  FillDefaults(json::TypeOf<SchedulerProfileSpec>(), &profile.spec);
  return profile;
}

void PlaceByDefault(SchedulerProfile& profile, std::string_view installation) {
  std::string& ns = profile.spec.namespace_;
  if (ns.empty()) ns = profile.status.scheduler.namespace_;
  if (ns.empty()) ns = installation;
}

}  // namespace berth::crds
