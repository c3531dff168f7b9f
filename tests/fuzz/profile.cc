// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"
#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "crds/effects.h"
#include "crds/validation.h"
#include "tests/crds/catalogue_fixture.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

void CheckProfile(const std::string& document) {
  static const auto* const kCatalogue = new crds::PluginCatalogueView(crds::UpstreamCatalogue());
  const auto read = json::Decode<crds::SchedulerProfile>(document, json::Mode::kStrict);
  if (!read) return;
  const crds::SchedulerProfile profile = crds::WithDefaults(*read);
  BERTH_CHECK(crds::WithDefaults(profile) == profile, "applying defaults twice changed a profile");
  const auto errors = crds::Validate(profile, *kCatalogue);
  for (const api::FieldError& error : errors) {
    BERTH_CHECK(!error.path.empty(), "an error without a path");
  }
  if (!errors.empty()) return;
  crds::Warnings(profile.spec);
  for (const crds::Rejection& rejection : crds::RejectionsOf(profile, {})) {
    BERTH_CHECK(rejection.message.starts_with("spec."), "a rejection without a path");
  }
  const std::string encoded = json::Encode(profile);
  const auto again = json::Decode<crds::SchedulerProfile>(encoded, json::Mode::kStrict);
  BERTH_CHECK(again.has_value(), "an encoded profile does not decode");
  BERTH_CHECK(json::Encode(*again) == encoded, "encoding changed a profile");
}

}  // namespace

// As `berth validate` processes a file.
void Profile(std::string_view input) {
  const auto documents = yaml::DocumentsToJson(input);
  if (!documents) return;
  for (const std::string& document : *documents) CheckProfile(document);
}

}  // namespace berth::fuzz
