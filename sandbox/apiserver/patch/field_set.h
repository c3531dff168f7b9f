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

// FieldSet is a set of paths into a document, stored as a tree of sorted vectors. A path can be a
// member without the paths below it, and vice versa. The operations match structured-merge-diff,
// fieldpath.Set. A value type.
//
// Invariant: every node is a member or has a member below it.
class FieldSet {
 public:
  struct Node;

  FieldSet() = default;
  static FieldSet Of(std::initializer_list<std::initializer_list<std::string_view>> fields);

  bool Empty() const { return nodes_.empty(); }
  size_t Size() const;  // number of members
  bool Has(const FieldPath& path) const;
  const Node* Find(const PathElement& element) const;
  const std::vector<Node>& nodes() const { return nodes_; }

  void Insert(const FieldPath& path);
  // Appends a node behind all others, the fast way to build a set in order. Drops a node that is
  // not a member and has none below it. Normalize sorts nodes that were appended out of order.
  void Append(PathElement element, bool is_member, FieldSet below);
  void Normalize();

  void Unite(const FieldSet& other);
  // Removes the members of `other`, but not the paths below them. Returns whether there were any.
  bool Subtract(const FieldSet& other);
  // Removes the members of `other` and all paths below them.
  void SubtractRecursively(const FieldSet& other);
  FieldSet Intersection(const FieldSet& other) const;

  // Returns the set with the declared fields above its members. They are not listed, and they are
  // removed with the last member below them.
  FieldSet WithNamedFields(const Schema& schema) const;

  // Adapts a set recorded under an older schema: of a value that is atomic now, only the whole can
  // be owned. Returns whether the set changed.
  bool FollowSchema(const Schema& schema);

  // Visits the members: first all of one level in order, then those below each.
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
