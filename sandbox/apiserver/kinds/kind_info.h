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

// Subresource is one more path below an object, with the kind that is sent to it.
struct Subresource {
  std::string name;  // "status"
  GroupVersionKind kind;
  std::vector<std::string> verbs;
  bool connects = false;  // leads on to a container, a pod or a node
};

// PrinterColumn is a column of a custom resource's table, as its CustomResourceDefinition has it.
struct PrinterColumn {
  std::string name, type, format, description, json_path;
  int priority = 0;
};

// Generation says which changes of an object metadata.generation counts. A new object has 1.
enum class Generation {
  kUncounted,  // none; a new object keeps what its client wrote
  kConstant,   // none
  kContent,    // of what is asked for: all but metadata and status
  kContentOrAnnotations,
  kContentFromNone,  // as kContent, but a new object has no generation
};

// KindInfo is everything generic code knows of a kind: how it is called, what may be done with it,
// where it is stored and what it may hold. Immutable once registered.
struct KindInfo {
  std::string group, version, kind, list_kind, plural, singular;
  bool namespaced = true;
  std::vector<std::string> verbs;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  std::vector<Subresource> subresources;

  // Collection of the store: "deployments.apps". Two group versions may share one (events).
  std::string storage;
  std::vector<std::string> selectable;  // field selectors besides name and namespace
  // How this version calls them, in the same order; "" where it does not. Empty: as above.
  std::vector<std::string> selectable_names;

  Generation generation = Generation::kUncounted;
  bool needs_version = false;   // an update must say which version it stands on
  bool made_by_update = false;  // a PUT to a name that is free makes the object
  bool custom = false;          // from a CustomResourceDefinition
  bool stored = true;           // false: reviews, which are answered and forgotten
  bool graceful = false;        // deletion waits for who runs it (pods)

  const Schema* schema = nullptr;
  std::shared_ptr<const Schema> schema_owner;  // of a custom kind; a built-in one lives forever
  std::shared_ptr<const nlohmann::json> published;  // openAPIV3Schema of a custom kind
  std::vector<PrinterColumn> columns;               // of a custom kind
  std::shared_ptr<const CustomRules> rules;         // x-kubernetes-validations of a custom kind

  std::string ApiVersion() const { return group.empty() ? version : group + "/" + version; }
  GroupResource Resource() const { return {group, plural}; }
  GroupVersionKind Gvk() const { return {group, version, kind}; }
  // The group that errors about an object's content name: events have one type for two groups.
  std::string InternalGroup() const { return storage == "events" ? std::string() : group; }
  const Subresource* FindSubresource(std::string_view name) const;
  bool HasVerb(std::string_view verb) const;
  bool HasStatus() const { return FindSubresource("status") != nullptr; }
};
using KindPtr = std::shared_ptr<const KindInfo>;

}  // namespace berth::apiserver
