// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "sandbox/apiserver/patch/path_element.h"

namespace berth::apiserver {

struct Schema;

// FieldSet is a set of paths into a document, kept as a tree of sorted vectors. A path can be in
// the set without the paths below it, and the other way round. Source: structured-merge-diff,
// fieldpath.Set; the operations mean what they mean there. A value.
//
// Invariant: no node is there that is neither a member nor above one.
class FieldSet {
 public:
  struct Node;

  FieldSet() = default;
  static FieldSet Of(std::initializer_list<std::initializer_list<std::string_view>> fields);

  bool Empty() const { return nodes_.empty(); }
  size_t Size() const;  // how many members
  bool Has(const FieldPath& path) const;
  const Node* Find(const PathElement& element) const;
  const std::vector<Node>& nodes() const { return nodes_; }

  void Insert(const FieldPath& path);
  // Append puts a node behind all others, the fast way to build a set in order. A node that is
  // neither a member nor above one is left out. Normalize sorts what was appended out of order.
  void Append(PathElement element, bool is_member, FieldSet below);
  void Normalize();

  void Unite(const FieldSet& other);
  // Subtract takes away the members of `other`; what is below them stays. True if there were any.
  bool Subtract(const FieldSet& other);
  // SubtractRecursively takes away the members of `other` and all below them.
  void SubtractRecursively(const FieldSet& other);
  FieldSet Intersection(const FieldSet& other) const;

  // WithNamedFields adds the fields that stand above members and that the schema declares: no one
  // lists them, and they go when all below them goes.
  FieldSet WithNamedFields(const Schema& schema) const;

  // FollowSchema adapts a set that was recorded under an older schema: of what is atomic now, only
  // the whole is owned. True if that changed anything.
  bool FollowSchema(const Schema& schema);

  // ForEach visits the members: those at a level in order, then what is below each.
  void ForEach(const std::function<void(const FieldPath&)>& visit) const;

  // The wire form FieldsV1: {"f:spec":{"f:replicas":{}}}. Parse errors name the entry (kInvalid).
  static Result<FieldSet> Parse(const nlohmann::json& fields);
  nlohmann::json ToJson() const;

  bool operator==(const FieldSet&) const;

 private:
  std::vector<Node>::iterator LowerBound(const PathElement& element);
  Node* FindMutable(const PathElement& element);
  void Compact();
  void Visit(FieldPath* prefix, const std::function<void(const FieldPath&)>& visit) const;

  std::vector<Node> nodes_;
};

struct FieldSet::Node {
  PathElement element;
  bool is_member = false;
  FieldSet below;

  bool operator==(const Node&) const = default;
};

}  // namespace berth::apiserver
