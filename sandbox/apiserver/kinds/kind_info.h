// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/status_error.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {

class CustomRules;

// Subresource is one path below an object, with the kind of its documents.
struct Subresource {
  std::string name;  // "status"
  GroupVersionKind kind;
  std::vector<std::string> verbs;
  bool connects = false;  // a connection to a container, pod or node
};

// PrinterColumn is a column of a custom resource's table, from its CustomResourceDefinition.
struct PrinterColumn {
  std::string name, type, format, description, json_path;
  int priority = 0;
};

// Generation selects the changes that increment metadata.generation. A new object has 1.
enum class Generation {
  kUncounted,  // none; a new object keeps the client's value
  kConstant,   // none
  kContent,    // the desired state: everything except metadata and status
  kContentOrAnnotations,
  kContentFromNone,  // like kContent, but a new object has no generation
};

// KindInfo describes a kind for generic code: its names, verbs, storage and schema. Immutable once
// registered.
struct KindInfo {
  std::string group, version, kind, list_kind, plural, singular;
  bool namespaced = true;
  std::vector<std::string> verbs;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  std::vector<Subresource> subresources;

  // The collection in the store: "deployments.apps". Two group versions may share one (events).
  std::string storage;
  std::vector<std::string> selectable;  // field selectors besides name and namespace
  // Names of `selectable` in this version, in the same order; "" for a field that it lacks. Empty:
  // the same names.
  std::vector<std::string> selectable_names;

  Generation generation = Generation::kUncounted;
  bool needs_version = false;   // an update must have a resourceVersion
  bool made_by_update = false;  // a PUT to a free name creates the object
  bool custom = false;          // from a CustomResourceDefinition
  bool stored = true;           // false: reviews, which are answered and not stored
  bool graceful = false;        // deletion waits for the kubelet (pods)

  const Schema* schema = nullptr;
  std::shared_ptr<const Schema> schema_owner;       // of a custom kind
  std::shared_ptr<const nlohmann::json> published;  // openAPIV3Schema of a custom kind
  std::vector<PrinterColumn> columns;               // of a custom kind
  std::shared_ptr<const CustomRules> rules;         // x-kubernetes-validations of a custom kind

  std::string ApiVersion() const { return group.empty() ? version : group + "/" + version; }
  GroupResource Resource() const { return {group, plural}; }
  GroupVersionKind Gvk() const { return {group, version, kind}; }
  // The group in errors about an object's content: events have one type for two groups.
  std::string InternalGroup() const { return storage == "events" ? std::string() : group; }
  const Subresource* FindSubresource(std::string_view name) const;
  bool HasVerb(std::string_view verb) const;
  bool HasStatus() const { return FindSubresource("status") != nullptr; }
};
using KindPtr = std::shared_ptr<const KindInfo>;

}  // namespace berth::apiserver
