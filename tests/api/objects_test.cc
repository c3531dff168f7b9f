// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "api/admission.h"
#include "api/apiextensions.h"
#include "api/apps.h"
#include "api/authentication.h"
#include "api/coordination.h"
#include "api/core.h"
#include "api/discovery.h"
#include "api/events.h"
#include "api/networking.h"
#include "api/node.h"
#include "api/persistent_volume.h"
#include "api/pod.h"
#include "api/policy.h"
#include "api/quota.h"
#include "api/rbac.h"
#include "api/storage.h"
#include "base/json/json.h"

namespace berth::api {
namespace {

// Decodes strictly, so that no field is lost, encodes the object, and expects the same JSON.
template <class T>
T ExpectKept(std::string_view text) {
  auto object = json::Decode<T>(text, json::Mode::kStrict);
  EXPECT_TRUE(object) << (object ? "" : object.error().message());
  if (!object) return {};
  EXPECT_EQ(json::Encode(*object), *json::Canonical(text));
  EXPECT_EQ(*json::Decode<T>(json::Encode(*object)), *object);
  return std::move(*object);
}

TEST(Pod, KeepsSchedulerFields) {
  const Pod pod = ExpectKept<Pod>(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"incoming",
    "namespace":"red","uid":"11a2","generation":1,"creationTimestamp":"2026-01-01T00:00:00Z",
    "deletionTimestamp":"2026-01-01T00:01:00Z","deletionGracePeriodSeconds":0,
    "labels":{"app":"cache"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet",
    "name":"r","uid":"u","controller":true,"blockOwnerDeletion":false}]},
    "spec":{"nodeName":"n","nodeSelector":{},"affinity":{
    "nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
    {"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]}]},
    "preferredDuringSchedulingIgnoredDuringExecution":[{"weight":3,"preference":{
    "matchExpressions":[{"key":"disk","operator":"Exists"}]}}]},
    "podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"labelSelector":{
    "matchLabels":{"app":"cache"}},"topologyKey":"zone","matchLabelKeys":["rev"]}]},
    "podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,
    "podAffinityTerm":{"namespaceSelector":{},"namespaces":["x"],"topologyKey":"host"}}]}},
    "tolerations":[{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":0}],
    "initContainers":[{"name":"i","restartPolicy":"Always"}],
    "containers":[{"name":"main","image":"app:v1","command":["/a"],"args":["-b"],
    "env":[{"name":"E","value":"v"},{"name":"F","valueFrom":{"fieldRef":{"fieldPath":"spec.nodeName"}}}],
    "resources":{"requests":{"cpu":"100m","memory":"1Gi"},"limits":{"nvidia.com/gpu":"0"},
    "claims":[{"name":"c"}]},"ports":[{"name":"p","containerPort":80,"hostPort":8080,
    "hostIP":"10.0.0.1","protocol":"UDP"}],"restartPolicyRules":[{"action":"RestartAllContainers",
    "exitCodes":{"operator":"In","values":[0,42]}}]}],
    "overhead":{"cpu":"10m"},"resources":{"requests":{"memory":"2Gi"}},"schedulerName":"s",
    "priority":0,"priorityClassName":"high","preemptionPolicy":"Never",
    "schedulingGates":[{"name":"g"}],"schedulingGroup":{"podGroupName":"group"},
    "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",
    "whenUnsatisfiable":"DoNotSchedule","labelSelector":{},"minDomains":2,
    "nodeAffinityPolicy":"Ignore","nodeTaintsPolicy":"Honor","matchLabelKeys":["rev"]}],
    "volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c","readOnly":true}},
    {"name":"e","emptyDir":{}},{"name":"x","ephemeral":{"volumeClaimTemplate":{"spec":{}}}},
    {"name":"g","gcePersistentDisk":{"pdName":"pd"}},
    {"name":"s","iscsi":{"targetPortal":"t","iqn":"q","lun":0,"readOnly":true}},
    {"name":"r","rbd":{"monitors":["m"],"image":"i","pool":"p"}},
    {"name":"m","image":{"reference":"app:v2","pullPolicy":"Always"}}],
    "resourceClaims":[{"name":"c","resourceClaimTemplateName":"t"}],
    "hostNetwork":true,"hostUsers":false,"runtimeClassName":"kata"},
    "status":{"phase":"Pending","nominatedNodeName":"n2","startTime":"2026-01-01T00:00:01Z",
    "conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"m",
    "observedGeneration":1,"lastTransitionTime":"2026-01-01T00:00:02Z"}],
    "containerStatuses":[{"name":"main","resources":{"requests":{"cpu":"200m"}},
    "allocatedResources":{"cpu":"150m"}}],
    "resourceClaimStatuses":[{"name":"c","resourceClaimName":"p-c"}]}})");
  ASSERT_TRUE(pod.spec.node_selector.has_value()) << "{} differs from null";
  EXPECT_TRUE(pod.spec.node_selector->empty());
  EXPECT_EQ(pod.spec.priority, 0);
  EXPECT_EQ(pod.spec.containers[0].resources.requests.at("cpu").MilliValue(), 100);
  EXPECT_EQ(pod.spec.affinity->pod_anti_affinity->preferred[0].weight, 1);
  EXPECT_FALSE(pod.spec.affinity->pod_affinity->required[0].namespace_selector);
  EXPECT_TRUE(
      pod.spec.affinity->pod_anti_affinity->preferred[0].pod_affinity_term.namespace_selector);
}

TEST(Pod, DecodingIgnoresFieldsThatBerthDoesNotUse) {
  const auto pod = json::Decode<Pod>(R"({"metadata":{"name":"a","managedFields":[{"manager":"m",
    "fieldsV1":{"f:spec":{}}}]},"spec":{"nodeSelector":null,"enableServiceLinks":true,
    "containers":[{"name":"c","terminationMessagePath":"/dev/termination-log"}]},
    "status":{"qosClass":"BestEffort","conditions":[{"lastProbeTime":null}]}})");
  ASSERT_TRUE(pod) << pod.error().message();
  EXPECT_FALSE(pod->spec.node_selector);
  EXPECT_EQ(pod->spec.containers[0].name, "c");
}

// A scheduler caches 150,000 pods, so every additional byte counts 150,000 times.
TEST(Pod, StaysSmall) {
  EXPECT_LE(sizeof(Pod), 1280u);
  EXPECT_LE(sizeof(Container), 480u);
}

TEST(Node, RoundTrips) {
  const Node node = ExpectKept<Node>(R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"n",
    "labels":{"kubernetes.io/hostname":"n"}},"spec":{"unschedulable":true,"taints":[{"key":"k",
    "value":"v","effect":"NoSchedule","timeAdded":"2026-01-01T00:00:00Z"}]},
    "status":{"capacity":{"cpu":"4"},"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"},
    "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady"}],
    "addresses":[{"type":"InternalIP","address":"10.0.0.1"},{"type":"InternalIP","address":"fd00::1"},
    {"type":"Hostname","address":"n"}],"images":[{"names":["app:v1"],"sizeBytes":123}],"declaredFeatures":["F"]}})");
  EXPECT_EQ(node.status.allocatable.at("memory").Value(), int64_t{8} << 30);
}

TEST(Binding, EncodesTheServersForm) {
  const Binding binding{.metadata = {.name = "p", .namespace_ = "ns", .uid = "u"},
                        .target = {.kind = "Node", .name = "n"}};
  EXPECT_EQ(
      json::Encode(binding),
      R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p","namespace":"ns","uid":"u"},)"
      R"("target":{"kind":"Node","name":"n"}})");
}

TEST(Owners, KeepTheirSelectors) {
  ExpectKept<ReplicationController>(R"({"apiVersion":"v1","kind":"ReplicationController",
    "metadata":{"name":"r"},"spec":{"selector":{"app":"web"}}})");
  const auto set = ExpectKept<ReplicaSet>(R"({"apiVersion":"apps/v1","kind":"ReplicaSet",
    "metadata":{"name":"r"},"spec":{"selector":{"matchLabels":{"app":"web"},
    "matchExpressions":[{"key":"tier","operator":"Exists"}]}}})");
  EXPECT_EQ(set.spec.selector->match_labels.at("app"), "web");
  ExpectKept<StatefulSet>(R"({"apiVersion":"apps/v1","kind":"StatefulSet",
    "metadata":{"name":"s"},"spec":{"selector":{"matchLabels":{"app":"db"}}}})");
}

TEST(Deployment, RoundTrips) {
  ExpectKept<Deployment>(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},
    "spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"revisionHistoryLimit":2,
    "strategy":{"type":"RollingUpdate","rollingUpdate":{"maxUnavailable":0,"maxSurge":"25%"}},
    "template":{"metadata":{"labels":{"a":"b"}},"spec":{"serviceAccountName":"s",
    "automountServiceAccountToken":false,"terminationGracePeriodSeconds":30,
    "securityContext":{"runAsNonRoot":true,"runAsUser":65532,"fsGroup":65532,
    "seccompProfile":{"type":"RuntimeDefault"}},"imagePullSecrets":[{"name":"p"}],
    "containers":[{"name":"c","livenessProbe":{"httpGet":{"path":"/livez","port":"https",
    "scheme":"HTTPS"},"periodSeconds":10},"readinessProbe":{"httpGet":{"path":"/readyz","port":10259}},
    "securityContext":{"allowPrivilegeEscalation":false,"readOnlyRootFilesystem":true,
    "capabilities":{"drop":["ALL"]}},"volumeMounts":[{"name":"t","mountPath":"/t","readOnly":true}]}],
    "volumes":[{"name":"t","projected":{"defaultMode":292,"sources":[
    {"serviceAccountToken":{"path":"token","expirationSeconds":3607}},
    {"configMap":{"name":"kube-root-ca.crt","items":[{"key":"ca.crt","path":"ca.crt"}]}},
    {"downwardAPI":{"items":[{"path":"namespace","fieldRef":{"fieldPath":"metadata.namespace"}}]}}]}}]}}},
    "status":{"observedGeneration":1,"replicas":1,"readyReplicas":1,"conditions":[
    {"type":"Available","status":"True"}]}})");
}

TEST(Kinds, RoundTrip) {
  ExpectKept<ConfigMap>(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},
    "data":{"a":"b\n"},"immutable":true})");
  ExpectKept<ServiceAccount>(R"({"apiVersion":"v1","kind":"ServiceAccount",
    "metadata":{"name":"s"},"automountServiceAccountToken":false})");
  ExpectKept<Service>(R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{
    "clusterIP":"None","selector":{"a":"b"},"ports":[{"name":"m","port":10259,"targetPort":"https"}]}})");
  ExpectKept<ControllerRevision>(R"({"apiVersion":"apps/v1","kind":"ControllerRevision",
    "metadata":{"name":"r"},"data":{"spec":{"a":[],"b":1}},"revision":0})");
  ExpectKept<ClusterRole>(R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole",
    "metadata":{"name":"r"},"rules":[{"apiGroups":[""],"resources":["pods"],"resourceNames":["x"],
    "verbs":["get"]},{"nonResourceURLs":["/metrics"],"verbs":["get"]}],
    "aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"a":"b"}}]}})");
  ExpectKept<ClusterRoleBinding>(R"({"apiVersion":"rbac.authorization.k8s.io/v1",
    "kind":"ClusterRoleBinding","metadata":{"name":"r"},"roleRef":{"apiGroup":
    "rbac.authorization.k8s.io","kind":"ClusterRole","name":"r"},"subjects":[{"kind":
    "ServiceAccount","namespace":"ns","name":"s"}]})");
  ExpectKept<Lease>(
      R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l"},
    "spec":{"holderIdentity":"me","leaseDurationSeconds":15,"acquireTime":
    "2026-01-01T00:00:00.000001Z","renewTime":"2026-01-01T00:00:02.500000Z","leaseTransitions":0}})");
  ExpectKept<PodDisruptionBudget>(R"({"apiVersion":"policy/v1","kind":"PodDisruptionBudget",
    "metadata":{"name":"p"},"spec":{"maxUnavailable":0,"selector":{}},
    "status":{"disruptionsAllowed":1,"disruptedPods":{"a":"2026-01-01T00:00:00Z"}}})");
  ExpectKept<Eviction>(R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"},
    "deleteOptions":{"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"uid":"u"}}})");
  ExpectKept<ResourceQuota>(R"({"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q"},
    "spec":{"hard":{"pods":"1k"},"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass",
    "operator":"In","values":["system-cluster-critical"]}]}}})");
  ExpectKept<NetworkPolicy>(R"({"apiVersion":"networking.k8s.io/v1","kind":"NetworkPolicy",
    "metadata":{"name":"n"},"spec":{"podSelector":{},"policyTypes":["Egress"],"egress":[{"ports":
    [{"protocol":"TCP","port":443}],"to":[{"ipBlock":{"cidr":"10.0.0.0/8"}}]}]}})");
  ExpectKept<EndpointSlice>(R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",
    "metadata":{"name":"kubernetes"},"ports":[{"name":"https","protocol":"TCP","port":6443}]})");
  ExpectKept<events::Event>(
      R"({"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e"},
    "eventTime":"2026-01-01T00:00:00.000001Z","reportingController":"s","reportingInstance":"s-1",
    "action":"Binding","reason":"Scheduled","regarding":{"kind":"Pod","name":"p"},"note":"n",
    "series":{"count":2,"lastObservedTime":"2026-01-01T00:00:01.000000Z"},"type":"Normal"})");
  ExpectKept<TokenRequest>(R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest",
    "metadata":{"name":"s"},"spec":{"audiences":["a"],"expirationSeconds":600},"status":{"token":"t"}})");
  ExpectKept<ValidatingAdmissionPolicy>(R"({"apiVersion":"admissionregistration.k8s.io/v1",
    "kind":"ValidatingAdmissionPolicy","metadata":{"name":"p"},"spec":{"failurePolicy":"Fail",
    "matchConstraints":{"resourceRules":[{"apiGroups":["berth.dev"],"apiVersions":["*"],
    "operations":["CREATE"],"resources":["schedulerprofiles"]}]},"variables":[{"name":"x",
    "expression":"1"}],"validations":[{"expression":"true","messageExpression":"'m'"}]}})");
}

TEST(CustomResourceDefinition, RoundTripsWithARecursiveSchema) {
  const auto crd = ExpectKept<CustomResourceDefinition>(R"({"apiVersion":"apiextensions.k8s.io/v1",
    "kind":"CustomResourceDefinition","metadata":{"name":"as.b.c"},"spec":{"group":"b.c",
    "names":{"kind":"A","plural":"as","shortNames":["a"]},"scope":"Cluster","versions":[{
    "name":"v1","served":true,"storage":false,"subresources":{"status":{}},
    "additionalPrinterColumns":[{"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}],
    "schema":{"openAPIV3Schema":{"type":"object","required":["spec"],"properties":{"spec":{
    "type":"object","default":{},"properties":{"list":{"type":"array","maxItems":4,
    "x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],"items":{"type":"object",
    "properties":{"name":{"type":"string","enum":["a","b"],"minLength":0}}}},
    "any":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
    "port":{"x-kubernetes-int-or-string":true},
    "map":{"type":"object","additionalProperties":{"type":"string","maxLength":3}}},
    "x-kubernetes-validations":[{"rule":"true","message":"m"}]}}}}}]}})");
  const JsonSchemaProps& spec =
      crd.spec.versions[0].schema.open_api_v3_schema->properties.at("spec");
  EXPECT_EQ(spec.properties.at("list").items->properties.at("name").enum_[1].text, "\"b\"");
}

TEST(Volumes, KeepSchedulerFields) {
  ExpectKept<PersistentVolume>(R"({"apiVersion":"v1","kind":"PersistentVolume",
    "metadata":{"name":"v"},"spec":{"capacity":{"storage":"5Gi"},"accessModes":["ReadWriteOnce"],
    "claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim","namespace":"ns","name":"c",
    "uid":"u"},"storageClassName":"fast","volumeMode":"Block","nodeAffinity":{"required":{
    "nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["a"]}]}]}},
    "csi":{"driver":"d","volumeHandle":"h"}},"status":{"phase":"Bound"}})");
  ExpectKept<PersistentVolumeClaim>(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim",
    "metadata":{"name":"c","namespace":"ns"},"spec":{"accessModes":["ReadWriteOncePod"],"selector":
    {"matchLabels":{"a":"b"}},"resources":{"requests":{"storage":"1Gi"}},"volumeName":"v",
    "storageClassName":"fast","volumeMode":"Block","volumeAttributesClassName":"gold"},
    "status":{"phase":"Bound"}})");
  ExpectKept<StorageClass>(R"({"apiVersion":"storage.k8s.io/v1","kind":"StorageClass",
    "metadata":{"name":"fast"},"provisioner":"d","volumeBindingMode":"WaitForFirstConsumer",
    "allowedTopologies":[{"matchLabelExpressions":[{"key":"zone","values":["a"]}]}]})");
  ExpectKept<CsiNode>(R"({"apiVersion":"storage.k8s.io/v1","kind":"CSINode","metadata":{"name":"n"},
    "spec":{"drivers":[{"name":"d","nodeID":"n","topologyKeys":["zone"],
    "allocatable":{"count":4}}]}})");
  ExpectKept<CsiDriver>(R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIDriver",
    "metadata":{"name":"d"},"spec":{"storageCapacity":true,
    "preventPodSchedulingIfMissing":true}})");
  ExpectKept<CsiStorageCapacity>(R"({"apiVersion":"storage.k8s.io/v1","kind":"CSIStorageCapacity",
    "metadata":{"name":"s","namespace":"ns"},"nodeTopology":{"matchLabels":{"zone":"a"}},
    "storageClassName":"fast","capacity":"10Gi","maximumVolumeSize":"5Gi"})");
  ExpectKept<VolumeAttachment>(R"({"apiVersion":"storage.k8s.io/v1","kind":"VolumeAttachment",
    "metadata":{"name":"a"},"spec":{"attacher":"d","nodeName":"n",
    "source":{"persistentVolumeName":"v"}}})");
}

TEST(Volumes, PreferTheLegacyClassAnnotationToTheField) {
  PersistentVolumeClaim claim;
  EXPECT_EQ(StorageClassOf(claim), "");
  claim.spec.storage_class_name = "field";
  EXPECT_EQ(StorageClassOf(claim), "field");
  claim.metadata.annotations["volume.beta.kubernetes.io/storage-class"] = "annotation";
  EXPECT_EQ(StorageClassOf(claim), "annotation");
}

}  // namespace
}  // namespace berth::api
