// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/operator/berth.h"
#include "tests/support/http/test_certificates.h"

namespace berth::operator_ {
namespace {

using ::testing::HasSubstr;

constexpr const char* kHead = "apiVersion: berth.dev/v1alpha1\nkind: ExtenderConfiguration\n";

class ExtenderCommandTest : public ::testing::Test {
 protected:
  // Returns the error output; the command ends because each configuration or flag is invalid.
  std::string Run(const std::string& extenders, std::vector<std::string> flags = {}) const {
    const std::string file = folder_.Write("e.yaml", kHead + ("extenders: " + extenders + "\n"));
    flags.insert(flags.begin(), {"extender", "--config", file, "--port", "0"});
    const Answer answer = Berth(flags);
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(answer.out, "");
    return answer.err;
  }

  http::TestFolder folder_;
};

constexpr const char* kFilter = "[{urlPrefix: /s, filterVerb: f}]";

TEST_F(ExtenderCommandTest, ReportsInvalidFlags) {
  EXPECT_THAT(Berth({"extender"}).err, HasSubstr("--config"));
  EXPECT_THAT(Berth({"extender", "--config", folder_.Path("none.yaml")}).err,
              HasSubstr("none.yaml"));
  EXPECT_EQ(Run(kFilter, {"--kubeconfig", "k", "--in-cluster"}),
            "error: --kubeconfig and --in-cluster: set only one of them\n");
  EXPECT_EQ(Run(kFilter, {"--tls-cert-file", "c"}),
            "error: --tls-cert-file and --tls-private-key-file: set both, or neither\n");
  EXPECT_THAT(Run(kFilter, {"--client-ca-file", "c"}),
              HasSubstr("--client-ca-file: client certificates need TLS"));
  EXPECT_THAT(Run(kFilter, {"--kubeconfig", folder_.Path("none")}), HasSubstr("none"));
  EXPECT_THAT(Run(kFilter, {"--bind-address", "here"}), HasSubstr("\"here\" is not an IPv4"));
}

TEST_F(ExtenderCommandTest, ReportsInvalidConfiguration) {
  EXPECT_THAT(
      Run("[{urlPrefix: /s, filterVerb: f, plugins: {filter: {enabled: [{name: NodeNam}]}}}]"),
      HasSubstr("e.yaml: extenders[0].plugins.filter.enabled[name=NodeNam]: Invalid value: "
                "\"NodeNam\": unknown plugin; nearest: NodeName"));
  EXPECT_THAT(
      Run("[{urlPrefix: /s, bindVerb: b}]"),
      HasSubstr("a cluster connection is required, set --kubeconfig or --in-cluster: extenders[0]: "
                "bindVerb creates bindings"));
}

}  // namespace
}  // namespace berth::operator_
