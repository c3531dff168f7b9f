// SPDX-License-Identifier: Apache-2.0
#include "controllers/kind_watch.h"

#include "controllers/render.h"
#include "crds/names.h"

namespace berth::controllers {

bool KindWatch::IsKnown() const {
  const client::ReflectorStatus now = status();
  return now.synced || (now.failing && now.last_error && now.last_error->Is(Reason::kForbidden));
}

std::string KindWatch::ProfileOf(const api::ObjectMeta& metadata) {
  const auto label = metadata.labels.find(std::string(crds::kProfileLabel));
  return label == metadata.labels.end() ? "" : label->second;
}

client::ReflectorOptions KindWatch::OptionsFor(const std::string& ns) {
  client::ReflectorOptions options;
  options.ns = ns;
  options.label_selector = std::string(kManagedByLabel) + "=" + std::string(kFieldManager);
  return options;
}

void KindWatch::Tell(const AnyObject& object) const {
  const std::string profile = ProfileOf(object.metadata());
  if (!profile.empty()) listener_(object.key(), profile);
}

}  // namespace berth::controllers
