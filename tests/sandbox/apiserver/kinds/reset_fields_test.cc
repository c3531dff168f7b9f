// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/builtin/reset_fields.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/kinds/kind_registry.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

const KindRegistry& Kinds() {
  static const KindRegistry kKinds;
  return kKinds;
}

TEST(ResetFields, DependOnTheEndpoint) {
  const KindPtr pod = Kinds().Find("", "v1", "pods");
  const KindPtr map = Kinds().Find("", "v1", "configmaps");
  EXPECT_EQ(*ResetFields(*pod, ""), FieldSet::Of({{"status"}}));
  EXPECT_EQ(
      *ResetFields(*pod, "status"),
      FieldSet::Of({{"spec"}, {"metadata", "deletionTimestamp"}, {"metadata", "ownerReferences"}}));
  EXPECT_EQ(*ResetFields(*Kinds().Find("", "v1", "nodes"), "status"), FieldSet::Of({{"spec"}}));
  EXPECT_EQ(ResetFields(*map, ""), nullptr);
}

TEST(KeepStatusMetadata, RestoresMetadataByKind) {
  const json old = {{"metadata", {{"labels", {{"a", "1"}}}, {"annotations", {{"a", "1"}}}}}};
  const json sent = {
      {"labels", {{"a", "2"}}}, {"annotations", {{"a", "2"}}}, {"managedFields", json::array({1})}};
  json metadata = sent;
  KeepStatusMetadata(*Kinds().Find("apps", "v1", "deployments"), metadata, old);
  EXPECT_EQ(metadata["labels"]["a"], "1");
  EXPECT_EQ(metadata["annotations"]["a"], "2");

  KindInfo custom;
  custom.custom = true;
  metadata = sent;
  KeepStatusMetadata(custom, metadata, old);
  EXPECT_EQ(metadata["annotations"]["a"], "1");
  EXPECT_EQ(metadata["managedFields"], json::array({1}));
}

}  // namespace
}  // namespace berth::apiserver
