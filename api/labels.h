// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/affinity.h"
#include "api/field_error.h"
#include "api/meta.h"
#include "base/error.h"

// Compiled selectors: parsed and validated once, matched often. All are immutable values, so any
// thread may use them. Source: apimachinery pkg/labels/selector.go, Requirement.Matches;
// component-helpers scheduling/corev1/nodeaffinity/nodeaffinity.go.
namespace berth::api {

// Requirement is one comparison of a label.
struct Requirement {
  enum class Operator : uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGreaterThan, kLessThan };

  std::string key;
  Operator op = Operator::kExists;
  std::vector<std::string> values;
  int64_t bound = 0;  // the operand of kGreaterThan and kLessThan

  // Validates a requirement and appends it, or appends errors with paths that begin with `path`.
  static void Parse(const NodeSelectorRequirement& source, std::string_view path,
                    std::vector<Requirement>& out, std::vector<FieldError>& errors);

  bool Matches(const StringMap& labels) const;
  // the value of its key; null: the label is absent
  bool MatchesValue(const std::string* value) const;
  // Compares a label's value for kGreaterThan or kLessThan. A value that is not a number does not
  // match.
  static bool MatchesNumber(Operator op, std::string_view value, int64_t bound);
  bool operator==(const Requirement&) const = default;
};

// Selector is a compiled LabelSelector. It matches if all requirements match; the "nothing"
// selector never matches.
class Selector {
 public:
  static Selector Everything() { return Selector(); }
  static Selector Nothing();

  // Returns a selector that requires each label to have the given value. Does not validate values,
  // as upstream.
  static Selector FromMap(const StringMap& labels);

  // Compiles a LabelSelector. nullptr (absent) matches nothing, `{}` matches everything. The error
  // has upstream's text.
  static Result<Selector> Create(const LabelSelector* source);
  static Result<Selector> Create(const LabelSelector& source) { return Create(&source); }
  static Result<Selector> Create(const Rare<LabelSelector>& source) {
    return Create(source ? &*source : nullptr);
  }

  bool Matches(const StringMap& labels) const;

  // IsEmpty: no requirements, matches everything. IsNothing: matches nothing; such a selector is
  // not empty.
  bool IsEmpty() const { return !nothing_ && requirements_.empty(); }
  bool IsNothing() const { return nothing_; }

  const std::vector<Requirement>& requirements() const { return requirements_; }

  // Adds a requirement. No effect on the "nothing" selector.
  void Add(Requirement requirement);

  bool operator==(const Selector&) const = default;

 private:
  std::vector<Requirement> requirements_;
  bool nothing_ = false;
};

// CompiledTerm is a NodeSelectorTerm with at least one requirement. If parsing failed, it has
// errors and matches no node.
struct CompiledTerm {
  struct FieldRequirement {
    std::string key;  // "metadata.name" is the only supported field
    bool equal = true;
    std::string value;
    bool operator==(const FieldRequirement&) const = default;
  };

  std::vector<Requirement> labels;
  std::vector<FieldRequirement> fields;
  std::vector<FieldError> errors;

  static CompiledTerm Create(const NodeSelectorTerm& source, std::string_view path);

  // Reports whether a node matches. An empty node name means a hypothetical node; field
  // requirements are then ignored.
  bool Matches(const StringMap& node_labels, std::string_view node_name) const;
  bool operator==(const CompiledTerm&) const = default;
};

// CompiledNodeSelector matches if any of its terms matches. Terms without requirements are dropped.
// Without terms it matches no node.
class CompiledNodeSelector {
 public:
  // Keeps terms with parse errors, for Match to report.
  static CompiledNodeSelector Create(const NodeSelector& source);

  // Returns the parse errors only if no valid term matches, as upstream.
  Result<bool> Match(const StringMap& node_labels, std::string_view node_name) const;

  // Treats a parse error as no match, like most plugins.
  bool Matches(const StringMap& node_labels, std::string_view node_name) const;

  const std::vector<CompiledTerm>& terms() const { return terms_; }

  // Returns the errors of all terms; for configuration, where one invalid term is rejected.
  std::vector<FieldError> Errors() const;

  bool operator==(const CompiledNodeSelector&) const = default;

 private:
  std::vector<CompiledTerm> terms_;
};

// PreferredTerms is a compiled list of PreferredSchedulingTerm. Terms with weight 0 or without
// requirements are dropped without parsing.
class PreferredTerms {
 public:
  struct Weighted {
    CompiledTerm term;
    int32_t weight = 0;
  };

  // Fails if any term does not parse.
  static Result<PreferredTerms> Create(const std::vector<PreferredSchedulingTerm>& source,
                                       std::string_view path = {});

  // Returns the sum of the weights of the matching terms.
  int64_t Score(const StringMap& node_labels, std::string_view node_name) const;

  const std::vector<Weighted>& terms() const { return terms_; }

 private:
  std::vector<Weighted> terms_;
};

}  // namespace berth::api
