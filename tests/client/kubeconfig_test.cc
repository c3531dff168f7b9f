// SPDX-License-Identifier: Apache-2.0
#include "client/kubeconfig.h"

#include <map>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "client/client.h"
#include "tests/support/http/test_certificates.h"

namespace berth::client {
namespace {

constexpr const char* kGood = R"(
apiVersion: v1
kind: Config
current-context: main
clusters:
- name: prod
  cluster: {server: "https://10.0.0.1:6443", certificate-authority: pki/ca.crt, tls-server-name: kubernetes}
- name: dev
  cluster: {server: "https://10.0.0.2:6443", insecure-skip-tls-verify: true}
users:
- name: admin
  user: {client-certificate-data: QUJD, client-key-data: REVG}
- name: robot
  user: {token: abc, tokenFile: tokens/robot, as: someone, as-groups: [viewers]}
contexts:
- name: main
  context: {cluster: prod, user: admin, namespace: work}
- name: other
  context: {cluster: dev, user: robot}
)";

class Kubeconfig : public ::testing::Test {
 protected:
  Environment Variables(std::map<std::string, std::string> values) const {
    return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
      const auto found = values.find(name);
      if (found == values.end()) return std::nullopt;
      return found->second;
    };
  }
  // Returns the error for a file that holds `text`.
  std::string ErrorOf(const std::string& text) const {
    const auto config = LoadKubeconfig({folder_.Write("bad", text)}, "");
    if (config) return "no error";
    EXPECT_EQ(config.error().reason(), Reason::kConfig);
    return config.error().message();
  }

  http::TestFolder folder_;
};

TEST_F(Kubeconfig, ReadsCurrentContext) {
  const std::string file = folder_.Write("config", kGood);
  const auto config = LoadKubeconfig({file}, "");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->server, "https://10.0.0.1:6443");
  EXPECT_EQ(config->tls.ca.file, folder_.Path("pki/ca.crt")) << "relative to the file";
  EXPECT_EQ(config->tls.server_name, "kubernetes");
  EXPECT_EQ(config->tls.certificate.data, "ABC");
  EXPECT_EQ(config->tls.key.data, "DEF");
  EXPECT_EQ(config->default_namespace, "work");
  EXPECT_EQ(config->source, "kubeconfig " + file);
}

TEST_F(Kubeconfig, ReadsNamedContext) {
  const auto config = LoadKubeconfig({folder_.Write("config", kGood)}, "other");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_TRUE(config->tls.insecure_skip_verify);
  EXPECT_EQ(config->token_file, folder_.Path("tokens/robot"));
  EXPECT_EQ(config->token, "abc");
  EXPECT_EQ(config->impersonation.Find("Impersonate-User"), "someone");
  EXPECT_EQ(config->impersonation.Find("Impersonate-Group"), "viewers");
  EXPECT_EQ(config->default_namespace, "default");
}

TEST_F(Kubeconfig, FirstFileSuppliesWholeEntry) {
  const std::string first = folder_.Write("first", R"(
users: [{name: admin, user: {token: mine}}]
contexts: [{name: main, context: {cluster: prod, user: admin}}]
)");
  const std::string second = folder_.Write("second", kGood);
  const auto config = LoadClientConfig(
      {.environment = Variables(
           {{"KUBECONFIG", folder_.Path("missing") + "::" + first + ":" + first + ":" + second}})});
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->token, "mine");
  EXPECT_TRUE(config->tls.certificate.empty()) << "not merged with the second admin";
  EXPECT_EQ(config->default_namespace, "default");
  EXPECT_EQ(config->server, "https://10.0.0.1:6443");
}

TEST_F(Kubeconfig, SearchesSourcesInOrder) {
  const std::string flag = folder_.Write("flag", kGood);
  const auto from_flag = LoadClientConfig(
      {.kubeconfig = flag, .environment = Variables({{"KUBECONFIG", "/nowhere"}})});
  EXPECT_TRUE(from_flag);

  const auto missing = LoadClientConfig({.kubeconfig = "/nowhere/config"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message(), "kubeconfig /nowhere/config: no such file");

  const auto nothing = LoadClientConfig({.environment = Variables({{"HOME", "/nowhere"}})});
  ASSERT_FALSE(nothing);
  EXPECT_NE(nothing.error().message().find("/nowhere/.kube/config"), std::string::npos);

  std::filesystem::create_directory(folder_.Path(".kube"));
  folder_.Write(".kube/config", kGood);
  EXPECT_TRUE(LoadClientConfig({.environment = Variables({{"HOME", folder_.Path("")}})}));
}

TEST_F(Kubeconfig, InClusterReadsServiceAccountMount) {
  folder_.Write("token", "t");
  folder_.Write("ca.crt", "pem");
  folder_.Write("namespace", "berth-system\n");
  const std::map<std::string, std::string> pod = {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"},
                                                  {"KUBERNETES_SERVICE_PORT", "443"},
                                                  {"BERTH_SERVICEACCOUNT_ROOT", folder_.Path("")}};
  auto config = LoadClientConfig({.environment = Variables(pod)});
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->server, "https://10.0.0.1:443");
  EXPECT_EQ(config->token_file, folder_.Path("token"));
  EXPECT_EQ(config->tls.ca.file, folder_.Path("ca.crt"));
  EXPECT_EQ(config->default_namespace, "berth-system");

  auto named = pod;
  named["POD_NAMESPACE"] = "mine";
  named["KUBERNETES_SERVICE_HOST"] = "fd00::1";
  config = LoadInCluster(Variables(named));
  ASSERT_TRUE(config);
  EXPECT_EQ(config->server, "https://[fd00::1]:443");
  EXPECT_EQ(config->default_namespace, "mine");

  std::filesystem::remove(folder_.Path("token"));
  config = LoadInCluster(Variables(pod));
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().message().find(folder_.Path("token")), std::string::npos);
}

TEST_F(Kubeconfig, AcceptsIpv6ServerAddress) {
  folder_.Write("config",
                "current-context: x\ncontexts: [{name: x, context: {cluster: c}}]\n"
                "clusters: [{name: c, cluster: {server: 'https://[fd00::1]:6443'}}]\n");
  const auto config = LoadKubeconfig({folder_.Path("config")}, "");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->server, "https://[fd00::1]:6443");
  const SystemClock clock;
  EXPECT_TRUE(Client::Create(*config, {.component = "test"}, clock));
}

std::string With(const std::string& cluster, const std::string& user) {
  return "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n"
         "clusters: [{name: c, cluster: " +
         cluster + "}]\nusers: [{name: u, user: " + user + "}]\n";
}

TEST_F(Kubeconfig, ErrorsNameFieldAndAllowedValues) {
  const std::string good_cluster = "{server: \"https://a\"}";
  const struct {
    std::string text;
    std::string message;
  } cases[] = {
      {"clusters: [", "line"},
      {"kind: Pod", "kind: is \"Pod\"; allowed: Config"},
      {"clusters: text", "clusters"},
      {"clusters: [{name: a, cluster: {insecure-skip-tls-verify: maybe}}]",
       "clusters[0].cluster.insecure-skip-tls-verify"},
      {"contexts: [{name: a}, {name: b}]", "current-context: is empty; contexts: a, b"},
      {"current-context: mian\ncontexts: [{name: main}]",
       "current-context: \"mian\" is not in contexts; nearest: main"},
      {"current-context: x\ncontexts: [{name: x, context: {cluster: c}}]",
       "contexts[x].context.cluster: \"c\" is not in clusters; there are none"},
      {With("{}", "{}"), "clusters[c].cluster.server: is missing"},
      {With("{server: a, proxy-url: \"socks5://b\"}", "{}"),
       "clusters[c].cluster.proxy-url: not supported by this version"},
      {With("{server: a, insecure-skip-tls-verify: true, certificate-authority-data: QQ==}", "{}"),
       "clusters[c].cluster.insecure-skip-tls-verify: is true although"},
      {With("{server: a, certificate-authority-data: \"Q*\"}", "{}"),
       "clusters[c].cluster.certificate-authority-data: not base64: unexpected character at "
       "position 2"},
      {With(good_cluster, "{exec: {command: aws}}"), "users[u].user.exec: not supported"},
      {With(good_cluster, "{auth-provider: {name: gcp}}"), "users[u].user.auth-provider: not"},
      {With(good_cluster, "{username: a, password: b}"), "users[u].user.username: not supported"},
      {With(good_cluster, "{client-certificate: a}"),
       "users[u].user.client-certificate: is given without client-key"},
      {With(good_cluster, "{client-key-data: QQ==}"),
       "users[u].user.client-key: is given without client-certificate"},
      {With(good_cluster, "{as: a, as-groups: [b, c]}"), "users[u].user.as-groups: more than one"},
  };
  for (const auto& [text, message] : cases) {
    const std::string error = ErrorOf(text);
    EXPECT_TRUE(error.starts_with("kubeconfig " + folder_.Path("bad"))) << error;
    EXPECT_NE(error.find(message), std::string::npos) << message << "\n" << error;
  }
}

}  // namespace
}  // namespace berth::client
