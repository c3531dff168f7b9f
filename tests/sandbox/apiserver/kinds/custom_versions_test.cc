// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/custom_versions.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

TEST(IsNewerVersion, OrdersAsKubernetes) {
  const std::vector<std::string> kOrder = {"v10",      "v2",      "v1",        "v11beta2",
                                           "v10beta3", "v3beta1", "v12alpha1", "v11alpha2",
                                           "foo1",     "foo10"};
  std::vector<std::string> versions(kOrder.rbegin(), kOrder.rend());
  std::sort(versions.begin(), versions.end(), IsNewerVersion);
  EXPECT_EQ(versions, kOrder);
}

TEST(ShowVersion, ChangesObjectsOfKindsWithSeveralVersionsOnly) {
  KindInfo kind;
  kind.group = "example.com";
  kind.version = "v2";
  json object = {{"apiVersion", "example.com/v1"}};
  ShowVersion(kind, object);
  EXPECT_EQ(object["apiVersion"], "example.com/v1");
  kind.storage_version = "v1";
  ShowVersion(kind, object);
  EXPECT_EQ(object["apiVersion"], "example.com/v2");
  StoreVersion(kind, object);
  EXPECT_EQ(object["apiVersion"], "example.com/v1");
}

TEST(DeprecationWarning, NamesTheNewestVersionThatIsNot) {
  json spec = json::parse(R"({"group": "example.com", "names": {"kind": "Thing"}, "versions": [
      {"name": "v1alpha1", "served": true, "deprecated": true},
      {"name": "v1beta1", "served": true},
      {"name": "v1", "served": true},
      {"name": "v2", "served": false}]})");
  json& first = spec["versions"][0];
  EXPECT_EQ(DeprecationWarning(spec, first),
            "example.com/v1alpha1 Thing is deprecated; use example.com/v1 Thing");
  first["deprecationWarning"] = "do not";
  EXPECT_EQ(DeprecationWarning(spec, first), "do not");
  EXPECT_EQ(DeprecationWarning(spec, spec["versions"][1]), "");
}

}  // namespace
}  // namespace berth::apiserver
