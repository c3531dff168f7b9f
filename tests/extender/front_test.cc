// SPDX-License-Identifier: Apache-2.0
// The HTTP server, in process: pages, authentication, malicious callers, and our own client.
#include "extender/front.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "engine/extender/http_extender.h"
#include "http/client/transport.h"
#include "http/crypto/certificates.h"
#include "scheduler/plugins/registry.h"
#include "tests/integration/harness/process.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::extender {
namespace {

using scheduler::Slot;
using scheduler::testing::MakeNode;
using scheduler::testing::MakePod;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kConfig = R"(
apiVersion: berth.dev/v1alpha1
kind: ExtenderConfiguration
extenders:
- urlPrefix: /test
  filterVerb: f
  prioritizeVerb: p
  plugins:
    filter: {enabled: [{name: PodNameLength}, {name: NodeUnschedulable}]}
    score: {enabled: [{name: NodeNameLength}]})";

constexpr const char* kGood =
    R"({"Pod":{"metadata":{"name":"p"}},"Nodes":{"items":[{"metadata":{"name":"n1"}}]}})";

constexpr const char* kActs = R"(
apiVersion: berth.dev/v1alpha1
kind: ExtenderConfiguration
extenders: [{urlPrefix: /test, preemptVerb: e}])";

class FrontTest : public ::testing::Test {
 protected:
  Result<void> Start(FrontOptions options = {}) {
    service_ = Service::Create(
                   LoadConfiguration(kConfig, "e.yaml").value(), "e.yaml",
                   {.registry = registry_, .metrics = metrics_, .clock = clock_, .client = nullptr})
                   .value();
    service_->Start();
    options.pages = [](const http::Request& request) {
      return http::Response{.code = request.target == "/version" ? 200 : 404, .body = "a page"};
    };
    BERTH_TRY(front_, Front::Start(*service_, std::move(options)));
    return {};
  }
  http::ServerTlsOptions Certificates(bool asks_for_clients) const {
    const auto server = servers_->IssueServer("e", {}, {"127.0.0.1"}).value();
    http::ServerTlsOptions tls = {.certificate = {.data = server.certificate},
                                  .key = {.data = server.key}};
    if (asks_for_clients) tls.client_ca.data = clients_->certificate();
    return tls;
  }
  // Returns code and body.
  std::string Ask(const std::string& method, const std::string& target,
                  const http::TlsOptions& tls = {}) const {
    const auto transport = http::CreateTransport({.url = front_->url(), .tls = tls});
    const auto answer =
        (*transport)
            ->Call({.method = method, .target = target, .body = method == "POST" ? kGood : ""});
    if (!answer) return answer.error().message();
    return std::to_string(answer->code) + " " + answer->body;
  }

  const std::unique_ptr<http::CertificateAuthority> servers_ =
      http::CertificateAuthority::Create("servers").value();
  const std::unique_ptr<http::CertificateAuthority> clients_ =
      http::CertificateAuthority::Create("clients").value();
  const SystemClock clock_;
  const scheduler::Registry registry_ = scheduler::MakeRegistry();
  MetricsRegistry metrics_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<Front> front_;
};

TEST_F(FrontTest, DistinguishesRequestsFromPages) {
  ASSERT_TRUE(Start());
  EXPECT_THAT(Ask("POST", "/test/f"), HasSubstr(R"(200 {"Nodes":{"metadata":{},"items":[{)"));
  EXPECT_EQ(Ask("POST", "/test/p?timeout=5s"), R"(200 [{"Host":"n1","Score":90}])");
  EXPECT_EQ(Ask("GET", "/test/f"), R"(405 {"Error":"found GET, expected POST"})");
  EXPECT_EQ(Ask("GET", "/version"), "200 a page");
  EXPECT_EQ(Ask("POST", "/test"), "404 a page");
  EXPECT_EQ(Ask("POST", "/test/f/"), "404 a page");
  front_.reset();  // all requests are counted by then
  EXPECT_THAT(metrics_.Text(),
              HasSubstr(R"(served_total{code="200",path="/test/p",verb="prioritize"} 1)"));
  EXPECT_THAT(metrics_.Text(), HasSubstr("berth_extender_served_waiting 0"));
}

TEST_F(FrontTest, ServesGoodCallersDespiteBadOnes) {
  ASSERT_TRUE(
      Start({.max_body_bytes = 1 << 20, .request_timeout = std::chrono::milliseconds(1000)}));
  const auto outcome = integration::Run(
      {"python3", "tests/extender/hostile_caller.py", std::to_string(front_->port())});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::string expected;
  for (const auto& [verb, code] : {std::pair("f ", ": 200 "), std::pair("p ", ": 400 ")}) {
    for (const char* const what : {"nothing", "cut off", "no UTF-8", "a list", "wrong type",
                                   "nodes of a wrong type", "nested deeply"}) {
      const bool is_of_pod = what == std::string("wrong type");
      expected += verb + std::string(what) + code +
                  (is_of_pod ? "Pod: document: expected a" : "cannot decode the request") + "\n";
    }
    expected += verb + std::string("a million names: 413 body limit exceeded\n");
    expected += verb + std::string("zeros") + code + "cannot decode the request\n";
  }
  EXPECT_EQ(outcome.out, expected + R"(a length without end: 413 body limit exceeded
chunks without end: rejected 
a long header: 431 header limit exceeded
TLS: 400 bad method
while 40 bodies come slowly: answered
a body that does not come: [408]
one that leaves: 0 
GET: 405 found GET, expected POST
twenty at once: True
)");
}

TEST_F(FrontTest, RejectsBindWithoutAuthentication) {
  ASSERT_TRUE(Start({.address = "0.0.0.0"})) << "filter needs no authentication";
  const auto config = LoadConfiguration(kActs, "e.yaml").value();
  const auto client =
      client::Client::Create({.server = "https://127.0.0.1:1"}, {.component = "test"}, clock_);
  const auto service =
      Service::Create(config, "e.yaml", {registry_, metrics_, clock_, client->get()}).value();
  for (const char* const address :
       {"0.0.0.0", "::", "::ffff:0.0.0.0", "0:0:0:0:0:0:0:0", "192.0.2.1"}) {
    const auto front = Front::Start(*service, {.address = address});
    ASSERT_FALSE(front);
    EXPECT_EQ(front.error().message(),
              std::string("bindVerb and preemptVerb need client certificates at ") + address +
                  ": set --client-ca-file, or "
                  "bind to 127.0.0.1");
  }
  EXPECT_TRUE(Front::Start(*service, {.address = "127.0.0.1"}));
  EXPECT_TRUE(Front::Start(*service, {.address = "0.0.0.0", .tls = Certificates(true)}));
  EXPECT_FALSE(Front::Start(*service, {.address = "0.0.0.0", .tls = Certificates(false)}))
      << "TLS alone does not authenticate the caller";
}

TEST_F(FrontTest, RequiresCertificateWithClientCa) {
  ASSERT_TRUE(Start({.tls = Certificates(true)}));
  const http::Pem ca = {.data = servers_->certificate()};
  const auto as = [&](const http::CertificateAndKey& who) {
    return http::TlsOptions{
        .ca = ca, .certificate = {.data = who.certificate}, .key = {.data = who.key}};
  };
  EXPECT_EQ(Ask("POST", "/test/f", {.ca = ca}),
            R"(401 {"Error":"a client certificate is required"})");
  EXPECT_EQ(Ask("GET", "/version", {.ca = ca}), "200 a page");
  const auto stranger = servers_->IssueClient("stranger", {}).value();
  EXPECT_THAT(Ask("POST", "/test/f", as(stranger)),
              HasSubstr(R"(401 {"Error":"the client certificate is not trusted: )"));
  EXPECT_THAT(Ask("POST", "/test/f", as(clients_->IssueClient("scheduler", {}).value())),
              HasSubstr("200 "));
}

// Our own client of extenders against our own extender.
class OwnClientTest : public FrontTest {
 protected:
  OwnClientTest() {
    cluster_.Add(MakeNode("n1")).Add(MakeNode("cordoned").Unschedulable()).Add(MakeNode("node-7"));
    for (const char* const name : {"n1", "cordoned", "node-7"}) {
      texts_.nodes.Put(std::string("uid-") + name,
                       json::Encode(*cluster_.snapshot().At(cluster_.SlotOf(name)).node));
    }
    for (const char* const name : {"p", "long-name"}) {
      texts_.pods.Put(std::string("uid-") + name, json::Encode(MakePod(name).raw()));
    }
  }

  std::unique_ptr<engine::HttpExtender> Client() {
    api::Extender spec;
    spec.url_prefix = front_->url() + "/test";
    spec.filter_verb = "f";
    spec.prioritize_verb = "p";
    spec.http_timeout = Duration(std::chrono::seconds(20));
    return engine::HttpExtender::Create(spec, {},
                                        {.clock = cluster_.clock(),
                                         .metrics = metrics_,
                                         .texts = texts_,
                                         .post = [](const std::function<void()>&) {},
                                         .may_write = [] { return true; },
                                         .busy_until = [](SteadyTime) {},
                                         .bindings = bindings_,
                                         .stop = {}})
        .value();
  }
  std::vector<Slot> AllNodes() {
    return {cluster_.SlotOf("n1"), cluster_.SlotOf("cordoned"), cluster_.SlotOf("node-7")};
  }

  scheduler::testing::TestCluster cluster_;
  engine::KnownTexts texts_;
  size_t bindings_ = 0;
};

TEST_F(OwnClientTest, ReturnsVerdictsOfPlugins) {
  ASSERT_TRUE(Start());
  const auto client = Client();
  const auto pod = MakePod("p").Info(cluster_.words());
  const auto verdicts = client->Filter(*pod, cluster_.snapshot(), AllNodes());
  ASSERT_TRUE(verdicts) << verdicts.error().message();
  EXPECT_THAT(verdicts->fitting, ElementsAre(cluster_.SlotOf("n1"), cluster_.SlotOf("node-7")));
  ASSERT_EQ(verdicts->rejections.size(), 1U);
  EXPECT_EQ(verdicts->rejections[0].slot, cluster_.SlotOf("cordoned"));
  EXPECT_EQ(verdicts->rejections[0].message, "node(s) were unschedulable");
  EXPECT_FALSE(verdicts->rejections[0].is_resolvable);
  const auto scores = client->Prioritize(*pod, cluster_.snapshot(), AllNodes())();
  ASSERT_TRUE(scores) << scores.error().message();
  ASSERT_EQ(scores->size(), 3U);
  EXPECT_EQ(scores->at(0).score, 90);
  EXPECT_EQ(scores->at(2).score, 70);
  const auto long_name = MakePod("long-name").Info(cluster_.words());
  const auto rejected = client->Filter(*long_name, cluster_.snapshot(), AllNodes());
  ASSERT_TRUE(rejected) << rejected.error().message();
  EXPECT_THAT(rejected->fitting, IsEmpty());
  EXPECT_EQ(rejected->rejections.size(), 3U);
}

}  // namespace
}  // namespace berth::extender
