// SPDX-License-Identifier: Apache-2.0
#include "base/yaml/yaml.h"

#include "base/check.h"
#include "base/json/json.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

// Documents are canonical JSON, and their YAML must parse to the same documents.
void CheckRoundTrip(const std::string& document) {
  BERTH_CHECK(json::Canonical(document).value_or("") == document,
              "a document is not canonical JSON");
  const std::string written = yaml::FromJson(document);
  const auto read = yaml::ToJson(written);
  BERTH_CHECK(read.has_value(), "a written document does not parse");
  BERTH_CHECK(*read == document, "writing changed a document");
}

}  // namespace

void Yaml(std::string_view input) {
  const auto documents = yaml::DocumentsToJson(input);
  if (documents) {
    for (const std::string& document : *documents) CheckRoundTrip(document);
  }
  const auto one = yaml::ToJson(input);
  if (one) CheckRoundTrip(*one);
  const auto canonical = json::Canonical(input);
  if (canonical) yaml::FromJson(*canonical);
}

}  // namespace berth::fuzz
