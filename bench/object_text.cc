// SPDX-License-Identifier: Apache-2.0
#include "bench/object_text.h"

#include <initializer_list>
#include <utility>

#include <fmt/format.h>

#include "base/names.h"

namespace berth::bench {
namespace {

using Values = std::initializer_list<std::pair<std::string_view, std::string>>;

// Replaces each $name$ of a template.
std::string Fill(std::string_view text, const Values& values) {
  std::string out;
  out.reserve(text.size() + 512);
  while (!text.empty()) {
    const size_t begin = text.find('$');
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const size_t end = text.find('$', begin + 1);
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    for (const auto& [key, value] : values) {
      if (key == name) out += value;
    }
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string UidOf(uint64_t number) {
  const uint64_t high = Mix(number);
  const uint64_t low = Mix(high);
  return fmt::format("{:08x}-{:04x}-4{:03x}-a{:03x}-{:012x}", high >> 32, (high >> 16) & 0xffff,
                     high & 0xfff, low >> 52, low & 0xffffffffffff);
}

constexpr std::string_view kPod =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"$name$","generateName":"$app$-$hash$-",)"
    R"("namespace":"shop","uid":"$uid$","resourceVersion":"$version$","generation":1,)"
    R"("creationTimestamp":"2026-01-01T08:00:00Z","labels":{"app":"$app$",)"
    R"("pod-template-hash":"$hash$","tier":"frontend"},"ownerReferences":[{"apiVersion":"apps/v1",)"
    R"("kind":"ReplicaSet","name":"$app$-$hash$","uid":"$owner$","controller":true,)"
    R"("blockOwnerDeletion":true}],"managedFields":[{"manager":"kube-controller-manager",)"
    R"("operation":"Update","apiVersion":"v1","time":"2026-01-01T08:00:00Z",)"
    R"("fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:generateName":{},"f:labels":{".":{},)"
    R"("f:app":{},"f:pod-template-hash":{},"f:tier":{}},"f:ownerReferences":{".":{},)"
    R"("k:{\"uid\":\"$owner$\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"app\"}":{".":{},)"
    R"("f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{},"f:requests":{".":{},)"
    R"("f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},)"
    R"("f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},)"
    R"("f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}}]},"spec":{"volumes":[{)"
    R"("name":"kube-api-access-x7k2p","projected":{"sources":[{"serviceAccountToken":{)"
    R"("expirationSeconds":3607,"path":"token"}},{"configMap":{"name":"kube-root-ca.crt",)"
    R"("items":[{"key":"ca.crt","path":"ca.crt"}]}},{"downwardAPI":{"items":[{"path":"namespace",)"
    R"("fieldRef":{"apiVersion":"v1","fieldPath":"metadata.namespace"}}]}}],"defaultMode":420}}],)"
    R"("containers":[{"name":"app","image":"$image$","ports":[{"name":"http",)"
    R"("containerPort":8080,"protocol":"TCP"}],"resources":{"limits":{"memory":"$memory$"},)"
    R"("requests":{"cpu":"$cpu$","memory":"$memory$"}},"volumeMounts":[{)"
    R"("name":"kube-api-access-x7k2p","readOnly":true,)"
    R"("mountPath":"/var/run/secrets/kubernetes.io/serviceaccount"}],)"
    R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)"
    R"("imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always",)"
    R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst",)"
    R"("serviceAccountName":"default","serviceAccount":"default",$node$"securityContext":{},)"
    R"("schedulerName":"default-scheduler",$constraints$"tolerations":[$tolerations${)"
    R"("key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",)"
    R"("tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists",)"
    R"("effect":"NoExecute","tolerationSeconds":300}],"priority":$priority$,)"
    R"("enableServiceLinks":true,"preemptionPolicy":"PreemptLowerPriority"},"status":$status$})";

constexpr std::string_view kNewPod =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"$name$","labels":{"app":"web",)"
    R"("pod-template-hash":"6d4cf56db6","tier":"frontend"},"ownerReferences":[{)"
    R"("apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-6d4cf56db6","uid":"$owner$",)"
    R"("controller":true,"blockOwnerDeletion":true}]},"spec":{"containers":[{"name":"app",)"
    R"("image":"registry.example.com/shop/web:1.0.0","ports":[{"name":"http",)"
    R"("containerPort":8080,"protocol":"TCP"}],"resources":{"limits":{"memory":"128Mi"},)"
    R"("requests":{"cpu":"100m","memory":"128Mi"}},)"
    R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)"
    R"("imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always",)"
    R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","securityContext":{},)"
    R"("schedulerName":"default-scheduler"}})";

constexpr std::string_view kPending = R"({"phase":"Pending","qosClass":"Burstable"})";

constexpr std::string_view kRunning =
    R"({"observedGeneration":1,"phase":"Running","conditions":[{"type":"PodReadyToStartContainers",)"
    R"("observedGeneration":1,"status":"True","lastProbeTime":null,)"
    R"("lastTransitionTime":"2026-01-01T08:00:03Z"},{"type":"Initialized","observedGeneration":1,)"
    R"("status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:00:01Z"},{)"
    R"("type":"Ready","observedGeneration":1,"status":"True","lastProbeTime":null,)"
    R"("lastTransitionTime":"2026-01-01T08:00:03Z"},{"type":"ContainersReady",)"
    R"("observedGeneration":1,"status":"True","lastProbeTime":null,)"
    R"("lastTransitionTime":"2026-01-01T08:00:03Z"},{"type":"PodScheduled","observedGeneration":1,)"
    R"("status":"True","lastProbeTime":null,"lastTransitionTime":"2026-01-01T08:00:01Z"}],)"
    R"("hostIP":"10.1.2.3","hostIPs":[{"ip":"10.1.2.3"}],"podIP":"10.64.7.9",)"
    R"("podIPs":[{"ip":"10.64.7.9"}],"startTime":"2026-01-01T08:00:01Z","containerStatuses":[{)"
    R"("name":"app","state":{"running":{"startedAt":"2026-01-01T08:00:02Z"}},"lastState":{},)"
    R"("ready":true,"restartCount":0,"image":"$image$",)"
    R"("imageID":"registry.example.com/shop/app@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b",)"
    R"("containerID":"containerd://60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c7",)"
    R"("started":true,"allocatedResources":{"cpu":"$cpu$","memory":"$memory$"},"resources":{)"
    R"("limits":{"memory":"$memory$"},"requests":{"cpu":"$cpu$","memory":"$memory$"}}}],)"
    R"("qosClass":"Burstable"})";

constexpr std::string_view kNode =
    R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"$name$","uid":"$uid$",)"
    R"("resourceVersion":"$version$","creationTimestamp":"2025-11-01T08:00:00Z","labels":{)"
    R"("beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/instance-type":"$type$",)"
    R"("beta.kubernetes.io/os":"linux","failure-domain.beta.kubernetes.io/region":"north",)"
    R"("failure-domain.beta.kubernetes.io/zone":"$zone$","kubernetes.io/arch":"amd64",)"
    R"("kubernetes.io/hostname":"$name$","kubernetes.io/os":"linux",)"
    R"("node.kubernetes.io/instance-type":"$type$","topology.kubernetes.io/region":"north",)"
    R"("topology.kubernetes.io/zone":"$zone$","example.com/disk":"$disk$",)"
    R"("example.com/environment":"production","example.com/lifecycle":"on-demand",)"
    R"("example.com/network":"25g","example.com/pool":"$pool$","example.com/rack":"$rack$",)"
    R"("example.com/revision":"$revision$","example.com/team":"platform",)"
    R"("example.com/processor":"gen4"},"annotations":{"node.alpha.kubernetes.io/ttl":"0",)"
    R"("volumes.kubernetes.io/controller-managed-attach-detach":"true"}},"spec":{)"
    R"("podCIDR":"10.64.0.0/24","podCIDRs":["10.64.0.0/24"],"providerID":"example://north/$name$")"
    R"($taints$},"status":{"capacity":{"cpu":"$capacity$","ephemeral-storage":"203056560Ki",)"
    R"("hugepages-1Gi":"0","hugepages-2Mi":"0","memory":"$memory$Gi","pods":"110"},)"
    R"("allocatable":{"cpu":"$cpu$","ephemeral-storage":"187136925411","hugepages-1Gi":"0",)"
    R"("hugepages-2Mi":"0","memory":"$memory$Gi","pods":"110"},"conditions":[$conditions$],)"
    R"("addresses":[{"type":"InternalIP","address":"10.1.2.3"},{"type":"Hostname",)"
    R"("address":"$name$"}],"daemonEndpoints":{"kubeletEndpoint":{"Port":10250}},"nodeInfo":{)"
    R"("machineID":"ec2a5ee0f7ab4e5c8d2f0a7a36a1d3c4","systemUUID":"$uid$","bootID":"$uid$",)"
    R"("kernelVersion":"6.1.0-13-amd64","osImage":"Debian GNU/Linux 12",)"
    R"("containerRuntimeVersion":"containerd://2.1.4","kubeletVersion":"v1.37.2",)"
    R"("kubeProxyVersion":"","operatingSystem":"linux","architecture":"amd64"},)"
    R"("images":[$images$]}})";

constexpr std::string_view kCondition =
    R"({"type":"$type$","status":"$status$","lastHeartbeatTime":"2026-01-01T$time$:00Z",)"
    R"("lastTransitionTime":"2025-11-01T08:00:10Z","reason":"$reason$",)"
    R"("message":"kubelet has sufficient resources available"})";

std::string Conditions(size_t heartbeat) {
  const std::string time = fmt::format("{:02}:{:02}", heartbeat / 60 % 24, heartbeat % 60);
  std::string out;
  for (const char* type : {"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"}) {
    const bool ready = std::string_view(type) == "Ready";
    if (!out.empty()) out += ',';
    out += Fill(kCondition, {{"type", type},
                             {"status", ready ? "True" : "False"},
                             {"time", time},
                             {"reason", ready ? "KubeletReady" : "KubeletHasSufficient"}});
  }
  return out;
}

// Four images of a node are on every node, eight are on some nodes, and the pulled ones are unique.
size_t ImageAt(size_t index, size_t i) {
  if (i < 4) return i;
  if (i < 12) return 4 + Mix(index * 16 + i) % 40;
  return 1000 + index * 100 + i;
}

std::string Images(size_t index, size_t pulled) {
  std::string out;
  for (size_t i = 0; i < 12 + pulled; ++i) {
    const size_t image = ImageAt(index, i);
    if (!out.empty()) out += ',';
    out += fmt::format(
        R"({{"names":["registry.example.com/shop/image-{0}@sha256:{1:016x}{1:016x}{1:016x}{1:016x}",)"
        R"("registry.example.com/shop/image-{0}:1.0.0"],"sizeBytes":{2}}})",
        image, Mix(image), (30 + 20 * (image % 44)) << 20);
  }
  return out;
}

std::string Taints(size_t index) {
  constexpr std::string_view kForm =
      R"(,"taints":[{{"key":"example.com/{}","value":"true","effect":"{}"}}])";
  if (index % 10 == 3) return fmt::format(kForm, "dedicated", "NoSchedule");
  if (index % 20 == 5) return fmt::format(kForm, "draining", "PreferNoSchedule");
  return "";
}

}  // namespace

uint64_t Mix(uint64_t number) {
  constexpr uint64_t kSeed = 0x5eed;
  uint64_t z = (number + kSeed) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::string NodeName(size_t index) {
  return fmt::format("ip-10-{}-{}-{}.north.example.com", index >> 16, (index >> 8) & 255,
                     index & 255);
}

std::string ZoneName(size_t index) { return std::string("north-") + "abc"[index % 3]; }

namespace {

// Identity holds the values that the API server sets; empty in a create request.
struct Identity {
  std::string uid, version;
};

std::string PodOf(const Identity& identity, size_t serial, const PodShape& shape,
                  std::string_view node) {
  const std::string hash = NameHash(shape.app);
  const std::string cpu = fmt::format("{}m", shape.milli_cpu);
  const std::string memory = fmt::format("{}Mi", shape.memory_mib);
  const std::string status =
      node.empty() ? std::string(kPending)
                   : Fill(kRunning, {{"image", shape.image}, {"cpu", cpu}, {"memory", memory}});
  return Fill(kPod, {{"name", fmt::format("{}-{}-{:05x}", shape.app, hash, serial)},
                     {"uid", identity.uid},
                     {"version", identity.version},
                     {"app", shape.app},
                     {"hash", hash},
                     {"owner", UidOf(Fnv1a64(shape.app))},
                     {"image", shape.image},
                     {"cpu", cpu},
                     {"memory", memory},
                     {"node", node.empty() ? "" : fmt::format(R"("nodeName":"{}",)", node)},
                     {"constraints", shape.constraints},
                     {"tolerations", shape.more_tolerations},
                     {"priority", std::to_string(shape.priority)},
                     {"status", status}});
}

std::string NodeOf(const Identity& identity, size_t index, const NodeChange& change) {
  const int64_t cores = int64_t{16} << Mix(index) % 3;
  return Fill(kNode, {{"name", NodeName(index)},
                      {"uid", identity.uid},
                      {"version", identity.version},
                      {"type", fmt::format("m6.{}xlarge", cores / 4)},
                      {"zone", ZoneName(index)},
                      {"disk", index % 4 == 0 ? "nvme" : "ssd"},
                      {"pool", fmt::format("pool-{}", index % 16)},
                      {"rack", fmt::format("rack-{}", index / 40)},
                      {"revision", std::to_string(change.revision)},
                      {"taints", Taints(index)},
                      {"capacity", std::to_string(cores)},
                      {"cpu", std::to_string(cores - change.cpu_taken)},
                      {"memory", std::to_string(cores * 4)},
                      {"conditions", Conditions(change.heartbeat)},
                      {"images", Images(index, change.pulled)}});
}

}  // namespace

std::string PodText(size_t serial, const PodShape& shape, std::string_view node) {
  return PodOf({UidOf(serial), std::to_string(1'000'000 + serial)}, serial, shape, node);
}

std::string PostedPodText(size_t serial, const PodShape& shape, std::string_view node) {
  return PodOf({}, serial, shape, node);
}

std::string NewPodText(std::string_view name) {
  return Fill(kNewPod, {{"name", std::string(name)}, {"owner", UidOf(Fnv1a64("web"))}});
}

std::string NodeText(size_t index, const NodeChange& change) {
  const Identity identity{UidOf((uint64_t{1} << 40) + index), std::to_string(500'000 + index)};
  return NodeOf(identity, index, change);
}

std::string PostedNodeText(size_t index) { return NodeOf({}, index, {}); }

std::string NodeListText(size_t count) {
  std::string out =
      R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"1234567"},"items":[)";
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) out += ',';
    out += NodeText(i);
  }
  return out + "]}";
}

}  // namespace berth::bench
