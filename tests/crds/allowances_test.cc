// SPDX-License-Identifier: Apache-2.0
#include "crds/allowances.h"

#include <gmock/gmock.h>

#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> TextsOf(const std::vector<Rejection>& rejections) {
  std::vector<std::string> texts;
  for (const Rejection& rejection : rejections) {
    texts.push_back(std::string(rejection.reason) + ": " + rejection.message);
  }
  return texts;
}

// Returns "Reason: message" of every use beyond `allowances` in a profile "p" with this spec.
std::vector<std::string> Beyond(const std::string& spec, const Allowances& allowances = {}) {
  return TextsOf(BeyondAllowances(PlacedProfileOf(spec), allowances));
}

std::string VariableFrom(const std::string& source, const std::string& name) {
  return "{deployment: {env: [{name: A, valueFrom: {" + source + ": {name: " + name +
         ", key: k}}}]}}";
}

struct Ask {
  std::string spec;
  std::string rejection;  // its prefix
};

TEST(BeyondAllowances, DefaultProfileHasNoRejections) { EXPECT_THAT(Beyond("{}"), IsEmpty()); }

TEST(BeyondAllowances, MessageNamesPathValueAndAllowedValues) {
  EXPECT_THAT(Beyond("{engine: {image: 'evil:1'}}", {.images = {"berth:1", "ours/*"}}),
              ElementsAre("ImageNotAllowed: spec.engine.image: \"evil:1\" is not allowed here; "
                          "allowed: berth:1, ours/* (see --allowed-images of the operator)"));
}

TEST(BeyondAllowances, RejectsExternalResourcesByDefault) {
  const Ask asks[] = {
      {"{engine: {image: any}}", "ImageNotAllowed: spec.engine.image: \"any\""},
      {"{engine: {clusterRoles: [cluster-admin]}}",
       "ClusterRoleNotAllowed: spec.engine.clusterRoles[0]: \"cluster-admin\""},
      {VariableFrom("secretKeyRef", "db"),
       "SecretNotAllowed: spec.deployment.env[name=A].valueFrom.secretKeyRef.name: \"db\" is not "
       "allowed here; allowed: berth-p-* (see --allowed-secrets"},
      {VariableFrom("configMapKeyRef", "db"),
       "ConfigMapNotAllowed: spec.deployment.env[name=A].valueFrom.configMapKeyRef.name: \"db\""},
      {VariableFrom("secretKeyRef", "berth-p"), "SecretNotAllowed: "},
      {VariableFrom("secretKeyRef", "berth-pp-x"), "SecretNotAllowed: "},
      {"{namespace: kube-system}", "NamespaceNotAllowed: spec.namespace: \"kube-system\""},
      {"{deployment: {podAnnotations: {iam.amazonaws.com/role: root}}}",
       "AnnotationNotAllowed: spec.deployment.podAnnotations[iam.amazonaws.com/role]: "
       "\"iam.amazonaws.com/role\""},
      {"{deployment: {podLabels: {app: web}}}",
       "LabelNotAllowed: spec.deployment.podLabels[app]: \"app\""},
      {"{deployment: {priorityClassName: system-node-critical}}",
       "PriorityClassNotAllowed: spec.deployment.priorityClassName: \"system-node-critical\""},
      {"{deployment: {resources: {requests: {cpu: 5}}}}",
       "ResourcesNotAllowed: spec.deployment.resources.requests[cpu]: \"5\" is not allowed here; "
       "allowed: cpu=4, ephemeral-storage=1Gi, memory=8Gi (see --max-requests"},
      {"{deployment: {resources: {limits: {memory: 9Gi}}}}",
       "ResourcesNotAllowed: spec.deployment.resources.limits[memory]: \"9Gi\""},
      {"{deployment: {resources: {limits: {nvidia.com/gpu: 1}}}}",
       "ResourcesNotAllowed: spec.deployment.resources.limits[nvidia.com/gpu]: \"1\""},
      {"{extenders: [{urlPrefix: 'https://evil.example.com'}]}",
       "AddressNotAllowed: spec.extenders[urlPrefix=https://evil.example.com].urlPrefix: "
       "\"https://evil.example.com\" is not allowed here; allowed: Services in namespaces "
       "berth-system, such as http://NAME.berth-system.svc:8080, and addresses in "
       "--allowed-addresses of the operator (none); to allow this one, add evil.example.com:443 to "
       "that flag"},
      {"{extenders: [{urlPrefix: 'http://ext.team.svc'}]}", "AddressNotAllowed: "},
      {"{extenders: [{urlPrefix: 'https://169.254.169.254'}]}",
       "AddressNotAllowed: spec.extenders[urlPrefix=https://169.254.169.254].urlPrefix: Invalid "
       "value: \"https://169.254.169.254\": must not lead to a link-local address"},
      {"{extenders: [{urlPrefix: 'http://e.berth-system.svc', tlsConfig: {caFile: /etc/passwd}}]}",
       "FileNotAllowed: spec.extenders[urlPrefix=http://e.berth-system.svc].tlsConfig.caFile: "},
      {"{extenders: [{urlPrefix: 'https://e.berth-system.svc', tlsConfig: {secretName: "
       "berth-p-key}}]}",
       "SecretNotAllowed: spec.extenders[urlPrefix=https://e.berth-system.svc].tlsConfig."
       "secretName: \"berth-p-key@e.berth-system.svc:443\" is not allowed here; allowed: none"},
  };
  for (const Ask& ask : asks) {
    EXPECT_THAT(Beyond(ask.spec), ElementsAre(testing::StartsWith(ask.rejection))) << ask.spec;
  }
}

// Returns "Reason: message" of every use of a profile with this name.
std::vector<std::string> BeyondWithName(const std::string& name, const std::string& spec,
                                        const Allowances& allowances = {}) {
  SchedulerProfile profile = PlacedProfileOf(spec);
  profile.metadata.name = name;
  return TextsOf(BeyondAllowances(profile, allowances));
}

TEST(BeyondAllowances, RejectsReservedNameAndAlias) {
  EXPECT_THAT(
      BeyondWithName("stork", "{}", {.reserved_names = {"stork", "acme-*"}}),
      ElementsAre("NameNotAllowed: metadata.name: Invalid value: \"stork\": is reserved for "
                  "another scheduler, which would place the same pods; use another name, or "
                  "set --reserved-names of the operator without it (reserved: stork, "
                  "acme-*)"));
  EXPECT_THAT(
      BeyondWithName("p", "{aliases: [mine, acme-x]}", {.reserved_names = {"stork", "acme-*"}}),
      ElementsAre(testing::StartsWith(
          "NameNotAllowed: spec.aliases[1]: Invalid value: \"acme-x\": is reserved for")));
  EXPECT_THAT(BeyondWithName("volcano", "{aliases: [kube-scheduler]}", {.reserved_names = {}}),
              IsEmpty());
}

TEST(BeyondAllowances, ReservesNamesOfKnownSchedulersByDefault) {
  for (const char* name :
       {"volcano", "yunikorn", "koord-scheduler", "kai-scheduler", "runai-scheduler",
        "godel-scheduler", "hami-scheduler", "katalyst-scheduler", "stork", "topo-aware-scheduler",
        "gke.io/optimize-utilization-scheduler", "kube-scheduler"}) {
    EXPECT_THAT(BeyondWithName("p", "{aliases: ['" + std::string(name) + "']}"),
                ElementsAre(testing::StartsWith("NameNotAllowed: spec.aliases[0]: ")))
        << name;
  }
  EXPECT_THAT(BeyondWithName("volcano-2", "{aliases: [scheduler-plugins-scheduler]}"), IsEmpty());
}

TEST(BeyondAllowances, AcceptsResourcesAllowedByFlags) {
  const Allowances allowances{
      .images = {"ours/*", "exact:1", "a:5000/b@sha256:x"},
      .secrets = {"db", "key@e.example.com:443"},
      .config_maps = {"settings-*"},
      .namespaces = {"team"},
      .annotations = {"example.com/*"},
      .labels = {"app"},
      .cluster_roles = {"reader"},
      .priority_classes = {"high"},
      .addresses = {"e.example.com:443"},
      .requests = {{"nvidia.com/gpu", Quantity::FromValue(1)}},
  };
  for (const char* image : {"ours/a:1", "exact:1", "a:5000/b@sha256:x", "a:5000/b:2@sha256:x"}) {
    EXPECT_THAT(Beyond("{namespace: team, engine: {image: '" + std::string(image) +
                           "'}, deployment: {priorityClassName: high}}",
                       allowances),
                IsEmpty())
        << image;
  }
  const std::string rest = R"({
    namespace: team, engine: {clusterRoles: [reader]}, extenders: [
      {urlPrefix: "https://e.example.com/x", tlsConfig: {secretName: key, caFile: /etc/berth/ca.crt}},
      {urlPrefix: "http://ext.team.svc:8080"}],
    deployment: {
      priorityClassName: high, podLabels: {app: web}, podAnnotations: {example.com/a: b},
      resources: {limits: {nvidia.com/gpu: 1}}, env: [
        {name: A, valueFrom: {secretKeyRef: {name: db, key: k}}},
        {name: B, valueFrom: {secretKeyRef: {name: berth-p-own, key: k}}},
        {name: C, valueFrom: {configMapKeyRef: {name: settings-1, key: k}}},
        {name: D, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}})";
  EXPECT_THAT(Beyond(rest, allowances), IsEmpty());
}

TEST(BeyondAllowances, EntriesWithoutWildcardAreExact) {
  EXPECT_THAT(Beyond("{engine: {image: 'exact:10'}}", {.images = {"exact:1"}}), testing::SizeIs(1));
  EXPECT_THAT(Beyond("{engine: {image: 'a:5000/b:2@sha256:y'}}", {.images = {"a:5000/b@sha256:x"}}),
              testing::SizeIs(1));
  EXPECT_THAT(Beyond("{engine: {image: 'b@sha256:x'}}", {.images = {"a:5000/b@sha256:x"}}),
              testing::SizeIs(1));
  EXPECT_THAT(Beyond(VariableFrom("secretKeyRef", "key"), {.secrets = {"key@e.example.com:443"}}),
              testing::SizeIs(1))
      << "a Secret for an address is not allowed in an environment";
}

TEST(BeyondAllowances, RejectsLoopbackEvenIfListed) {
  EXPECT_THAT(Beyond("{extenders: [{urlPrefix: 'https://127.0.0.1:8080'}]}",
                     {.addresses = {"127.0.0.1:8080"}}),
              ElementsAre(HasSubstr("must not lead to a loopback address")));
}

std::string WithSidecar(const std::string& url, const std::string& more = "") {
  return "{extenders: [{urlPrefix: '" + url +
         "'}], deployment: {sidecars: [{name: s, image: a, port: 8888" + more + "}]}}";
}

TEST(BeyondAllowances, AllowsSidecarPortsWithoutListedAddress) {
  for (const char* url : {"http://localhost:8888/x", "http://127.0.0.1:8888", "http://[::1]:8888",
                          "https://localhost:8888"}) {
    EXPECT_THAT(Beyond(WithSidecar(url), {.images = {"a"}}), IsEmpty()) << url;
  }
  for (const char* url : {"http://localhost:8889/x", "http://localhost/x", "http://127.0.0.2:8888",
                          "http://0.0.0.0:8888", "http://x.localhost:8888"}) {
    EXPECT_THAT(Beyond(WithSidecar(url), {.images = {"a"}}),
                ElementsAre(HasSubstr("AddressNotAllowed: spec.extenders[urlPrefix=" +
                                      std::string(url) + "].urlPrefix: ")))
        << url;
  }
  EXPECT_THAT(Beyond("{extenders: [{urlPrefix: 'http://localhost:8888'}]}"),
              ElementsAre(HasSubstr("must not lead to a loopback address, except localhost")));
}

TEST(BeyondAllowances, IncludesSidecars) {
  const std::pair<std::string, std::string> cases[] = {
      {WithSidecar("http://localhost:8888"),
       "ImageNotAllowed: spec.deployment.sidecars[name=s].image: \"a\" is not allowed here"},
      {WithSidecar("http://localhost:8888", ", resources: {limits: {example.com/gpu: 1}}"),
       "ResourcesNotAllowed: spec.deployment.sidecars[name=s].resources.limits[example.com/gpu]: "
       "\"1\" is not allowed here"},
      {WithSidecar("http://localhost:8888",
                   ", env: [{name: A, valueFrom: {secretKeyRef: {name: db, key: k}}}]"),
       "SecretNotAllowed: "
       "spec.deployment.sidecars[name=s].env[name=A].valueFrom.secretKeyRef.name: "
       "\"db\" is not allowed here; allowed: berth-p-*"}};
  for (const auto& [spec, says] : cases) {
    EXPECT_THAT(Beyond(spec), testing::Contains(testing::StartsWith(says)));
  }
}

TEST(BeyondAllowances, SumsRequestsOfContainers) {
  const auto beyond = [](const std::string& own, const std::string& sidecars) {
    return Beyond("{deployment: {resources: {requests: {cpu: " + own + "}}, sidecars: [" +
                      "{name: s, image: a, port: 1, resources: {requests: {cpu: " + sidecars +
                      "}}}, {name: t, image: a, port: 2, resources: {limits: {cpu: " + sidecars +
                      "}}}]}}",
                  {.images = {"a"}});
  };
  EXPECT_THAT(beyond("2", "1"), IsEmpty());
  EXPECT_THAT(beyond("2", "1001m"),
              ElementsAre(HasSubstr("\"4002m\" of all containers is not allowed here")));
}

std::string Traffic(const std::string& args) {
  return "{pluginConfig: [{name: NetworkTraffic, args: {" + args + "}}]}";
}

TEST(BeyondAllowances, ChecksMetricSourcesLikeExtenders) {
  const std::string at = "spec.pluginConfig[name=NetworkTraffic].args.";
  const Ask asks[] = {
      {Traffic("address: 'https://evil.example.com'"),
       "AddressNotAllowed: " + at + "address: \"https://evil.example.com\" is not allowed here"},
      {Traffic("address: 'p.team.svc:9090'"),
       "AddressNotAllowed: " + at + "address: \"http://p.team.svc:9090\" is not allowed here"},
      {Traffic("address: 'p.example.com:9090'"),
       "AddressNotAllowed: " + at +
           "address: Invalid value: \"http://p.example.com:9090\": must begin "},
      {Traffic("address: '127.0.0.1:9090'"),
       "AddressNotAllowed: " + at +
           "address: Invalid value: \"http://127.0.0.1:9090\": must not lead "},
      {Traffic("address: 'https://169.254.169.254'"), "AddressNotAllowed: " + at + "address: "},
      {Traffic("address: 'https://p.berth-system.svc', secretName: berth-p-key"),
       "SecretNotAllowed: " + at +
           "secretName: \"berth-p-key@p.berth-system.svc:443\" is not allowed "
           "here; allowed: none"},
  };
  for (const Ask& ask : asks) {
    EXPECT_THAT(Beyond(ask.spec), ElementsAre(testing::StartsWith(ask.rejection))) << ask.spec;
  }
  const Allowances allowances{.secrets = {"key@p.example.com:443"},
                              .addresses = {"p.example.com:443", "p.team.svc:9090"}};
  for (const char* const args :
       {"address: 'http://p.berth-system.svc:9090'", "address: 'p.team.svc:9090'",
        "address: 'https://p.example.com/prometheus', secretName: key"}) {
    EXPECT_THAT(Beyond(Traffic(args), allowances), IsEmpty()) << args;
  }
  EXPECT_THAT(Beyond(Traffic("address: 'https://p.example.com:8443', secretName: key"), allowances),
              testing::SizeIs(2))
      << "another port is another address, which the Secret does not match";
}

TEST(CheckAllowances, RejectsInvalidEntries) {
  EXPECT_TRUE(CheckAllowances({}).has_value());
  EXPECT_TRUE(CheckAllowances({.additions = {"Deployment.spec.template.spec.containers[name=a*"}})
                  .has_value());
  EXPECT_TRUE(CheckAllowances({.images = {"*"}, .secrets = {"a*", "a@[fd00::1]:1"}}).has_value());
  const std::pair<Allowances, const char*> cases[] = {
      {{.images = {"a*b"}}, "--allowed-images: found \"a*b\", expected "},
      {{.labels = {""}}, "--allowed-labels: found \"\""},
      {{.secrets = {"a@b"}}, "--allowed-secrets: found \"a@b\", expected NAME, NAME* or "},
      {{.secrets = {"@b:1"}}, "--allowed-secrets: found \"@b:1\""},
      {{.addresses = {"https://b"}},
       "--allowed-addresses: found \"https://b\", expected HOST:PORT"},
      {{.addresses = {"B.example.com:443"}}, "--allowed-addresses: found \"B.example.com:443\""},
      {{.additions = {"deployment.spec"}},
       "--allowed-additions: found \"deployment.spec\", expected KIND.PATH outside of metadata"},
      {{.additions = {"Deploymnt.spec"}}, "Service, ServiceAccount; nearest: Deployment"},
      {{.additions = {"Deployment."}}, "--allowed-additions: found \"Deployment.\""},
      {{.additions = {"Deployment.metadata.labels"}}, "--allowed-additions: found "},
      {{.additions = {"Lease.spec"}}, "--allowed-additions: found \"Lease.spec\""},
  };
  for (const auto& [allowances, says] : cases) {
    const auto checked = CheckAllowances(allowances);
    ASSERT_FALSE(checked.has_value()) << says;
    EXPECT_THAT(checked.error().message(), HasSubstr(says));
  }
}

}  // namespace
}  // namespace berth::crds
