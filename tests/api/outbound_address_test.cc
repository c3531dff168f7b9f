// SPDX-License-Identifier: Apache-2.0
#include "api/outbound_address.h"

#include <gmock/gmock.h>

namespace berth::api {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string Read(std::string_view url) {
  const auto address = ReadOutboundAddress(url);
  if (!address) return "no";
  return (address->is_https ? "https " : "http ") + address->ToString();
}

TEST(ReadOutboundAddress, ReturnsSchemeHostAndPort) {
  EXPECT_EQ(Read("https://a.example.com/verb"), "https a.example.com:443");
  EXPECT_EQ(Read("HTTP://A.example.com.:8080?x=y"), "http a.example.com:8080");
  EXPECT_EQ(Read("https://[FD00::1]:8443/x:1"), "https [fd00::1]:8443");
  EXPECT_EQ(Read("https://[fd00::1]"), "https [fd00::1]:443");
  EXPECT_EQ(Read("https://10.1.2.3#x"), "https 10.1.2.3:443");
}

TEST(ReadOutboundAddress, RejectsAmbiguousUrls) {
  for (const char* url : {"",
                          "a.example.com",
                          "file:///etc/passwd",
                          "gopher://a",
                          "https://",
                          "https:///x",
                          "https://user@a.example.com",
                          "https://a b",
                          "https://a.example.com:0",
                          "https://a:65536",
                          "https://a:",
                          "https://::1",
                          "https://[::1%eth0]",
                          "https://[127.0.0.1]",
                          "https://127.1",
                          "https://0x7f000001",
                          "https://2130706433",
                          "https://010.0.0.1",
                          "https://a\\@b",
                          "https://a/ b",
                          "https://a/\r\nX: y",
                          "https://a/\t",
                          "https://a/\x7f",
                          "https://a "}) {
    EXPECT_EQ(Read(url), "no") << url;
  }
}

TEST(ServiceOf, ReturnsNamespaceAndNameOfServiceNamesOnly) {
  const auto of = [](const std::string& host) -> std::string {
    const auto service = ServiceOf({.host = host});
    return service ? service->ToString() : "none";
  };
  EXPECT_EQ(of("ext.team.svc"), "team/ext");
  EXPECT_EQ(of("ext.team.svc.cluster.local"), "team/ext");
  for (const char* host : {"ext.team", "team.svc", "a.ext.team.svc", "ext.team.svc.example.com",
                           "ext.team.svc.cluster.local.example.com", ".team.svc", "svc"}) {
    EXPECT_EQ(of(host), "none") << host;
  }
}

TEST(ForbiddenReason, AllowsServicesWithASelectorOnly) {
  EXPECT_EQ(ForbiddenReason(ServiceSpec{.selector = {{"app", "e"}}, .type = "ClusterIP"}),
            std::nullopt);
  EXPECT_EQ(ForbiddenReason(ServiceSpec{.selector = {{"app", "e"}}, .cluster_ip = "None"}),
            std::nullopt);
  EXPECT_THAT(
      ForbiddenReason(ServiceSpec{.selector = {{"app", "e"}}, .type = "ExternalName"}).value_or(""),
      testing::HasSubstr("is of type ExternalName"));
  EXPECT_THAT(ForbiddenReason(ServiceSpec{.type = "ClusterIP"}).value_or(""),
              testing::HasSubstr("has no selector"));
}

std::vector<FieldError> ErrorsIn(const std::string& url, const ExtenderTlsConfig* tls = nullptr) {
  return CheckOutbound({.url_prefix = url}, tls, {80, 8888}, "extenders[0]");
}

TEST(CheckOutbound, AllowsHttpsAndPlainServices) {
  for (const char* url : {"https://a.example.com", "https://10.0.0.1:8443", "https://[fd00::1]",
                          "http://ext.team.svc:8080/x", "http://ext.team.svc.cluster.local"}) {
    EXPECT_THAT(ErrorsIn(url), IsEmpty()) << url;
  }
}

TEST(CheckOutbound, AllowsSidecarsAtTheirPorts) {
  for (const char* url :
       {"http://localhost:8888/scheduler", "https://localhost:8888", "http://LocalHost.:8888",
        "http://127.0.0.1:8888", "http://[::1]:8888/x", "http://localhost/x"}) {
    EXPECT_THAT(ErrorsIn(url), IsEmpty()) << url;
  }
  EXPECT_THAT(CheckOutbound({.url_prefix = "http://localhost:8888"}, nullptr, {}, "e"), SizeIs(1));
}

struct Wrong {
  const char* url;
  const char* says;
};

TEST(CheckOutbound, RejectsOtherAddresses) {
  const Wrong cases[] = {
      {"http://a.example.com", "must begin with https:// unless the host is NAME.NAMESPACE.svc"},
      {"file:///etc/passwd", "expected https://HOST[:PORT][/PATH]"},
      {"https://localhost:1", "a loopback address"},
      {"https://localhost", "a loopback address"},
      {"http://127.0.0.1:8889", "a loopback address, except localhost at a sidecar's port"},
      {"http://127.0.0.2:8888", "a loopback address"},
      {"http://0.0.0.0:8888", "a loopback address"},
      {"http://[::]:8888", "a loopback address"},
      {"http://[::ffff:127.0.0.1]:8888", "a loopback address"},
      {"http://x.localhost:8888", "a loopback address"},
      {"http://localhost.example.com:8888", "must begin with https://"},
      {"http://169.254.169.254:8888", "a link-local address"},
      {"https://x.localhost", "a loopback address"},
      {"https://127.9.9.9", "a loopback address"},
      {"https://0.0.0.0", "a loopback address"},
      {"https://[::1]", "a loopback address"},
      {"https://[::]", "a loopback address"},
      {"https://[::ffff:127.0.0.1]", "a loopback address"},
      {"https://[64:ff9b::a9fe:a9fe]", "a link-local address"},
      {"https://169.254.169.254/latest", "a link-local address"},
      {"https://[fe80::1]", "a link-local address"},
      {"https://[febf::1]", "a link-local address"},
      {"https://[fd00:ec2::254]", "a cloud metadata address"},
      {"https://METADATA.google.internal.", "a cloud metadata address"},
      {"https://100.100.100.200", "a cloud metadata address"},
      {"https://255.255.255.255", "not a unicast address"},
      {"https://[ff02::1]", "not a unicast address"},
  };
  for (const Wrong& c : cases) {
    const auto errors = ErrorsIn(c.url);
    ASSERT_EQ(errors.size(), 1u) << c.url;
    EXPECT_EQ(errors[0].path, "extenders[0].urlPrefix");
    EXPECT_THAT(errors[0].ToString(), HasSubstr(c.says)) << c.url;
    EXPECT_THAT(errors[0].ToString(), HasSubstr(c.url));
  }
}

TEST(CheckOutbound, RejectsSpacesAndControlCharacters) {
  const ExtenderCalls extender{
      .url_prefix = "https://a/\n", .filter_verb = "f\r\nX: y", .bind_verb = "b b"};
  std::vector<std::string> paths;
  for (const FieldError& error : CheckOutbound(extender, nullptr, {}, "e")) {
    paths.push_back(error.path);
    EXPECT_EQ(error.detail, "must not have spaces or control characters");
  }
  EXPECT_THAT(paths, testing::ElementsAre("e.urlPrefix", "e.filterVerb", "e.bindVerb"));
}

TEST(CheckOutbound, AllowsOnlyFilesMountedForTheScheduler) {
  const ExtenderTlsConfig good{.cert_file = "/etc/berth/secrets/a/tls.crt"};
  EXPECT_THAT(ErrorsIn("https://a", &good), IsEmpty());
  for (const char* path : {"/var/run/secrets/kubernetes.io/serviceaccount/token", "tls.crt",
                           "/etc/berth/../passwd", "/etc/berth/x/..", "/etc/berth"}) {
    const ExtenderTlsConfig bad{.ca_file = path};
    const auto errors = ErrorsIn("https://a", &bad);
    ASSERT_EQ(errors.size(), 1u) << path;
    EXPECT_EQ(errors[0].path, "extenders[0].tlsConfig.caFile");
    EXPECT_THAT(errors[0].ToString(), HasSubstr("must be a file below /etc/berth/"));
  }
}

}  // namespace
}  // namespace berth::api
