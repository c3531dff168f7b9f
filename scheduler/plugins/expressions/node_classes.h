// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/node.h"
#include "scheduler/model/node_info.h"
#include "scheduler/plugins/expressions/expression.h"

namespace berth::scheduler {

// NodeClass is an equivalence class of nodes: the node-only parts of an expression have the same
// values for all of them. So for each pod the expression has one value for the whole class.
struct NodeClass {
  uint32_t id = 0;      // small; reused once the class has no nodes
  uint64_t serial = 0;  // never reused, and not 0
  std::span<const cel::Value> values;
};

// NodeClasses groups nodes into classes for one expression. The node-only parts are evaluated once
// per Node object, the rest once per pod and class. Five thousand nodes have few distinct values of
// a label, or lengths of a name. Owned by the scheduling thread.
class NodeClasses {
 public:
  NodeClasses() = default;
  NodeClasses(NodeClasses&&) = default;

  // Returns the node's class, valid until this is called for a changed node. Returns nullopt if the
  // budget is exhausted. Requires: the same expression in every call.
  std::optional<NodeClass> Of(const NodeInfo& node, const Expression& expression,
                              cel::Budget& budget) {
    if (node.slot < places_.size() && IsSame(places_[node.slot].node, node.node)) {
      return places_[node.slot].node_class;
    }
    return Sort(node, expression, budget);
  }

  size_t size() const { return classes_.size(); }

 private:
  // Members is the stored state of a class.
  struct Members {
    uint32_t id = 0;
    uint64_t serial = 0;
    std::vector<cel::Value> values;
    std::shared_ptr<const api::Node> node;  // keeps alive what the values refer to
    uint32_t nodes = 0;                     // number of nodes in the class
    const std::string* key = nullptr;       // its key in classes_
  };
  // The weak_ptr does not keep the Node object alive, but keeps its control block allocated, so no
  // other object can compare equal. The class is copied here because most look-ups need nothing
  // else.
  struct Place {
    std::weak_ptr<const api::Node> node;
    NodeClass node_class;
    Members* members = nullptr;
  };

  static bool IsSame(const std::weak_ptr<const api::Node>& known,
                     const std::shared_ptr<const api::Node>& node) {
    return !known.owner_before(node) && !node.owner_before(known);
  }

  std::optional<NodeClass> Sort(const NodeInfo& node, const Expression& expression,
                                cel::Budget& budget);
  void Leave(Place& place);

  std::vector<Place> places_;  // by slot
  std::unordered_map<std::string, Members> classes_;
  std::vector<uint32_t> free_ids_;
  uint64_t last_serial_ = 0;
};

// ByClass caches results by node class during one attempt.
template <class T>
class ByClass {
 public:
  // Returns the cached result of a class, or calls `make` and caches its result.
  template <class Make>
  const T& Of(const NodeClass& node_class, Make&& make) {
    if (node_class.id >= answers_.size()) answers_.resize(node_class.id + 1);
    auto& [serial, answer] = answers_[node_class.id];
    if (serial != node_class.serial) {
      answer = std::forward<Make>(make)();
      serial = node_class.serial;
    }
    return answer;
  }

 private:
  std::vector<std::pair<uint64_t, T>> answers_;  // by id, with the serial of their class
};

}  // namespace berth::scheduler
