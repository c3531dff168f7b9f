// SPDX-License-Identifier: Apache-2.0
#include "crds/validation.h"

#include <gmock/gmock.h>

#include "tests/crds/catalogue_fixture.h"

namespace berth::crds {
namespace {

std::vector<std::string> Texts(const std::vector<api::FieldError>& errors) {
  std::vector<std::string> texts;
  for (const api::FieldError& error : errors) texts.push_back(error.ToString());
  return texts;
}

std::vector<std::string> ErrorsIn(const std::string& spec) {
  return Texts(Validate(WithDefaults(ProfileOf(spec)), UpstreamCatalogue()));
}

struct NameCase {
  std::string name;
  std::string error;  // empty: none
};

TEST(Validate, ChecksTheName) {
  const NameCase cases[] = {
      {"p", ""},
      {"bin-packing", ""},
      {std::string(52, 'a'), ""},
      {"", "metadata.name: Required value"},
      {std::string(53, 'a'), "at most 52 lower case letters"},
      {"Bin", "at most 52 lower case letters"},
      {"a.b", "at most 52 lower case letters"},
      {"-a", "at most 52 lower case letters"},
      {"default-scheduler", "default-scheduler is reserved"},
      {"operator", "operator is reserved"},
  };
  for (const NameCase& c : cases) {
    SchedulerProfile profile;
    profile.metadata.name = c.name;
    const auto errors = Texts(Validate(profile, UpstreamCatalogue()));
    if (c.error.empty()) {
      EXPECT_THAT(errors, testing::IsEmpty()) << c.name;
    } else {
      EXPECT_THAT(errors, testing::ElementsAre(testing::HasSubstr(c.error))) << c.name;
    }
  }
}

TEST(Validate, AllowsDefaultSchedulerIfOperatorDoes) {
  SchedulerProfile profile;
  profile.metadata.name = "default-scheduler";
  EXPECT_THAT(Validate(profile, UpstreamCatalogue(), DefaultSchedulerName::kAllow),
              testing::IsEmpty());
  profile.metadata.name = "p";
  profile.spec.aliases = {"default-scheduler"};
  EXPECT_THAT(Validate(profile, UpstreamCatalogue(), DefaultSchedulerName::kAllow),
              testing::IsEmpty());
}

struct SpecCase {
  std::string spec;
  std::string error;  // empty: none
};

const SpecCase kSpecs[] = {
    {"{}", ""},
    {"{aliases: [old, Any.Name, 'of any form, = too']}", ""},
    {"{aliases: ['']}", "spec.aliases[0]: Invalid value: \"\": an alias must not be empty"},
    {"{aliases: [default-scheduler]}",
     "spec.aliases[0]: Invalid value: \"default-scheduler\": default-scheduler is reserved"},
    {"{aliases: [p]}", "spec.aliases must not contain the profile's own name"},
    {"{podInitialBackoffSeconds: 5, podMaxBackoffSeconds: 4}",
     "spec.podMaxBackoffSeconds: Invalid value: 4: podMaxBackoffSeconds must be greater than or "
     "equal"},
    {"{podInitialBackoffSeconds: 5, podMaxBackoffSeconds: 5}", ""},
    {"{plugins: {queueSort: {enabled: [{name: PrioritySort}, {name: QOSSort}]}}}",
     "spec.plugins.queueSort.enabled: Invalid value: [{\"name\":\"PrioritySort\"},"
     "{\"name\":\"QOSSort\"}]: only one queue sort plugin can be enabled"},
    {"{deployment: {replicas: 2}}", ""},
    {"{deployment: {replicas: 2}, leaderElection: {leaderElect: false}}",
     "spec.deployment.replicas: Invalid value: 2: leaderElection.leaderElect must be true with "
     "more "
     "than one replica"},
    {"{deployment: {replicas: 1}, leaderElection: {leaderElect: false}}", ""},
    {"{leaderElection: {leaseDuration: 10s, renewDeadline: 10s}}",
     "spec.leaderElection.leaseDuration: Invalid value: \"10s\": leaseDuration must be greater "
     "than "
     "renewDeadline"},
    {"{leaderElection: {renewDeadline: 2400ms}}",
     "renewDeadline must be greater than 1.2 times retryPeriod"},
    {"{leaderElection: {renewDeadline: 2401ms}}", ""},
    {"{leaderElection: {leaderElect: false, leaseDuration: 1s}}", ""},
    {"{leaderElection: {retryPeriod: -1s}}",
     "spec.leaderElection.retryPeriod: Invalid value: \"-1s\": must be greater than zero"},
    {"{extenders: [{urlPrefix: 'http://e', httpTimeout: -5s}]}",
     "spec.extenders[urlPrefix=http://e].httpTimeout: Invalid value: \"-5s\": must not be "
     "negative"},
    {"{deployment: {podLabels: {berth.dev/x: v}}}",
     "keys that begin with berth.dev/ or app.kubernetes.io/"},
    {"{deployment: {podLabels: {app.kubernetes.io/name: v}}}",
     "keys that begin with berth.dev/ or app.kubernetes.io/"},
    {"{deployment: {podLabels: {'a b': v}}}",
     "spec.deployment.podLabels[\"a b\"]: Invalid value: \"a b\""},
    {"{deployment: {podLabels: {a: 'x w'}}}",
     "spec.deployment.podLabels[a]: Invalid value: \"x w\""},
    {"{deployment: {nodeSelector: {a: 'x w'}}}",
     "spec.deployment.nodeSelector[a]: Invalid value: \"x w\""},
    {"{deployment: {resources: {requests: {cpu: 2}, limits: {cpu: 1}}}}",
     "spec.deployment.resources.requests[cpu]: Invalid value: \"2\": must be less than or equal to "
     "cpu limit of 1"},
    {"{deployment: {resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 1}}}}", ""},
    {"{deployment: {podAnnotations: {berth.dev/x: any text}}}",
     "keys that begin with berth.dev/ are the operator's own"},
    {"{deployment: {podAnnotations: {example.com/x: any text}}}", ""},
    {"{extenders: [{urlPrefix: u, prioritizeVerb: p}]}",
     "spec.extenders[urlPrefix=u].weight: Required value: must have a positive weight applied to "
     "it"},
    {"{extenders: [{urlPrefix: u, prioritizeVerb: p, weight: 1}]}", ""},
    {"{extenders: [{urlPrefix: u, bindVerb: b}, {urlPrefix: v, bindVerb: b}]}",
     "spec.extenders[urlPrefix=v].bindVerb: Invalid value: \"b\": only one extender can implement "
     "bind"},
    {"{extenders: [{urlPrefix: u, tlsConfig: {keyData: c2VjcmV0}}]}",
     "spec.extenders[urlPrefix=u].tlsConfig.keyData: Invalid value: \"c2VjcmV0\": a private key "
     "does not belong in a profile"},
    {"{plugins: {filter: {disabled: [{name: NodePorts, weight: 1}]}}}",
     "spec.plugins.filter.disabled[name=NodePorts].weight: Forbidden: unknown field"},
    {"{engine: {command: [sh]}}", "spec.engine.image: Required value: command needs an image"},
    {"{engine: {image: a, command: [sh]}}", ""},
    {"{engine: {extraArgs: [--pod-max-in-unschedulable-pods-duration=60]}}", ""},
    {"{engine: {extraArgs: [--pod-max-in-unschedulable-pods-duration, '60']}}", ""},
    {"{engine: {extraArgs: ['--pod-max-in-unschedulable-pods-duration=$(S)']}}", ""},
    {"{engine: {extraArgs: [--pod-max-in-unschedulable-pods-duration=60s]}}",
     "spec.engine.extraArgs[0]: Invalid value: \"--pod-max-in-unschedulable-pods-duration=60s\": "
     "must have a whole number from 1 to 2147483647 as value"},
    {"{engine: {extraArgs: [--pod-max-in-unschedulable-pods-duration]}}",
     "must have a whole number from 1 to 2147483647 as value"},
    {"{engine: {extraArgs: [--pod-max-in-unschedulable-pod-duration=60]}}",
     "spec.engine.extraArgs[0]: Invalid value: \"--pod-max-in-unschedulable-pod-duration=60\": "
     "Berth's scheduler has no such flag; nearest: --pod-max-in-unschedulable-pods-duration"},
    {"{engine: {extraArgs: [-pod-max-in-unschedulable-pods-duration=60]}}",
     "nearest: --pod-max-in-unschedulable-pods-duration"},
    {"{engine: {extraArgs: [--no-such-flag]}}",
     "spec.engine.extraArgs[0]: Invalid value: \"--no-such-flag\": Berth's scheduler has no such "
     "flag; allowed: --pod-max-in-unschedulable-pods-duration"},
    {"{engine: {extraArgs: [more]}}",
     "spec.engine.extraArgs[0]: Invalid value: \"more\": belongs to no flag"},
    {"{engine: {type: KubeScheduler, extraArgs: [--no-such-flag]}}", ""},
    {"{engine: {image: a, extraArgs: [--no-such-flag]}}", ""},
    {"{deployment: {env: [{name: A_PROXY_B}, {name: MY_BERTH_X}, {name: BUILD_}, "
     "{name: LOCALDOMAIN_}]}}",
     ""},
    {"{deployment: {env: [{name: S, valueFrom: {secretKeyRef: {name: a, key: k}}}]}, "
     "engine: {image: a, extraArgs: ['--x=$(S)', '--y=$(T)']}}",
     "spec.engine.extraArgs[0]: Invalid value: \"--x=$(S)\": must not name a variable that comes "
     "from a Secret"},
    {"{deployment: {env: [{name: S, valueFrom: {secretKeyRef: {name: a, key: k}}}, "
     "{name: T, value: 'x$(S)'}]}, engine: {image: a, command: ['$(T)']}}",
     "spec.engine.command[0]: Invalid value: \"$(T)\""},
    {"{deployment: {env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]}, "
     "engine: {image: a, extraArgs: ['--x=$(NODE)']}}",
     ""},
    {"{deployment: {sidecars: [{name: a, image: x, port: 80}, {name: b, image: x, port: 81}]}}",
     ""},
    {"{deployment: {sidecars: [{name: a, image: x, port: 80}, {name: a, image: x, port: 81}]}}",
     "spec.deployment.sidecars[name=a]: Duplicate value: \"a\""},
    {"{deployment: {sidecars: [{name: scheduler, image: x, port: 80}]}}",
     "spec.deployment.sidecars[name=scheduler].name: Invalid value: \"scheduler\": scheduler is "
     "the name of"},
    {"{deployment: {sidecars: [{name: A_b, image: x, port: 80}]}}",
     "spec.deployment.sidecars[name=A_b].name: Invalid value: \"A_b\": must match"},
    {"{deployment: {sidecars: [{image: x, port: 80}]}}",
     "spec.deployment.sidecars[0].name: Required value"},
    {"{deployment: {sidecars: [{name: a, port: 80}]}}",
     "spec.deployment.sidecars[name=a].image: Required value: fill in image"},
    {"{deployment: {sidecars: [{name: a, image: '', port: 80}]}}",
     "spec.deployment.sidecars[name=a].image: Required value: fill in image"},
    {"{deployment: {sidecars: [{name: a, image: 'x y', port: 80}]}}",
     "spec.deployment.sidecars[name=a].image: Invalid value: \"x y\": must match"},
    {"{deployment: {sidecars: [{name: a, image: x, port: 10259}]}}",
     "spec.deployment.sidecars[name=a].port: Invalid value: 10259: 10259 is the port of the "
     "scheduler's"},
    {"{deployment: {sidecars: [{name: a, image: x, port: 80, args: ['$(T)', '$(S)'], env: [{name: "
     "S, "
     "valueFrom: {secretKeyRef: {name: a, key: k}}}, {name: T, value: x}]}]}}",
     "spec.deployment.sidecars[name=a].args[1]: Invalid value: \"$(S)\": must not name a variable"},
    {"{deployment: {sidecars: [{name: a, image: x}]}}",
     "spec.deployment.sidecars[name=a].port: Invalid value: 0: must be from 1 to 65535"},
    {"{deployment: {sidecars: [{name: a, image: x, port: 65536}]}}",
     "spec.deployment.sidecars[name=a].port: Invalid value: 65536: must be from 1 to 65535"},
    {"{deployment: {sidecars: [{name: a, image: x, port: 80, resources: {requests: {cpu: 2}, "
     "limits: {cpu: 1}}}]}}",
     "spec.deployment.sidecars[name=a].resources.requests[cpu]: Invalid value: \"2\""},
    {"{logging: {format: xml}}", "spec.logging.format: Unsupported value: \"xml\""},
};

TEST(Validate, ReportsErrorsOfRules) {
  for (const SpecCase& c : kSpecs) {
    if (c.error.empty()) {
      EXPECT_THAT(ErrorsIn(c.spec), testing::IsEmpty()) << c.spec;
    } else {
      EXPECT_THAT(ErrorsIn(c.spec), testing::ElementsAre(testing::HasSubstr(c.error))) << c.spec;
    }
  }
}

TEST(Validate, RejectsArgumentsOfOperator) {
  for (const char* argument :
       {"-v", "-v9", "-v=9", "--v=9", "--v", "--config=/x", "-config=/x", "--config-map=a/b",
        "--kubeconfig=/x", "--authentication-kubeconfig=/x", "--master=https://x", "--lease=a/b",
        "--leader-elect=false", "--leader-elect-resource-name=x", "--bind-address=::",
        "--secure-port=0", "--sidecar-ports=8080", "--sidecar_ports=1", "--logging-format=json"}) {
    EXPECT_THAT(ErrorsIn("{engine: {extraArgs: ['" + std::string(argument) + "']}}"),
                testing::ElementsAre(testing::StartsWith(
                    "spec.engine.extraArgs[0]: Invalid value: " + json::Quoted(argument) +
                    ": the operator sets these itself")))
        << argument;
  }
}

TEST(Validate, RejectsReservedVariables) {
  for (const char* name : {"KUBERNETES_SERVICE_HOST", "BERTH_X", "LD_PRELOAD", "OPENSSL_CONF",
                           "SSL_CERT_FILE", "KUBECONFIG", "HOSTALIASES", "LOCALDOMAIN",
                           "RES_OPTIONS", "HTTPS_PROXY", "no_proxy", "Http_Proxy"}) {
    EXPECT_THAT(ErrorsIn("{deployment: {env: [{name: " + std::string(name) + "}]}}"),
                testing::ElementsAre(testing::HasSubstr("are reserved: KUBERNETES_*")))
        << name;
  }
}

TEST(Validate, NamesBothSidecarsOfOnePort) {
  EXPECT_THAT(
      ErrorsIn("{deployment: {sidecars: [{name: a, image: x, port: 80}, {name: b, image: x, port: "
               "80}]}}"),
      testing::ElementsAre(testing::StartsWith("spec.deployment.sidecars[name=a].port: Invalid "
                                               "value: 80: containers of a pod share its ports"),
                           testing::StartsWith("spec.deployment.sidecars[name=b].port: ")));
}

TEST(Validate, ReturnsAllErrors) {
  EXPECT_EQ(ErrorsIn("{percentageOfNodesToScore: -1, engine: {type: X}, aliases: [p]}").size(), 3u);
}

}  // namespace
}  // namespace berth::crds
