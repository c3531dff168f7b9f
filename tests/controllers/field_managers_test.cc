// SPDX-License-Identifier: Apache-2.0
#include "controllers/field_managers.h"

#include <gtest/gtest.h>

namespace berth::controllers {
namespace {

constexpr const char* kObject = R"({"metadata": {"name": "d", "managedFields": [
  {"manager": "ours", "time": "2026-01-01T00:00:09Z", "fieldsV1": {"f:spec": {"f:replicas": {}}}},
  {"manager": "early", "time": "2026-01-01T00:00:01Z", "fieldsV1": {"f:spec": {"f:replicas": {}}}},
  {"manager": "keda", "time": "2026-01-01T00:00:05Z", "subresource": "scale",
   "fieldsV1": {"f:spec": {"f:replicas": {}}}},
  {"manager": "mirror", "time": "2026-01-01T00:00:02Z", "fieldsV1": {
    "f:metadata": {"f:labels": {".": {}, "f:app.kubernetes.io/name": {}}},
    "f:spec": {"f:ports": {"k:{\"port\":80,\"protocol\":\"TCP\"}": {".": {}, "f:port": {}}},
     "f:template": {"f:spec": {
      "f:nodeSelector": {},
      "f:containers": {"k:{\"name\":\"scheduler\"}": {".": {}, "f:image": {}, "f:args": {}}}}}}}}]}})";

TEST(RivalOf, ReturnsTheOtherManagerThatSetTheFieldLast) {
  const auto rival = [](const char* path) { return RivalOf(kObject, path, "ours"); };
  EXPECT_EQ(rival("spec.replicas"), "keda");
  EXPECT_EQ(rival("metadata.labels.app.kubernetes.io/name"), "mirror");
  EXPECT_EQ(rival("metadata.labels.app"), "");
  EXPECT_EQ(rival("spec.template.spec.containers[0].image"), "mirror");
  EXPECT_EQ(rival("spec.template.spec.containers[0].args[2]"), "mirror") << "owned as a whole";
  EXPECT_EQ(rival("spec.template.spec.nodeSelector"), "mirror");
  EXPECT_EQ(rival("spec.template.spec.containers[0].command"), "");
  EXPECT_EQ(rival("spec.paused"), "");
}

TEST(RivalOf, MatchesListEntriesByKey) {
  const auto rival = [](const char* path) { return RivalOf(kObject, path, "ours"); };
  EXPECT_EQ(rival("spec.template.spec.containers[name=scheduler]"), "mirror");
  EXPECT_EQ(rival("spec.template.spec.containers[name=scheduler].image"), "mirror");
  EXPECT_EQ(rival("spec.template.spec.containers[name=scheduler].command"), "");
  EXPECT_EQ(rival("spec.template.spec.containers[name=other]"), "");
  EXPECT_EQ(rival("spec.template.spec.containers[image=scheduler]"), "");
  EXPECT_EQ(rival("spec.ports[port=80,protocol=TCP]"), "mirror");
  EXPECT_EQ(rival("spec.ports[port=80]"), "");
  EXPECT_EQ(rival("spec.ports[port=81,protocol=TCP]"), "");

  constexpr const char* kEmpty = R"({"metadata": {"managedFields": [
    {"manager": "empty", "fieldsV1": {"f:spec": {"f:plugins": {}}}}]}})";
  EXPECT_EQ(RivalOf(kEmpty, "spec.plugins.score.enabled[name=a].weight", "ours"), "")
      << "the owner of an empty object does not own fields added to it";
  EXPECT_EQ(RivalOf(kEmpty, "spec.plugins", "ours"), "empty");
}

TEST(RivalOf, IsEmptyWithoutManagedFields) {
  EXPECT_EQ(RivalOf(R"({"metadata": {}})", "spec.replicas", "ours"), "");
  EXPECT_EQ(RivalOf("no JSON", "spec.replicas", "ours"), "");
}

}  // namespace
}  // namespace berth::controllers
