// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/engine/api_port_fixture.h"

namespace berth::engine {
namespace {

class VolumeWriteTest : public ApiPortTest {
 protected:
  VolumeWriteTest() {
    volume_.metadata.name = "v";
    volume_.metadata.uid = "uv";
    volume_.metadata.resource_version = "7";
    volume_.metadata.annotations = {{"pv.kubernetes.io/bound-by-controller", "yes"},
                                    {"other", "x"}};
    volume_.spec.claim_ref = api::ObjectReference{.api_version = "v1",
                                                  .kind = "PersistentVolumeClaim",
                                                  .namespace_ = "default",
                                                  .name = "c",
                                                  .uid = "uc",
                                                  .resource_version = "5",
                                                  .field_path = {}};
    claim_.metadata.name = "c";
    claim_.metadata.namespace_ = "default";
    claim_.metadata.uid = "uc";
    claim_.metadata.resource_version = "5";
    claim_.metadata.annotations = {{"volume.kubernetes.io/selected-node", "n1"}};
  }
  void BindVolume() {
    port_.BindVolume(volume_,
                     [this](Result<void> result) { outcomes_.push_back(std::move(result)); });
  }
  static std::string VolumeOf(const std::string& claim_uid, const std::string& version,
                              const std::string& uid = "uv") {
    const std::string ref = claim_uid.empty() ? "" : R"("claimRef":{"uid":")" + claim_uid + R"("})";
    return R"({"metadata":{"name":"v","uid":")" + uid + R"(","resourceVersion":")" + version +
           R"("},"spec":{)" + ref + "}}";
  }

  api::PersistentVolume volume_;
  api::PersistentVolumeClaim claim_;
};

TEST_F(VolumeWriteTest, PatchesTheClaimOfOneVersionOfAVolume) {
  BindVolume();
  const ApiRequest request = Answer("{}");
  EXPECT_EQ(request.method, "PATCH");
  EXPECT_EQ(request.target, "/api/v1/persistentvolumes/v");
  EXPECT_EQ(request.content_type, "application/merge-patch+json");
  EXPECT_EQ(
      request.body,
      R"({"metadata":{"uid":"uv","resourceVersion":"7","annotations":{"pv.kubernetes.io/bound-by-controller":"yes"}},)"
      R"("spec":{"claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","name":"c","namespace":"default","resourceVersion":"5","uid":"uc"}}})");
  ASSERT_EQ(outcomes_.size(), 1u);
  EXPECT_TRUE(outcomes_.front());
  EXPECT_EQ(port_.InFlight(), 0u);
}

TEST_F(VolumeWriteTest, PatchesTheNodeOfAClaim) {
  port_.SelectNode(claim_, [this](Result<void> result) { outcomes_.push_back(result); });
  const ApiRequest request = Answer("{}");
  EXPECT_EQ(request.target, "/api/v1/namespaces/default/persistentvolumeclaims/c");
  EXPECT_EQ(
      request.body,
      R"({"metadata":{"uid":"uc","resourceVersion":"5","annotations":{"volume.kubernetes.io/selected-node":"n1"}}})");
  EXPECT_TRUE(outcomes_.at(0));
}

TEST_F(VolumeWriteTest, LooksUpTheObjectAfterALostReply) {
  struct Case {
    const char* what;
    std::string found;
    bool is_done;
  };
  const Case cases[] = {
      {"our write succeeded", VolumeOf("uc", "8"), true},
      {"bound to another claim", VolumeOf("other", "8"), false},
      {"another field was changed", VolumeOf("", "8"), false},
      {"another volume", VolumeOf("uc", "8", "other"), false},
  };
  for (const Case& c : cases) {
    outcomes_.clear();
    BindVolume();
    Answer(Lost());
    EXPECT_EQ(Answer(c.found).method, "GET");
    ASSERT_EQ(outcomes_.size(), 1u) << c.what;
    EXPECT_EQ(outcomes_.front().has_value(), c.is_done) << c.what;
    EXPECT_EQ(server_.pending(), 0u) << c.what;
  }
}

TEST_F(VolumeWriteTest, RetriesAWriteThatDidNotArrive) {
  BindVolume();
  Answer(Lost());
  Answer(VolumeOf("", "7"));
  FireTimer();
  EXPECT_EQ(Answer("{}").method, "PATCH");
  EXPECT_TRUE(outcomes_.at(0));
}

TEST_F(VolumeWriteTest, LooksUpTheVolumeAfterAConflict) {
  BindVolume();
  Answer(Fail(Reason::kConflict, "changed"));
  Answer(VolumeOf("uc", "9"));
  EXPECT_TRUE(outcomes_.at(0));

  BindVolume();
  Answer(Fail(Reason::kConflict, "changed"));
  Answer(VolumeOf("", "9"));
  ASSERT_FALSE(outcomes_.at(1));
  EXPECT_EQ(outcomes_.at(1).error().message(), "changed");
}

}  // namespace
}  // namespace berth::engine
