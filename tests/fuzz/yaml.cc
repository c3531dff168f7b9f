// SPDX-License-Identifier: Apache-2.0
#include "base/yaml/yaml.h"

#include "base/check.h"
#include "base/json/json.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

// Documents are canonical JSON, and their YAML says the same.
void CheckRoundTrip(const std::string& document) {
  BERTH_CHECK(json::Canonical(document).value_or("") == document,
              "a document that is not canonical JSON");
  const std::string written = yaml::FromJson(document);
  const auto read = yaml::ToJson(written);
  BERTH_CHECK(read.has_value(), "what was written is not read");
  BERTH_CHECK(*read == document, "writing has changed a document");
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
