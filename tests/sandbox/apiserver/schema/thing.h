// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "sandbox/apiserver/schema/parse.h"

namespace berth::apiserver {

// Returns the schema of testing/thing.json, a custom resource with one field of each type.
inline std::shared_ptr<const Schema> ThingSchema() {
  const auto text = ReadFile("tests/sandbox/apiserver/testing/thing.json");
  EXPECT_TRUE(text) << "tests are run from the root of the repository";
  const auto crd = nlohmann::json::parse(*text);
  auto schema = ParseResourceSchema(crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]);
  EXPECT_TRUE(schema);
  return *schema;
}

// Returns a Thing with that spec (JSON text).
inline nlohmann::json Thing(const std::string& spec) {
  return nlohmann::json::parse(
      R"({"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"x"},"spec":)" + spec +
      "}");
}

}  // namespace berth::apiserver
