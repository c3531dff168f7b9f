// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/patch/field_set.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/schema/schema.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

bool IsBefore(const FieldSet::Node& a, const FieldSet::Node& b) { return a.element < b.element; }

}  // namespace

FieldSet FieldSet::Of(std::initializer_list<std::initializer_list<std::string_view>> fields) {
  FieldSet set;
  for (const auto& names : fields) {
    FieldPath path;
    for (const std::string_view name : names) path.push_back(PathElement::Field(std::string(name)));
    set.Insert(path);
  }
  return set;
}

size_t FieldSet::Size() const {
  size_t size = 0;
  for (const Node& node : nodes_) size += node.is_member + node.below.Size();
  return size;
}

std::vector<FieldSet::Node>::iterator FieldSet::LowerBound(const PathElement& element) {
  return std::lower_bound(
      nodes_.begin(), nodes_.end(), element,
      [](const Node& node, const PathElement& wanted) { return node.element < wanted; });
}

FieldSet::Node* FieldSet::FindMutable(const PathElement& element) {
  const auto at = LowerBound(element);
  return at != nodes_.end() && at->element == element ? &*at : nullptr;
}

const FieldSet::Node* FieldSet::Find(const PathElement& element) const {
  return const_cast<FieldSet*>(this)->FindMutable(element);
}

bool FieldSet::Has(const FieldPath& path) const {
  const FieldSet* set = this;
  for (size_t i = 0; i < path.size(); ++i) {
    const Node* node = set->Find(path[i]);
    if (node == nullptr) return false;
    if (i + 1 == path.size()) return node->is_member;
    set = &node->below;
  }
  return false;
}

void FieldSet::Insert(const FieldPath& path) {
  FieldSet* set = this;
  for (size_t i = 0; i < path.size(); ++i) {
    auto node = set->LowerBound(path[i]);
    if (node == set->nodes_.end() || node->element != path[i])
      node = set->nodes_.insert(node, Node{path[i], false, {}});
    if (i + 1 == path.size()) node->is_member = true;
    set = &node->below;
  }
}

void FieldSet::Append(PathElement element, bool is_member, FieldSet below) {
  if (is_member || !below.Empty())
    nodes_.push_back(Node{std::move(element), is_member, std::move(below)});
}

void FieldSet::Normalize() {
  if (!std::is_sorted(nodes_.begin(), nodes_.end(), IsBefore))
    std::sort(nodes_.begin(), nodes_.end(), IsBefore);
}

void FieldSet::Compact() {
  std::erase_if(nodes_, [](const Node& node) { return !node.is_member && node.below.Empty(); });
}

void FieldSet::Unite(const FieldSet& other) {
  const auto known = static_cast<std::ptrdiff_t>(nodes_.size());
  size_t at = 0;
  for (const Node& theirs : other.nodes_) {
    while (at < static_cast<size_t>(known) && nodes_[at].element < theirs.element) ++at;
    if (at < static_cast<size_t>(known) && nodes_[at].element == theirs.element) {
      nodes_[at].is_member |= theirs.is_member;
      nodes_[at].below.Unite(theirs.below);
    } else {
      nodes_.push_back(theirs);
    }
  }
  std::inplace_merge(nodes_.begin(), nodes_.begin() + known, nodes_.end(), IsBefore);
}

bool FieldSet::Subtract(const FieldSet& other) {
  bool is_changed = false;
  for (const Node& theirs : other.nodes_) {
    Node* ours = FindMutable(theirs.element);
    if (ours == nullptr) continue;
    is_changed |= theirs.is_member && ours->is_member;
    if (theirs.is_member) ours->is_member = false;
    is_changed |= ours->below.Subtract(theirs.below);
  }
  if (is_changed) Compact();
  return is_changed;
}

void FieldSet::SubtractRecursively(const FieldSet& other) {
  for (const Node& theirs : other.nodes_) {
    Node* ours = FindMutable(theirs.element);
    if (ours == nullptr) continue;
    if (theirs.is_member) {
      *ours = Node{theirs.element, false, {}};
    } else {
      ours->below.SubtractRecursively(theirs.below);
    }
  }
  Compact();
}

FieldSet FieldSet::Intersection(const FieldSet& other) const {
  FieldSet both;
  for (const Node& ours : nodes_) {
    if (const Node* theirs = other.Find(ours.element))
      both.Append(ours.element, ours.is_member && theirs->is_member,
                  ours.below.Intersection(theirs->below));
  }
  return both;
}

FieldSet FieldSet::WithNamedFields(const Schema& schema) const {
  FieldSet set;
  for (const Node& node : nodes_) {
    const Schema* below = schema.items.schema;
    bool is_named = false;
    if (node.element.kind() == PathElement::Kind::kField) {
      below = schema.TypeOf(node.element.text());
      is_named = schema.FindProperty(node.element.text()) != nullptr;
    }
    set.Append(node.element, node.is_member || (is_named && !node.below.Empty()),
               below == nullptr ? node.below : node.below.WithNamedFields(*below));
  }
  return set;
}

bool FieldSet::FollowSchema(const Schema& schema) {
  bool is_changed = false;
  for (Node& node : nodes_) {
    if (node.below.Empty()) continue;
    const Schema* type = node.element.kind() == PathElement::Kind::kField
                             ? schema.TypeOf(node.element.text())
                             : schema.items.schema;
    if (type == nullptr) continue;
    const bool is_atomic =
        (type->type == ValueType::kObject && type->map_type == MapType::kAtomic) ||
        (type->type == ValueType::kArray && type->list_type == ListType::kAtomic);
    if (is_atomic) {
      node.is_member = true;
      node.below = FieldSet();
      is_changed = true;
    } else {
      is_changed |= node.below.FollowSchema(*type);
    }
  }
  return is_changed;
}

void FieldSet::Visit(FieldPath* prefix, const std::function<void(const FieldPath&)>& visit) const {
  for (const Node& node : nodes_) {
    if (!node.is_member) continue;
    prefix->push_back(node.element);
    visit(*prefix);
    prefix->pop_back();
  }
  for (const Node& node : nodes_) {
    prefix->push_back(node.element);
    node.below.Visit(prefix, visit);
    prefix->pop_back();
  }
}

void FieldSet::ForEach(const std::function<void(const FieldPath&)>& visit) const {
  FieldPath prefix;
  Visit(&prefix, visit);
}

Result<FieldSet> FieldSet::Parse(const json& fields) {
  if (!fields.is_object()) return Fail(Reason::kInvalid, "fieldsV1 must be an object");
  FieldSet set;
  set.nodes_.reserve(fields.size());
  for (auto at = fields.begin(); at != fields.end(); ++at) {
    if (at.key() == ".") continue;  // handled by the caller: the path itself is a member
    std::optional<PathElement> element = PathElement::Parse(at.key());
    if (!element)
      return Fail(Reason::kInvalid, "fieldsV1: " + Quoted(at.key()) +
                                        " is not a path element; allowed are f:, k:, v: and i:");
    BERTH_TRY(FieldSet below, Parse(*at));
    const bool is_member = below.Empty() || at->contains(".");
    set.Append(std::move(*element), is_member, std::move(below));
  }
  set.Normalize();
  return set;
}

json FieldSet::ToJson() const {
  json fields = json::object();
  for (const Node& node : nodes_) {
    json below = node.below.ToJson();
    if (node.is_member && !node.below.Empty()) below["."] = json::object();
    fields[node.element.Wire()] = std::move(below);
  }
  return fields;
}

bool FieldSet::operator==(const FieldSet& other) const { return nodes_ == other.nodes_; }

}  // namespace berth::apiserver
