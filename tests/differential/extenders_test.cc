// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/extenders.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/client/transport.h"
#include "tests/integration/harness/control_plane.h"
#include "tests/support/http/stub_server.h"

namespace berth::differential {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kBinding =
    R"({"PodName": "web", "PodNamespace": "ns", "PodUID": "u1", "Node": "n1"})";

// Served runs the extenders of a lane with an API server that responds to each request with one
// code.
class Served {
 public:
  explicit Served(int api_code)
      : api_server_([api_code](const http::StubRequest&, http::StubReply& reply) {
          reply.Send(api_code, R"({"message": "there is no pod web"})");
        }),
        access_(Kubeconfig()),
        api_(access_),
        extenders_(api_) {}

  // Sends a request; returns code and body of the response.
  std::pair<int, std::string> Ask(const std::string& path, const std::string& body,
                                  std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
    auto transport = http::CreateTransport({.url = "http://" + extenders_.address()});
    EXPECT_TRUE(transport) << transport.error().message();
    http::Request request{.method = "POST", .target = path, .body = body, .timeout = timeout};
    request.headers.Set("Content-Type", "application/json");
    const auto response = (*transport)->Call(std::move(request));
    return response ? std::pair(response->code, response->body) : std::pair(0, std::string());
  }

  Extenders& extenders() { return extenders_; }
  std::vector<http::StubRequest> AskedOfTheApi() const { return api_server_.requests(); }

 private:
  std::filesystem::path Kubeconfig() const {
    const auto file = folder_.path() / "kubeconfig";
    const Json cluster = {{"name", "c"}, {"cluster", {{"server", api_server_.url()}}}};
    const Json user = {{"name", "u"}, {"user", {{"token", "t"}}}};
    const Json context = {{"name", "x"}, {"context", {{"cluster", "c"}, {"user", "u"}}}};
    std::ofstream(file) << Json{{"apiVersion", "v1"},
                                {"kind", "Config"},
                                {"clusters", Json::array({cluster})},
                                {"users", Json::array({user})},
                                {"contexts", Json::array({context})},
                                {"current-context", "x"}};
    return file;
  }

  integration::TemporaryFolder folder_;
  http::StubServer api_server_;
  integration::ApiAccess access_;
  Api api_;
  Extenders extenders_;
};

TEST(Extenders, RespondByNameAndVerbAndRecordRequests) {
  Served served(201);
  Extenders& extenders = served.extenders();
  extenders.Play({{.name = "gpu",
                   .config = {{"filterVerb", "v1/filter"}},
                   .answers = *ReadAnswers({{"filter", {{"error", "down"}}}})},
                  {.name = "other", .config = {{"filterVerb", "v1/filter"}}}});
  const std::string question = R"({"NodeNames": ["n1"]})";
  EXPECT_THAT(served.Ask("/gpu/v1/filter", question).second, HasSubstr(R"("Error":"down")"));
  EXPECT_THAT(served.Ask("/other/v1/filter", question).second, HasSubstr(R"("NodeNames":["n1"])"));
  EXPECT_EQ(served.Ask("/gpu/v1/bind", question).first, 404);
  extenders.Answer("gpu", *ReadAnswers({{"filter", Json::object()}}));
  EXPECT_THAT(served.Ask("/gpu/v1/filter", question).second, HasSubstr(R"("Error":"")"));
  const std::vector<ExtenderCall> calls = extenders.Calls();
  ASSERT_THAT(calls, SizeIs(4));
  EXPECT_EQ(calls[0].extender + " " + calls[0].verb, "gpu filter");
  EXPECT_EQ(calls[0].method + " " + calls[0].path, "POST /gpu/v1/filter");
  EXPECT_EQ(calls[0].content_type, "application/json");
  EXPECT_EQ(calls[0].body, Json::parse(question));
  EXPECT_EQ(calls[2].extender, "");
  extenders.Play({});
  EXPECT_THAT(extenders.Calls(), SizeIs(0));
}

TEST(Extenders, AreConfiguredWithTheirUrls) {
  Served served(201);
  const Json configured =
      served.extenders().Configured({{.name = "gpu", .config = {{"weight", 2}}}});
  EXPECT_EQ(configured,
            Json::array({{{"urlPrefix", "http://" + served.extenders().address() + "/gpu"},
                          {"weight", 2}}}));
}

TEST(Extenders, CreateTheBindingBeforeTheResponse) {
  Served served(201);
  served.extenders().Play({{.name = "gpu", .config = {{"bindVerb", "bind"}}}});
  EXPECT_EQ(served.Ask("/gpu/bind", kBinding), std::pair(200, std::string(R"({"Error":""})")));
  ASSERT_THAT(served.AskedOfTheApi(), SizeIs(1));
  const http::StubRequest binding = served.AskedOfTheApi()[0];
  EXPECT_THAT(binding.target, HasSubstr("/api/v1/namespaces/ns/bindings"));
  EXPECT_EQ(Json::parse(binding.body)["target"]["name"], "n1");
  EXPECT_EQ(Json::parse(binding.body)["metadata"], Json({{"name", "web"}, {"uid", "u1"}}));
}

TEST(Extenders, ReportWhyABindingFailed) {
  Served served(404);
  served.extenders().Play({{.name = "gpu", .config = {{"bindVerb", "bind"}}}});
  EXPECT_THAT(served.Ask("/gpu/bind", kBinding).second, HasSubstr("there is no pod web"));
}

TEST(Extenders, CanLeaveARequestWithoutResponse) {
  Served served(201);
  served.extenders().Play({{.name = "gpu",
                            .config = {{"bindVerb", "bind"}},
                            .answers = *ReadAnswers({{"bind", {{"never", true}}}})}});
  EXPECT_EQ(served.Ask("/gpu/bind", kBinding, std::chrono::milliseconds(50)).first, 0);
  EXPECT_THAT(served.extenders().Calls(), SizeIs(1));
  EXPECT_THAT(served.AskedOfTheApi(), SizeIs(0));
}

}  // namespace
}  // namespace berth::differential
