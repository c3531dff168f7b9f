// SPDX-License-Identifier: Apache-2.0
#include "api/kubernetes_version.h"

#include <utility>

#include <gtest/gtest.h>

namespace berth::api {
namespace {

TEST(ParseKubernetesVersion, ReadsVersionsOfDistributions) {
  const std::pair<const char*, KubernetesVersion> cases[] = {
      {"v1.36.3", {1, 36}},
      {"v1.30.2-gke.1", {1, 30}},
      {"v1.31.0+rke2r1", {1, 31}},
      {"v1.29.6-eks-1552ad0", {1, 29}},
      {"v1.37.0-alpha.1.123+0123456789abcd", {1, 37}},
      {"1.29+", {1, 29}},
      {"v2.0.0", {2, 0}},
  };
  for (const auto& [text, version] : cases)
    EXPECT_EQ(ParseKubernetesVersion(text), version) << text;
}

TEST(ParseKubernetesVersion, RejectsOtherText) {
  for (const char* text : {"", "v", "unknown", "v1", "1.", "v1.x", "v-1.30", "1.-30", ".30",
                           "v1.99999999999999999999", "$Format:%H$"}) {
    EXPECT_EQ(ParseKubernetesVersion(text), std::nullopt) << text;
  }
}

TEST(KubernetesVersion, ComparesNumerically) {
  EXPECT_LT((KubernetesVersion{1, 9}), (KubernetesVersion{1, 30}));
  EXPECT_LT((KubernetesVersion{1, 30}), (KubernetesVersion{2, 0}));
}

}  // namespace
}  // namespace berth::api
