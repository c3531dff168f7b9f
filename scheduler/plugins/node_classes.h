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
#include "scheduler/plugins/expression.h"

namespace berth::scheduler {

// NodeClass is nodes for which what an expression reads of a node alone comes to the same: these
// values. The expression gives one value for all of them, whatever the pod.
struct NodeClass {
  uint32_t id = 0;      // small; given to another kind when this one has no node any more
  uint64_t serial = 0;  // never given again, and not 0
  std::span<const cel::Value> values;
};

// NodeClasses sorts nodes into kinds for one expression: what reads the node alone is evaluated once
// for each object of a node, and what reads the pod, too, once for each kind. Five thousand nodes
// have few values of a label, and few lengths of a name. Owned by the scheduling thread.
class NodeClasses {
 public:
  NodeClasses() = default;
  NodeClasses(NodeClasses&&) = default;

  // Of gives the node's kind, which is good until a node is asked about that has changed. Nothing:
  // the budget ran out. Requires: always the same expression.
  std::optional<NodeClass> Of(const NodeInfo& node, const Expression& expression,
                              cel::Budget& budget) {
    if (node.slot < places_.size() && IsSame(places_[node.slot].node, node.node)) {
      return places_[node.slot].kind;
    }
    return Sort(node, expression, budget);
  }

  size_t size() const { return kinds_.size(); }

 private:
  // Members is a kind as it is kept.
  struct Members {
    uint32_t id = 0;
    uint64_t serial = 0;
    std::vector<cel::Value> values;
    std::shared_ptr<const api::Node> node;  // that the values may be views of
    uint32_t nodes = 0;                     // how many there are
    const std::string* key = nullptr;       // by which it is found
  };
  // The object itself is not held, only its place in memory: as long as that is so, no other object
  // can be taken for it. Most of the time nothing further is looked at, so the kind stands here.
  struct Place {
    std::weak_ptr<const api::Node> node;
    NodeClass kind;
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
  std::unordered_map<std::string, Members> kinds_;
  std::vector<uint32_t> free_ids_;
  uint64_t last_serial_ = 0;
};

// ByClass is what was found out about kinds of nodes during an attempt.
template <class T>
class ByClass {
 public:
  // Of gives what is known of a kind, or what `make` finds out.
  template <class Make>
  const T& Of(const NodeClass& kind, Make&& make) {
    if (kind.id >= answers_.size()) answers_.resize(kind.id + 1);
    auto& [serial, answer] = answers_[kind.id];
    if (serial != kind.serial) {
      answer = std::forward<Make>(make)();
      serial = kind.serial;
    }
    return answer;
  }

 private:
  std::vector<std::pair<uint64_t, T>> answers_;  // by id, with the serial they belong to
};

}  // namespace berth::scheduler
