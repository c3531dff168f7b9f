// SPDX-License-Identifier: Apache-2.0
#include "operator/supported_server.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "operator/operator_process.h"
#include "tests/support/http/stub_server.h"

namespace berth::operator_ {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(CheckServer, AcceptsOldestSupportedAndNewer) {
  for (const api::KubernetesVersion version :
       {api::kOldestKubernetes, api::kNewestKubernetes, {2, 0}}) {
    EXPECT_TRUE(CheckServer({version.ToString(), version})) << version.ToString();
  }
}

TEST(CheckServer, RejectsOlderServerWithReason) {
  const auto checked = CheckServer({"v1.29.6-eks-1552ad0", {1, 29}});
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message(),
              AllOf(HasSubstr("is Kubernetes v1.29.6-eks-1552ad0"), HasSubstr("1.30 or newer"),
                    HasSubstr("ValidatingAdmissionPolicy")));
}

TEST(RunOperator, WaitsForStartingServerAndFailsIfTooOld) {
  std::atomic<int> asked = 0;
  const http::StubServer server([&](const http::StubRequest& request, http::StubReply& reply) {
    EXPECT_EQ(request.target, "/version") << "no other request to a server that is too old";
    if (++asked == 1) return reply.Send(503, "starting");
    if (asked == 2) return reply.Send(403, "the RBAC roles are not loaded");
    reply.Send(200, R"({"major": "1", "minor": "28", "gitVersion": "v1.28.5+k3s1"})");
  });
  OperatorOptions options;
  options.cluster.server = server.url();
  const auto ended = RunOperator(options);
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message(), HasSubstr("is Kubernetes v1.28.5+k3s1"));
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace berth::operator_
