// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/extender_address.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"

namespace berth::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(WhyUnreachable, RejectsForbiddenAddressesInProfiles) {
  const ExtenderReach profile{.is_rendered = true};
  for (const char* const address :
       {"127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "169.254.169.254",
        "fe80::1", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "64:ff9b::a9fe:a9fe",
        "224.0.0.1", "255.255.255.255", "ff02::1"}) {
    EXPECT_TRUE(WhyUnreachable(profile, address, 443)) << address;
    EXPECT_FALSE(WhyUnreachable({}, address, 443)) << "allowed for a manually started scheduler";
  }
  for (const char* const address :
       {"10.0.0.1", "192.168.1.1", "8.8.8.8", "fd00::1", "2001:db8::1"}) {
    EXPECT_FALSE(WhyUnreachable(profile, address, 443)) << address;
  }
}

TEST(WhyUnreachable, AllowsSidecarsOfAProfile) {
  const ExtenderReach profile{.is_rendered = true, .sidecar_ports = {8888}};
  EXPECT_FALSE(WhyUnreachable(profile, "127.0.0.1", 8888));
  EXPECT_FALSE(WhyUnreachable(profile, "::1", 8888));
  EXPECT_TRUE(WhyUnreachable(profile, "127.0.0.1", 8889));
  EXPECT_TRUE(WhyUnreachable(profile, "169.254.169.254", 8888)) << "not a sidecar address";
}

api::Extender WithTls(api::ExtenderTlsConfig tls, bool enable_https = false) {
  api::Extender extender;
  extender.url_prefix = "https://e.example.com";
  extender.enable_https = enable_https;
  extender.tls_config = std::move(tls);
  return extender;
}

TEST(TlsOf, PrefersDataOverFiles) {
  const auto tls = TlsOf(WithTls({.server_name = "e",
                                  .cert_file = "/c",
                                  .key_file = "/k",
                                  .ca_file = "/a",
                                  .cert_data = EncodeBase64("cert"),
                                  .ca_data = EncodeBase64("authority")}),
                         {});
  ASSERT_TRUE(tls);
  EXPECT_EQ(tls->certificate.data, "cert");
  EXPECT_EQ(tls->certificate.file, "");
  EXPECT_EQ(tls->key.file, "/k");
  EXPECT_EQ(tls->ca.data, "authority");
  EXPECT_EQ(tls->ca.file, "");
  EXPECT_EQ(tls->server_name, "e");
  EXPECT_FALSE(tls->insecure_skip_verify);
}

TEST(TlsOf, ReportsInvalidBase64) {
  const auto tls = TlsOf(WithTls({.key_data = "!"}), {});
  ASSERT_FALSE(tls);
  EXPECT_EQ(tls.error().reason(), Reason::kConfig);
  EXPECT_THAT(tls.error().message(), HasSubstr("tlsConfig.keyData: "));
}

TEST(VerifiesCertificate, UnlessTheConfigurationDisablesIt) {
  const ExtenderReach profile{.is_rendered = true};
  struct Case {
    api::Extender extender;
    bool by_hand, of_a_profile;
  };
  api::Extender plain = WithTls({.insecure = true});
  plain.url_prefix = "http://e.example.com";
  const std::vector<Case> cases = {{WithTls({}), true, true},
                                   {WithTls({.insecure = true}), false, false},
                                   // Same default as upstream, but `insecure` must be set
                                   // explicitly.
                                   {WithTls({}, true), false, true},
                                   {WithTls({.ca_file = "/a"}, true), true, true},
                                   {plain, true, true}};
  for (const Case& at : cases) {
    EXPECT_EQ(*VerifiesCertificate(at.extender, {}), at.by_hand);
    EXPECT_EQ(*VerifiesCertificate(at.extender, profile), at.of_a_profile);
  }
}

TEST(MakeExtenderTransport, ReportsInvalidAddresses) {
  for (const auto& [url, message] : std::vector<std::pair<std::string, std::string>>{
           {"ftp://e", "the scheme is \"ftp\""},
           {"", "server : "},
           {"https://user:word@e.example.com/x", "must not contain a user's name or password"},
           {"http://fd00::1", "must be enclosed in brackets"}}) {
    api::Extender extender;
    extender.url_prefix = url;
    const auto transport = MakeExtenderTransport(extender, {}, true);
    ASSERT_FALSE(transport) << url;
    EXPECT_EQ(transport.error().reason(), Reason::kConfig) << url;
    EXPECT_THAT(transport.error().message(), HasSubstr(message));
    EXPECT_THAT(transport.error().message(), Not(HasSubstr("word@")));
  }
  api::Extender extender = WithTls({.cert_file = "/no/such/file", .key_file = "/no/such/file"});
  EXPECT_THAT(MakeExtenderTransport(extender, {}, true).error().message(),
              HasSubstr("/no/such/file"));
  extender.url_prefix = "HTTPS://e.example.com";
  EXPECT_FALSE(MakeExtenderTransport(extender, {}, true)) << "the scheme is case-insensitive";
}

}  // namespace
}  // namespace berth::engine
