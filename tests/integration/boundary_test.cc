// SPDX-License-Identifier: Apache-2.0
// A user who may write profiles gets a scheduler and no further access: a user with only the role
// berth:schedulerprofiles-editor tries the rows of the table in SECURITY.md, and the operator's own
// ServiceAccount tries the actions that its roles allow.
#include <cctype>
#include <filesystem>

#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

constexpr const char* kOperatorAccount = "berth-operator";

Json Binding(const std::string& kind, const std::string& name, const Json& role,
             const Json& subjects) {
  return {{"apiVersion", "rbac.authorization.k8s.io/v1"},
          {"kind", kind},
          {"metadata", {{"name", name}}},
          {"roleRef",
           {{"apiGroup", "rbac.authorization.k8s.io"},
            {"kind", role.value("kind", "ClusterRole")},
            {"name", role["name"]}}},
          {"subjects", subjects}};
}

Json Account(const std::string& name, const std::string& ns = kNamespace) {
  return {{"kind", "ServiceAccount"}, {"name", name}, {"namespace", ns}};
}

Json ProfileWith(const std::string& name, const std::string& spec) {
  return {{"apiVersion", "berth.dev/v1alpha1"},
          {"kind", "SchedulerProfile"},
          {"metadata", {{"name", name}}},
          {"spec", Json::parse(spec)}};
}

testing::AssertionResult Answers(const ApiAnswer& answer, int code, const std::string& text = "") {
  if (answer.code == code && answer.body.find(text) != std::string::npos) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure()
         << answer.code << " " << answer.body << "; expected " << code << " with: " << text;
}

class Boundary : public ProfileTest {
 protected:
  static void SetUpTestSuite() {
    Cluster& cluster = Cluster::Instance();
    cluster.Apply({{"apiVersion", "v1"},
                   {"kind", "ServiceAccount"},
                   {"metadata", {{"name", "editor"}, {"namespace", "default"}}}});
    cluster.Apply(Binding("ClusterRoleBinding", "boundary-editor",
                          {{"name", "berth:schedulerprofiles-editor"}},
                          Json::array({Account("editor", "default")})));
  }
  static void TearDownTestSuite() {
    Cluster::Instance().Delete("clusterrolebinding", "boundary-editor");
    Cluster::Instance().Delete("serviceaccount", "editor", "default");
  }

  // Returns the API as seen by that ServiceAccount.
  ApiAccess As(const std::string& ns, const std::string& account) {
    return ApiAccess(cluster_.control_plane().KubeconfigOf(ns, account));
  }
  ApiAccess Editor() { return As("default", "editor"); }

  ApiAnswer Apply(const ApiAccess& api, const std::string& name, const std::string& spec) {
    profiles_.push_back(name);
    return api.Apply(ProfileWith(name, spec));
  }

  std::string StalledMessage(const std::string& profile) {
    return Condition(Profile(profile), "Stalled").value("message", "");
  }
};

TEST_F(Boundary, EditorCanOnlyAccessProfiles) {
  const ApiAccess editor = Editor();
  const auto path = [](const char* kind, const char* name = "") {
    return ApiAccess::PathOf(kind, name, kNamespace);
  };
  EXPECT_TRUE(Answers(editor.Send("GET", ApiAccess::PathOf("sprof", "", "")), 200));
  for (const char* kind : {"configmap", "pod", "deployment", "serviceaccount", "rolebinding"}) {
    EXPECT_TRUE(Answers(editor.Send("GET", path(kind)), 403)) << kind;
  }
  EXPECT_TRUE(Answers(
      editor.Send("GET", "/api/v1/namespaces/" + std::string(kNamespace) + "/secrets"), 403));
  EXPECT_TRUE(Answers(editor.Send("POST", path("serviceaccount", kOperatorAccount) + "/token",
                                  {{"apiVersion", "authentication.k8s.io/v1"},
                                   {"kind", "TokenRequest"},
                                   {"spec", Json::object()}}),
                      403));
  CreateProfile("edge-status");
  EXPECT_TRUE(
      Answers(editor.Send("PATCH", ApiAccess::PathOf("sprof", "edge-status", "") + "/status",
                          {{"status", {{"observedGeneration", 7}}}}),
              403));
}

struct Attempt {
  const char* spec;
  const char* says;
};

TEST_F(Boundary, RejectsForbiddenFieldsAtApply) {
  const ApiAccess editor = Editor();
  const Attempt attempts[] = {
      {R"({"engine": {"command": ["sh", "-c", "cat /etc/passwd"]}})", "command needs an image"},
      {R"({"engine": {"extraArgs": ["--kubeconfig=/tmp/x"]}})", "the operator sets these itself"},
      {R"({"engine": {"extraArgs": ["--v=9"]}})", "the operator sets these itself"},
      {R"({"deployment": {"env": [{"name": "LD_PRELOAD", "value": "/x.so"}]}})", "are reserved"},
      {R"({"deployment": {"env": [{"name": "KUBERNETES_SERVICE_HOST", "value": "evil"}]}})",
       "are reserved"},
      {R"({"deployment": {"env": [{"name": "https_proxy", "value": "http://evil"}]}})",
       "are reserved"},
      {R"({"deployment": {"podLabels": {"app.kubernetes.io/name": "x"}}})", "the operator's own"},
      {R"({"deployment": {"replicas": 17}})", "spec.deployment.replicas"},
      {R"({"engine": {"type": "KubeScheduler", "extraArgs": ["--leader_elect=false"]}})",
       "the operator sets these itself"},
      {R"({"engine": {"extraArgs": ["--sidecar-ports=10250"]}})", "the operator sets these itself"},
      {R"({"deployment": {"sidecars": [{"name": "scheduler", "image": "a", "port": 80}]}})",
       "scheduler is the name of the scheduler's own container"},
      {R"({"deployment": {"sidecars": [{"name": "a", "port": 80}]}})", "fill in image"},
      {R"({"extenders": [{"urlPrefix": "https://a", "tlsConfig": {"keyData": "eA=="}}]})",
       "a private key does not belong in a profile"},
  };
  for (const Attempt& attempt : attempts) {
    EXPECT_TRUE(Answers(Apply(editor, "edge", attempt.spec), 422, attempt.says)) << attempt.spec;
  }
  EXPECT_TRUE(Profile("edge").is_null());
}

struct StalledAttempt {
  const char* spec;
  const char* reason;
  const char* says;  // in the message
};

TEST_F(Boundary, RejectsDisallowedValuesWithPathAndValue) {
  const ApiAccess editor = Editor();
  const StalledAttempt attempts[] = {
      // Pods of other schedulers.
      {R"({"aliases": ["mine", "volcano"]})", "NameNotAllowed",
       R"(spec.aliases[1]: Invalid value: "volcano": is reserved for another scheduler)"},
      // Secrets and ConfigMaps of the scheduler's namespace.
      {R"({"deployment": {"env": [{"name": "A", "valueFrom":
           {"secretKeyRef": {"name": "database", "key": "password"}}}]}})",
       "SecretNotAllowed",
       R"(spec.deployment.env[name=A].valueFrom.secretKeyRef.name: "database" is not allowed)"},
      {R"({"deployment": {"env": [{"name": "A", "valueFrom":
           {"configMapKeyRef": {"name": "settings", "key": "k"}}}]}})",
       "ConfigMapNotAllowed", R"("settings" is not allowed)"},
      {R"json({"engine": {"extraArgs": ["--show=$(A)"]}, "deployment": {"env": [{"name": "A",
           "valueFrom": {"secretKeyRef": {"name": "berth-edge-5-x", "key": "k"}}}]}})json",
       "InvalidSpec", "spec.engine.extraArgs[0]"},
      // Images outside of the allowed ones, and more permissions.
      {R"({"engine": {"image": "evil.example/miner:1", "command": ["sh"]}})", "ImageNotAllowed",
       R"(spec.engine.image: "evil.example/miner:1" is not allowed here; allowed: berth:)"},
      {R"({"deployment": {"sidecars": [{"name": "a", "image": "evil.example/a:1", "port": 80}]}})",
       "ImageNotAllowed",
       R"(spec.deployment.sidecars[name=a].image: "evil.example/a:1" is not allowed here)"},
      {R"({"engine": {"clusterRoles": ["cluster-admin"]}})", "ClusterRoleNotAllowed",
       R"(spec.engine.clusterRoles[0]: "cluster-admin" is not allowed)"},
      // Privileges that other components grant by annotation or label.
      {R"({"deployment": {"podAnnotations": {"iam.amazonaws.com/role": "admin"}}})",
       "AnnotationNotAllowed", R"("iam.amazonaws.com/role" is not allowed)"},
      {R"({"deployment": {"podLabels": {"app": "payments"}}})", "LabelNotAllowed",
       R"(spec.deployment.podLabels[app]: "app" is not allowed)"},
      // More resources or priority than a scheduler needs, and other namespaces.
      {R"({"deployment": {"resources": {"requests": {"cpu": "64"}}}})", "ResourcesNotAllowed",
       R"(requests[cpu]: "64" is not allowed here; allowed: cpu=4)"},
      {R"({"deployment": {"priorityClassName": "system-node-critical"}})",
       "PriorityClassNotAllowed", R"("system-node-critical" is not allowed)"},
      {R"({"namespace": "kube-system"})", "NamespaceNotAllowed",
       R"(spec.namespace: "kube-system" is not allowed here; allowed: berth-system)"},
      // Requests, pods and Secrets sent to external addresses.
      {R"({"extenders": [{"urlPrefix": "http://169.254.169.254/latest", "filterVerb": "f",
           "ignorable": true}]})",
       "AddressNotAllowed", "must not lead to a link-local address"},
      {R"({"extenders": [{"urlPrefix": "file:///etc/passwd", "ignorable": true}]})",
       "AddressNotAllowed", "expected https://HOST"},
      {R"({"extenders": [{"urlPrefix": "https://localhost:10259", "ignorable": true}]})",
       "AddressNotAllowed", "must not lead to a loopback address"},
      {R"({"extenders": [{"urlPrefix": "http://localhost:8889", "ignorable": true}], "deployment":
           {"sidecars": [{"name": "a", "image": "example.com/a", "port": 8888}]}})",
       "AddressNotAllowed", "must not lead to a loopback address, except localhost at a sidecar"},
      {R"({"extenders": [{"urlPrefix": "https://collect.example.com", "ignorable": true}]})",
       "AddressNotAllowed", R"("https://collect.example.com" is not allowed)"},
      {R"({"extenders": [{"urlPrefix": "https://e.berth-system.svc", "ignorable": true,
           "tlsConfig": {"certFile": "/var/run/secrets/kubernetes.io/serviceaccount/token"}}]})",
       "FileNotAllowed", "must be a file below /etc/berth/"},
      {R"({"extenders": [{"urlPrefix": "https://e.berth-system.svc", "ignorable": true,
           "tlsConfig": {"secretName": "client-key"}}]})",
       "SecretNotAllowed", R"("client-key@e.berth-system.svc:443" is not allowed)"},
      {R"({"pluginConfig": [{"name": "NetworkTraffic", "args": {"address": "169.254.169.254"}}]})",
       "AddressNotAllowed", "must not lead to a link-local address"},
      {R"({"pluginConfig": [{"name": "NetworkTraffic", "args":
           {"address": "https://collect.example.com"}}]})",
       "AddressNotAllowed", R"("https://collect.example.com" is not allowed)"},
      {R"({"pluginConfig": [{"name": "NetworkTraffic", "args":
           {"address": "https://p.berth-system.svc", "secretName": "token"}}]})",
       "SecretNotAllowed", R"("token@p.berth-system.svc:443" is not allowed)"},
      {R"({"engine": {"type": "KubeScheduler"}, "extenders":
           [{"urlPrefix": "http://169.254.169.254/latest", "filterVerb": "f"}]})",
       "AddressNotAllowed", "must not lead to a link-local address"},
  };
  int number = 0;
  for (const StalledAttempt& attempt : attempts) {
    SCOPED_TRACE(attempt.spec);
    const std::string name = "edge-" + std::to_string(++number);
    ASSERT_TRUE(Answers(Apply(editor, name, attempt.spec), 201));
    EXPECT_TRUE(EventuallyHas(name, "Stalled", "True", attempt.reason));
    EXPECT_NE(StalledMessage(name).find(attempt.says), std::string::npos) << StalledMessage(name);
    const std::string ns = Profile(name)["status"]["scheduler"]["namespace"];
    for (const char* kind : {"serviceaccount", "configmap", "deployment"}) {
      EXPECT_TRUE(cluster_.Get(kind, "berth-" + name, ns).is_null()) << kind;
    }
    EXPECT_TRUE(cluster_.List("clusterrolebinding", "", "berth.dev/profile=" + name).empty());
  }
}

// Editors of namespaces may write Services. An allowed Service must not lead out of its namespace.
TEST_F(Boundary, RejectsServicesThatLeadElsewhere) {
  const auto put = [this](const std::string& name, const std::string& spec) {
    cluster_.Apply({{"apiVersion", "v1"},
                    {"kind", "Service"},
                    {"metadata", {{"name", name}, {"namespace", kNamespace}}},
                    {"spec", Json::parse(spec)}});
  };
  put("edge-alias", R"({"type": "ExternalName", "externalName": "evil.example.com"})");
  put("edge-bare", R"({"ports": [{"port": 80}]})");
  const ApiAccess editor = Editor();
  const StalledAttempt attempts[] = {
      {R"({"extenders": [{"urlPrefix": "http://edge-alias.berth-system.svc", "filterVerb": "f"}]})",
       "AddressNotAllowed", "Service berth-system/edge-alias is of type ExternalName"},
      {R"({"extenders": [{"urlPrefix": "http://edge-bare.berth-system.svc", "filterVerb": "f"}]})",
       "AddressNotAllowed", "Service berth-system/edge-bare has no selector"},
      {R"({"engine": {"type": "KubeScheduler"}, "extenders":
           [{"urlPrefix": "http://edge-alias.berth-system.svc", "filterVerb": "f"}]})",
       "AddressNotAllowed", "Service berth-system/edge-alias is of type ExternalName"},
      {R"({"plugins": {"score": {"enabled": [{"name": "NetworkTraffic"}]}}, "pluginConfig":
           [{"name": "NetworkTraffic", "args": {"address": "http://edge-bare.berth-system.svc"}}]})",
       "AddressNotAllowed", "Service berth-system/edge-bare has no selector"},
  };
  int number = 0;
  for (const StalledAttempt& attempt : attempts) {
    SCOPED_TRACE(attempt.spec);
    const std::string name = "edge-service-" + std::to_string(++number);
    ASSERT_TRUE(Answers(Apply(editor, name, attempt.spec), 201));
    EXPECT_TRUE(EventuallyHas(name, "Stalled", "True", attempt.reason));
    EXPECT_NE(StalledMessage(name).find(attempt.says), std::string::npos) << StalledMessage(name);
    EXPECT_TRUE(cluster_.Get("configmap", "berth-" + name, kNamespace).is_null());
  }
  cluster_.Delete("service", "edge-alias", kNamespace);
  cluster_.Delete("service", "edge-bare", kNamespace);
}

TEST_F(Boundary, RejectedChangeKeepsTheRunningScheduler) {
  CreateProfile("edge-kept");
  const Json before = cluster_.Get("deployment", "berth-edge-kept", kNamespace)["spec"];
  const ApiAccess editor = Editor();
  const Json change = Json::parse(R"({"spec": {"engine": {"image": "evil.example/x"}}})");
  EXPECT_TRUE(
      Answers(editor.Send("PATCH", ApiAccess::PathOf("sprof", "edge-kept", ""), change), 200));
  EXPECT_TRUE(EventuallyHas("edge-kept", "Stalled", "True", "ImageNotAllowed"));
  EXPECT_EQ(cluster_.Get("deployment", "berth-edge-kept", kNamespace)["spec"], before);
}

TEST_F(Boundary, AliasCannotTakeAnotherProfilesName) {
  CreateProfile("edge-elder");
  CreateProfile("edge-younger");
  const Json before = cluster_.Get("deployment", "berth-edge-younger", kNamespace);
  const Json alias = {{"spec", {{"aliases", {"edge-younger"}}}}};
  EXPECT_TRUE(
      Answers(Editor().Send("PATCH", ApiAccess::PathOf("sprof", "edge-elder", ""), alias), 200));
  EXPECT_TRUE(EventuallyHas("edge-elder", "Stalled", "True", "NameTaken"));
  EXPECT_NE(StalledMessage("edge-elder").find("scheduler name edge-younger belongs to"),
            std::string::npos)
      << StalledMessage("edge-elder");
  const auto config = [this](const std::string& profile) -> std::string {
    const Json map = cluster_.Get("configmap", "berth-" + profile, kNamespace);
    return map["data"]["scheduler-config.yaml"];
  };
  EXPECT_EQ(config("edge-elder").find("edge-younger"), std::string::npos);
  EXPECT_NE(config("edge-younger").find("schedulerName: edge-younger"), std::string::npos);
  const Json after = cluster_.Get("deployment", "berth-edge-younger", kNamespace);
  EXPECT_EQ(after["metadata"]["uid"], before["metadata"]["uid"]);
  EXPECT_EQ(after["spec"], before["spec"]);
}

TEST_F(Boundary, ProfilesInMissingNamespacesStartNoThreads) {
  const auto threads = [this] {
    const std::filesystem::directory_iterator tasks(
        "/proc/" + std::to_string(cluster_.operator_process().pid()) + "/task");
    return std::distance(begin(tasks), end(tasks));
  };
  const auto before = threads();
  const ApiAccess editor = Editor();
  constexpr int kProfiles = 20;
  for (int i = 0; i < kProfiles; ++i) {
    const std::string number = std::to_string(i);
    EXPECT_TRUE(Answers(
        Apply(editor, "edge-lost-" + number, R"({"namespace": "missing-)" + number + R"("})"),
        201));
  }
  for (int i = 0; i < kProfiles; ++i) {
    EXPECT_TRUE(
        EventuallyHas("edge-lost-" + std::to_string(i), "Stalled", "True", "NamespaceNotAllowed"));
  }
  EXPECT_LT(threads(), before + kProfiles);
}

TEST_F(Boundary, AllowedImageHasOnlyDefaultPluginPermissions) {
  const ApiAccess editor = Editor();
  ASSERT_TRUE(Answers(Apply(editor, "edge-image", R"({"engine": {"image":
      "example.com/scheduler:1"}, "plugins": {"multiPoint": {"enabled": [
      {"name": "DefaultPreemption"}, {"name": "VolumeBinding"}, {"name": "Mine"}]}}})"),
                      201));
  EXPECT_TRUE(EventuallyHas("edge-image", "Valid", "True", "PluginsNotVerified"));
  const Json bindings = cluster_.List("clusterrolebinding", "", "berth.dev/profile=edge-image");
  std::set<std::string> roles;
  for (const Json& binding : bindings) roles.insert(binding["roleRef"]["name"]);
  EXPECT_EQ(roles, (std::set<std::string>{"berth:base", "berth:namespaces", "berth:podgroups",
                                          "berth:preemption", "berth:volume-binding",
                                          "berth:volumes", "berth:workloads"}));

  AddPod("edge-victim", "edge-image", "1");
  const ApiAccess scheduler = As(kNamespace, "berth-edge-image");
  const std::string victim = ApiAccess::PathOf("pod", "edge-victim", "default");
  EXPECT_TRUE(Answers(scheduler.Send("GET", victim), 200));
  EXPECT_TRUE(Answers(scheduler.Send("DELETE", victim), 200)) << "like preemption";
  EXPECT_TRUE(Answers(scheduler.Send("DELETE", "/api/v1/nodes/edge-node"), 403));
  EXPECT_TRUE(Answers(scheduler.Send("GET", "/api/v1/namespaces"), 200));
  for (const char* path : {"/api/v1/secrets", "/api/v1/configmaps"}) {
    EXPECT_TRUE(Answers(scheduler.Send("GET", path), 403)) << path;
  }
}

TEST_F(Boundary, OperatorAccountBindsOnlySchedulers) {
  const ApiAccess account = As(kNamespace, kOperatorAccount);
  const Json own = Json::array({Account("berth-edge-guard")});
  const Json base = {{"name", "berth:base"}};
  const auto create = [&](const Json& binding) {
    const bool in_cluster = binding["kind"] == "ClusterRoleBinding";
    return account.Send("POST",
                        in_cluster ? ApiAccess::PathOf("clusterrolebinding", "", "")
                                   : ApiAccess::PathOf("rolebinding", "", kNamespace),
                        binding);
  };
  const std::string guard = "berth-operator-bindings";
  // A real API server enforces a new policy with a delay.
  EXPECT_TRUE(Eventually("the guard", seconds(30), [&]() -> std::string {
    const ApiAnswer answer =
        account.Send("POST", ApiAccess::PathOf("clusterrolebinding", "", "") + "?dryRun=All",
                     Binding("ClusterRoleBinding", "boundary", base, own));
    return answer.code == 403 ? "" : answer.body;
  }));
  const Json cases[] = {
      Binding("ClusterRoleBinding", "boundary", base, own),
      Binding("ClusterRoleBinding", "berth:operator", base, own),
      Binding("ClusterRoleBinding", "berth:edge-guard:x", base,
              Json::array({Account("default", "default")})),
      Binding(
          "ClusterRoleBinding", "berth:edge-guard:x", base,
          Json::array(
              {{{"kind", "User"}, {"name", "eve"}, {"apiGroup", "rbac.authorization.k8s.io"}}})),
      Binding("ClusterRoleBinding", "berth:other:x", base, own),
      Binding("ClusterRoleBinding", "berth:edge-guard:x", {{"name", "berth:operator"}}, own),
      Binding("RoleBinding", "berth-edge-guard", {{"kind", "Role"}, {"name", "berth-operator"}},
              own),
      Binding("RoleBinding", "berth-edge-guard",
              {{"kind", "ClusterRole"}, {"name", "berth:operator-namespace"}}, own),
  };
  for (const Json& binding : cases) {
    EXPECT_TRUE(Answers(create(binding), 403, guard)) << binding.dump();
  }

  const std::string mine = ApiAccess::PathOf("clusterrolebinding", "berth:operator", "");
  const Json more = {{"subjects", Json::array({Account(kOperatorAccount), own[0]})}};
  EXPECT_TRUE(Answers(account.Send("PATCH", mine, more), 403, guard));
  EXPECT_TRUE(Answers(account.Send("DELETE", mine), 403, guard));
  EXPECT_TRUE(Answers(
      account.Send("DELETE", ApiAccess::PathOf("clusterrolebinding", "boundary-editor", "")), 403,
      guard));

  EXPECT_TRUE(
      Answers(create(Binding("ClusterRoleBinding", "berth:edge-guard:base", base, own)), 201));
  EXPECT_TRUE(Answers(
      account.Send("DELETE", ApiAccess::PathOf("clusterrolebinding", "berth:edge-guard:base", "")),
      200));
}

// The operator's account tries to hand its rights to an account of its own making.
TEST_F(Boundary, OperatorAccountCannotHandOnItsRights) {
  const ApiAccess account = As(kNamespace, kOperatorAccount);
  const std::string guard = "berth-operator-bindings";
  const auto role = [](const std::string& name, const std::string& rules) -> Json {
    return {{"apiVersion", "rbac.authorization.k8s.io/v1"},
            {"kind", "Role"},
            {"metadata", {{"name", name}}},
            {"rules", Json::parse(rules)}};
  };
  const auto create = [&](const Json& object, const std::string& ns) {
    std::string kind = object["kind"];
    for (char& c : kind) c = static_cast<char>(std::tolower(c));
    return account.Send("POST", ApiAccess::PathOf(kind, "", ns), object);
  };
  const std::string lease =
      R"({"apiGroups": ["coordination.k8s.io"], "resources": ["leases"],
          "resourceNames": ["berth-evil"], "verbs": ["get", "update"]})";
  // A real API server enforces a new policy with a delay.
  EXPECT_TRUE(Eventually("the guard", seconds(30), [&]() -> std::string {
    const ApiAnswer answer =
        account.Send("POST", ApiAccess::PathOf("role", "", kNamespace) + "?dryRun=All",
                     role("boundary", "[" + lease + "]"));
    return answer.code == 403 ? "" : answer.body;
  }));

  const Json roles[] = {
      role("berth-evil", R"([
          {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["create", "patch"]},
          {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create", "patch"]},
          {"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles"],
           "verbs": ["create", "patch"]}])"),
      role("berth-evil", "[" + lease + R"(, {"apiGroups": [""], "resources": ["configmaps"],
                                             "verbs": ["get", "list", "watch"]}])"),
      role("berth-evil", R"([{"apiGroups": [""], "resources": ["configmaps"],
                              "resourceNames": ["berth-other"], "verbs": ["get", "list", "watch"]}])"),
      role("berth-operator", "[" + lease + "]"),
  };
  for (const Json& wrong : roles) {
    EXPECT_TRUE(Answers(create(wrong, kNamespace), 403, guard)) << wrong.dump();
  }
  EXPECT_TRUE(Answers(create(role("berth-evil", "[" + lease + "]"), kNamespace), 201));
  const std::string evil = ApiAccess::PathOf("role", "berth-evil", kNamespace);
  const Json wider = {{"rules", roles[0]["rules"]}};
  EXPECT_TRUE(Answers(account.Send("PATCH", evil, wider), 403, guard));
  EXPECT_TRUE(Answers(
      account.Send("DELETE", ApiAccess::PathOf("role", kOperatorAccount, kNamespace)), 403, guard));

  const Json elsewhere = Json::array({Account("berth-evil", "default")});
  const Json here = Json::array({Account("berth-evil")});
  const Json own_role = {{"kind", "Role"}, {"name", "berth-evil"}};
  const Json kube_scheduler = {{"name", "system:kube-scheduler"}};
  const auto bind = [&](const Json& subjects) {
    return create(Binding("RoleBinding", "berth-evil", own_role, subjects), kNamespace);
  };
  const auto bind_in_cluster = [&](const Json& subjects) {
    return create(Binding("ClusterRoleBinding", "berth:evil:x", kube_scheduler, subjects), "");
  };
  EXPECT_TRUE(Answers(bind(elsewhere), 403, guard));
  EXPECT_TRUE(Answers(bind_in_cluster(elsewhere), 403, guard));
  EXPECT_TRUE(Answers(bind_in_cluster(Json::array({here[0], elsewhere[0]})), 403, guard));
  EXPECT_TRUE(Answers(bind(here), 201));
  EXPECT_TRUE(Answers(bind_in_cluster(here), 201));

  const std::string in_cluster = ApiAccess::PathOf("clusterrolebinding", "berth:evil:x", "");
  EXPECT_TRUE(Answers(account.Send("PATCH", in_cluster, {{"subjects", elsewhere}}), 403, guard));
  EXPECT_TRUE(Answers(account.Send("DELETE", in_cluster), 200));
  EXPECT_TRUE(Answers(
      account.Send("DELETE", ApiAccess::PathOf("rolebinding", "berth-evil", kNamespace)), 200));
  EXPECT_TRUE(Answers(account.Send("DELETE", evil), 200));
}

// Follows deploy/README.md: the flag, the permission to bind, and the name in the policy.
TEST_F(Boundary, BindsAnAllowedClusterRoleOnceTheOperatorMay) {
  const auto role = [](const std::string& name, const Json& rule) -> Json {
    return {{"apiVersion", "rbac.authorization.k8s.io/v1"},
            {"kind", "ClusterRole"},
            {"metadata", {{"name", name}}},
            {"rules", Json::array({rule})}};
  };
  cluster_.Apply(
      role("boundary-reader",
           Json::parse(R"({"apiGroups": [""], "resources": ["namespaces"], "verbs": ["list"]})")));
  cluster_.Apply(role("boundary-binder",
                      Json::parse(R"({"apiGroups": ["rbac.authorization.k8s.io"], "resources":
               ["clusterroles"], "resourceNames": ["boundary-reader"], "verbs": ["bind"]})")));
  cluster_.Apply(Binding("ClusterRoleBinding", "boundary-binder", {{"name", "boundary-binder"}},
                         Json::array({Account(kOperatorAccount)})));
  const std::string guard = "berth-operator-bindings";
  const Json variables = cluster_.Get("validatingadmissionpolicy", guard)["spec"]["variables"];
  Json more = variables;
  more[3]["expression"] = "['boundary-reader']";
  cluster_.Patch("validatingadmissionpolicy", guard, "", {{"spec", {{"variables", more}}}});

  const std::string name = "berth:edge-role:role:boundary-reader";
  const ApiAccess account = As(kNamespace, kOperatorAccount);
  EXPECT_TRUE(Eventually("the policy", seconds(30), [&]() -> std::string {
    const ApiAnswer answer =
        account.Send("POST", ApiAccess::PathOf("clusterrolebinding", "", "") + "?dryRun=All",
                     Binding("ClusterRoleBinding", name, {{"name", "boundary-reader"}},
                             Json::array({Account("berth-edge-role")})));
    return answer.code == 201 ? "" : answer.body;
  }));
  CreateProfile("edge-role", Json::parse(R"({"engine": {"clusterRoles": ["boundary-reader"]}})"));
  EXPECT_FALSE(cluster_.Get("clusterrolebinding", name).is_null());
  EXPECT_TRUE(Answers(As(kNamespace, "berth-edge-role").Send("GET", "/api/v1/namespaces"), 200));

  cluster_.Patch("validatingadmissionpolicy", guard, "", {{"spec", {{"variables", variables}}}});
  cluster_.Delete("clusterrolebinding", "boundary-binder");
  cluster_.Delete("clusterrole", "boundary-binder");
  cluster_.Delete("clusterrole", "boundary-reader");
}

}  // namespace
}  // namespace berth::integration
