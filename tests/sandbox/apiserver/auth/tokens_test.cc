// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"
#include "tests/sandbox/apiserver/rest/server_fixture.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

class Tokens : public HandlerTest {
 protected:
  std::string Request(const json& spec = json::object()) {
    const auto made =
        Send("POST", "/api/v1/namespaces/default/serviceaccounts/default/token", {{"spec", spec}});
    EXPECT_EQ(made.code, 201) << made.text;
    return made.body["status"]["token"];
  }
  json WhoIs(const std::string& token) {
    return Send("POST", "/apis/authentication.k8s.io/v1/tokenreviews",
                {{"spec", {{"token", token}}}})
        .body["status"];
  }
};

TEST_F(Tokens, AuthenticateTheirAccount) {
  const json status = WhoIs(Request());
  EXPECT_EQ(status["authenticated"], true);
  EXPECT_EQ(status["user"]["username"], "system:serviceaccount:default:default");
  EXPECT_EQ(SendAs(Request(), "GET", kPods).code, 403);
}

TEST_F(Tokens, ExpireWithTimeAccountOrPod) {
  Send("POST", kPods, Pod("a"));
  const std::string bound =
      Request({{"boundObjectRef", {{"kind", "Pod"}, {"apiVersion", "v1"}, {"name", "a"}}}});
  EXPECT_EQ(WhoIs(bound)["user"]["extra"]["authentication.kubernetes.io/pod-name"], json({"a"}));
  Send("DELETE", std::string(kPods) + "/a");
  EXPECT_FALSE(WhoIs(bound).contains("authenticated"));
  const std::string brief = Request({{"expirationSeconds", 600}});
  clock_.Advance(std::chrono::seconds(599));
  EXPECT_TRUE(WhoIs(brief).contains("authenticated"));
  clock_.Advance(std::chrono::seconds(61));  // the allowed clock skew is a minute
  EXPECT_TRUE(WhoIs(brief).contains("authenticated"));
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_EQ(WhoIs(brief)["error"], "[invalid bearer token, service account token has expired]");
  const std::string orphan = Request();
  Send("DELETE", "/api/v1/namespaces/default/serviceaccounts/default");
  EXPECT_FALSE(WhoIs(orphan).contains("authenticated"));
}

TEST_F(Tokens, AreUniquePerRequest) {
  const auto id = [this] {
    return WhoIs(Request())["user"]["extra"]["authentication.kubernetes.io/credential-id"];
  };
  EXPECT_NE(id(), id());
}

TEST_F(Tokens, RejectModifiedToken) {
  const std::string token = Request();
  const size_t dot = token.find('.');
  const std::string changed =
      json::parse(*DecodeBase64Url(token.substr(dot + 1, token.rfind('.') - dot - 1)))
          .patch(json::array({{{"op", "replace"}, {"path", "/exp"}, {"value", 1}}}))
          .dump();
  EXPECT_EQ(WhoIs(token.substr(0, dot + 1) + EncodeBase64Url(changed) +
                  token.substr(token.rfind('.')))["error"],
            "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]");
  EXPECT_EQ(WhoIs("a.b")["error"], "invalid bearer token");
}

TEST(SigningKey, VerifiesOnlyItsOwnSignatures) {
  const auto key = *http::SigningKey::Generate();
  const std::string signature = key->Sign("message");
  EXPECT_EQ(signature.size(), 64U);
  EXPECT_TRUE(key->Verify("message", signature));
  EXPECT_FALSE(key->Verify("Message", signature));
  const auto again = http::SigningKey::FromPem(key->ToPem());
  ASSERT_TRUE(again);
  EXPECT_TRUE((*again)->Verify("message", signature));
  EXPECT_EQ((*again)->KeyId(), key->KeyId());
  EXPECT_FALSE(http::SigningKey::FromPem("no key"));
}

}  // namespace
}  // namespace berth::apiserver
