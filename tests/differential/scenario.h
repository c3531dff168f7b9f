// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "tests/differential/extender_answers.h"

// The steps for a cluster, read from a file of tests/differential/scenarios. README.md explains the
// format.
namespace berth::differential {

// The kind of PodGroups in ObjectName.
constexpr std::string_view kGroupKind = "podgroup.scheduling.k8s.io";

// ObjectName identifies an object. The kind is in lower case, as for
// integration::ApiAccess::PathOf.
struct ObjectName {
  std::string kind, ns, name;  // `ns` is empty for cluster-scoped objects

  auto operator<=>(const ObjectName&) const = default;
};

// Operation is one request to the API server.
struct Operation {
  enum class Verb : uint8_t { kCreate, kPatch, kDelete };

  Verb verb;
  ObjectName target;
  Json body;                     // the object without its status, or a JSON merge patch
  std::string subresource = {};  // for a patch
  Json status = {};              // for a new object: set after its creation
};

// Change holds the operations of a step: first for the cluster (nodes, pods with a node, other
// objects), then for the pending pods. In between the scheduler receives the first ones.
struct Change {
  std::vector<Operation> cluster, pods;
};

// Kubelet selects the current behavior of all kubelets.
enum class Kubelet : uint8_t {
  kRun,  // bound pods run
  kEnd,  // terminating pods are removed
};

// Controller selects the current behavior of the volume controllers (controller.h).
enum class Controller : uint8_t {
  kClaim,      // ephemeral volumes get their claims
  kProvision,  // claims with a provisioner get volumes
  kBind,       // volumes and claims that refer to each other are bound
};

enum class Control : uint8_t { kStop, kStart, kRestart };  // for the scheduler's process

// Awaited is a state of a pod: "bound", "pending", "refused", "deleting" or "gone"; or a part of
// its condition's message. A claim is "claimed" once a volume refers to it, or "selected" once it
// has a node. A group is "scheduled" or "refused" as its condition says.
struct Awaited {
  std::string state, message;
};
using Wait = std::map<std::string, Awaited>;  // by pod, or by a prefix and the claim or group

// The prefixes of claims and groups in maps by pod.
constexpr std::string_view kClaimPrefix = "PersistentVolumeClaim/";
constexpr std::string_view kGroupPrefix = "PodGroup/";

// ScenarioExtender is an extender of a scenario with its initial responses.
struct ScenarioExtender {
  std::string name;  // the end of its URL
  Json config;       // for the KubeSchedulerConfiguration, without urlPrefix
  ExtenderAnswers answers;
};

// NewAnswers are the new responses of extenders, by name; other verbs keep theirs.
using NewAnswers = std::map<std::string, ExtenderAnswers>;

struct Step {
  std::string name;  // "create", "wait", ...
  std::variant<Change, std::vector<Kubelet>, std::vector<Controller>, Control, NewAnswers, Wait>
      action;
  Wait then = {};  // the state to wait for before observing
};

// Repeats selects whether the number of attempts with the same outcome is compared. It is not if
// time alone causes retries.
enum class Repeats : uint8_t { kCounted, kFree };

struct Scenario {
  std::string area;  // its folder
  std::string name;  // its file
  std::string summary;
  Json profile;  // null: the default profile
  // Extenders receive all pods of a scheduler, so a scenario with extenders has its own scheduler.
  std::vector<ScenarioExtender> extenders;
  std::vector<std::string> namespaces;
  std::vector<Step> steps;
  // By pod: its final place: allowed nodes, "pending" or "gone". With several nodes, the schedulers
  // may choose differently. By kClaimPrefix and claim: the volume that refers to it, or "unbound".
  // By kGroupPrefix and group: "scheduled", "waiting" or "gone". By a name in `alike`: the places
  // of its pods, in any order.
  std::map<std::string, std::vector<std::string>> expect;
  // Names of `count` pods that are compared without their numbers: which of them gets which place
  // is undefined (alike.h).
  std::vector<std::string> alike;
  Repeats repeats = Repeats::kCounted;
  bool ci = false;

  std::string title() const { return area + "/" + name; }
  // The default namespace and scheduler of the pods: a custom profile has the name of its
  // namespace.
  std::string ns() const { return area + "-" + name; }
  std::string scheduler_name() const { return profile.is_null() ? "default-scheduler" : ns(); }
};

// Parses the text of a file. Errors (kConfig) name the field.
Result<Scenario> ParseScenario(std::string_view text, const std::string& area,
                               const std::string& name);

// Reads all files below a folder, sorted by area and name. Errors name the file.
Result<std::vector<Scenario>> ReadScenarios(const std::filesystem::path& folder);

}  // namespace berth::differential
