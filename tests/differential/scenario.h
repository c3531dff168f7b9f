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

// What is done to a cluster, read from a file of tests/differential/scenarios. README.md explains
// the format.
namespace berth::differential {

// ObjectName is where an object is found. The kind is in small letters, as
// integration::ApiAccess::PathOf takes it.
struct ObjectName {
  std::string kind, ns, name;  // `ns` is empty for what belongs to the whole cluster

  auto operator<=>(const ObjectName&) const = default;
};

// Operation is one thing asked of the API server.
struct Operation {
  enum class Verb : uint8_t { kCreate, kPatch, kDelete };

  Verb verb;
  ObjectName target;
  Json body;                     // the object without its status, or a JSON merge patch
  std::string subresource = {};  // of a patch
  Json status = {};              // of a new object: set once it is there
};

// Change is what a step does to objects: first to the cluster (nodes, pods that have a node, other
// objects), then to the pods that wait. Between the two the scheduler learns of the first.
struct Change {
  std::vector<Operation> cluster, pods;
};

// Kubelet is what those of all nodes do now.
enum class Kubelet : uint8_t {
  kRun,  // pods that were bound run
  kEnd,  // pods that are being deleted go
};

// Controller is what those of volumes do now (controller.h).
enum class Controller : uint8_t {
  kClaim,      // ephemeral volumes get their claims
  kProvision,  // claims get volumes where a provisioner has to make them
  kBind,       // volumes and claims that name each other are bound
};

enum class Control : uint8_t { kStop, kStart, kRestart };  // of the scheduler's process

// Awaited is a state of a pod: "bound", "pending", "refused", "deleting" or "gone"; or a part of its
// condition's message. Of a claim it is "claimed", once a volume is for it, or "selected", once it
// has a node.
struct Awaited {
  std::string state, message;
};
using Wait = std::map<std::string, Awaited>;  // by pod, or by kClaimPrefix and claim

// What a claim is called where pods are named.
constexpr std::string_view kClaimPrefix = "PersistentVolumeClaim/";

// ScenarioExtender is one of the extenders of a scenario, until a step gives it other answers.
struct ScenarioExtender {
  std::string name;  // what its URL ends with
  Json config;       // of the KubeSchedulerConfiguration, without urlPrefix
  ExtenderAnswers answers;
};

// NewAnswers are those that extenders have from now on, by name; other verbs stay as they are.
using NewAnswers = std::map<std::string, ExtenderAnswers>;

struct Step {
  std::string name;  // "create", "wait", ...
  std::variant<Change, std::vector<Kubelet>, std::vector<Controller>, Control, NewAnswers, Wait>
      action;
  Wait then = {};  // what is waited for before anybody looks
};

// Repeats says whether it counts how often a pod was tried with the same outcome. It does not where
// time alone has the pod tried again.
enum class Repeats : uint8_t { kCounted, kFree };

struct Scenario {
  std::string area;  // its folder
  std::string name;  // its file
  std::string summary;
  Json profile;  // null: the default one
  // Extenders hear of all pods of a scheduler, so that a scenario with some has one of its own.
  std::vector<ScenarioExtender> extenders;
  std::vector<std::string> namespaces;
  std::vector<Step> steps;
  // By pod: where it has to be in the end: nodes of which any will do, "pending" or "gone". Where
  // there are several, the schedulers may choose differently. By kClaimPrefix and claim: the volume
  // that is for it, or "unbound".
  std::map<std::string, std::vector<std::string>> expect;
  Repeats repeats = Repeats::kCounted;
  bool ci = false;

  std::string title() const { return area + "/" + name; }
  // Where its pods are, and what schedules them, unless they say otherwise: a profile of its own has
  // the name of its namespace.
  std::string ns() const { return area + "-" + name; }
  std::string scheduler_name() const { return profile.is_null() ? "default-scheduler" : ns(); }
};

// ParseScenario reads the text of a file. Errors (kConfig) name the field.
Result<Scenario> ParseScenario(std::string_view text, const std::string& area,
                               const std::string& name);

// ReadScenarios reads all below a folder, by area and name. Errors name the file.
Result<std::vector<Scenario>> ReadScenarios(const std::filesystem::path& folder);

}  // namespace berth::differential
