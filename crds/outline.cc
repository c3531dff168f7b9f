// SPDX-License-Identifier: Apache-2.0
#include "crds/outline.h"

#include <utility>
#include <vector>

namespace berth::crds {
namespace {

struct OutlineSpec {
  std::vector<std::string> aliases;
  std::string namespace_;

  static const json::Type& JsonType() {
    static const json::Type type = json::Describe<OutlineSpec>(
        json::Object(json::Field("aliases", &OutlineSpec::aliases),
                     json::Field("namespace", &OutlineSpec::namespace_)));
    return type;
  }
};

struct Outline {
  api::ObjectMeta metadata;
  OutlineSpec spec;
  SchedulerProfileStatus status;

  static const json::Type& JsonType() {
    static const json::Type type = json::Describe<Outline>(
        json::Object(json::Field("metadata", &Outline::metadata),
                     json::Field("spec", &Outline::spec), json::Field("status", &Outline::status)));
    return type;
  }
};

}  // namespace

Result<SchedulerProfile> ReadOutline(std::string_view text, std::string why) {
  SchedulerProfile profile;
  profile.unreadable = std::move(why);
  if (auto outline = json::Decode<Outline>(text)) {
    profile.metadata = std::move(outline->metadata);
    profile.spec.aliases = std::move(outline->spec.aliases);
    profile.spec.namespace_ = std::move(outline->spec.namespace_);
    profile.status = std::move(outline->status);
    return profile;
  }
  BERTH_TRY(api::ObjectHeader header, json::Decode<api::ObjectHeader>(text));
  profile.metadata = std::move(header.metadata);
  return profile;
}

}  // namespace berth::crds
