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

// Selectors made ready for asking: parsed and checked once, asked often. All of them are values
// that never change after they were made, so any thread may ask. Source: apimachinery
// pkg/labels/selector.go, Requirement.Matches; component-helpers
// scheduling/corev1/nodeaffinity/nodeaffinity.go.
namespace berth::api {

// Requirement is one comparison with a label.
struct Requirement {
  enum class Operator : uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGreaterThan, kLessThan };

  std::string key;
  Operator op = Operator::kExists;
  std::vector<std::string> values;
  int64_t bound = 0;  // the number that kGreaterThan and kLessThan compare with

  // Parse checks a requirement as the API writes it and appends it, or what is wrong with it, whose
  // paths begin with `path`.
  static void Parse(const NodeSelectorRequirement& source, std::string_view path,
                    std::vector<Requirement>& out, std::vector<FieldError>& errors);

  bool Matches(const StringMap& labels) const;
  bool MatchesValue(const std::string* value) const;  // of its key; null: the label is absent
  // MatchesNumber compares a label's value for kGreaterThan or kLessThan; one that is no number
  // does not match.
  static bool MatchesNumber(Operator op, std::string_view value, int64_t bound);
  bool operator==(const Requirement&) const = default;
};

// Selector is a compiled LabelSelector: all requirements hold, or nothing ever matches.
class Selector {
 public:
  static Selector Everything() { return Selector(); }
  static Selector Nothing();

  // FromMap wants each label to have the given value. Values are not checked, as upstream does not.
  static Selector FromMap(const StringMap& labels);

  // Create compiles a LabelSelector; nullptr, an absent one, matches nothing and `{}` everything.
  // The error has upstream's text.
  static Result<Selector> Create(const LabelSelector* source);
  static Result<Selector> Create(const LabelSelector& source) { return Create(&source); }
  static Result<Selector> Create(const Rare<LabelSelector>& source) {
    return Create(source ? &*source : nullptr);
  }

  bool Matches(const StringMap& labels) const;

  // IsEmpty: there are no requirements, so everything matches. IsNothing is the opposite end; it
  // has none either, but is not empty.
  bool IsEmpty() const { return !nothing_ && requirements_.empty(); }
  bool IsNothing() const { return nothing_; }

  const std::vector<Requirement>& requirements() const { return requirements_; }

  // Add demands one thing more; nothing stays nothing.
  void Add(Requirement requirement);

  bool operator==(const Selector&) const = default;

 private:
  std::vector<Requirement> requirements_;
  bool nothing_ = false;
};

// CompiledTerm is a NodeSelectorTerm that has at least one requirement. One that did not parse has
// errors and matches no node.
struct CompiledTerm {
  struct FieldRequirement {
    std::string key;  // "metadata.name" is the only field nodes have
    bool equal = true;
    std::string value;
    bool operator==(const FieldRequirement&) const = default;
  };

  std::vector<Requirement> labels;
  std::vector<FieldRequirement> fields;
  std::vector<FieldError> errors;

  static CompiledTerm Create(const NodeSelectorTerm& source, std::string_view path);

  // Matches asks about a node. A node without a name is made up, and its fields are not looked at.
  bool Matches(const StringMap& node_labels, std::string_view node_name) const;
  bool operator==(const CompiledTerm&) const = default;
};

// CompiledNodeSelector holds when any of its terms does. Terms without requirements are dropped;
// without terms it matches no node.
class CompiledNodeSelector {
 public:
  // Terms that do not parse are kept for Match to report.
  static CompiledNodeSelector Create(const NodeSelector& source);

  // Match gives the parse errors only if no good term matches, as upstream.
  Result<bool> Match(const StringMap& node_labels, std::string_view node_name) const;

  // Matches takes an error for no match, as most plugins do.
  bool Matches(const StringMap& node_labels, std::string_view node_name) const;

  const std::vector<CompiledTerm>& terms() const { return terms_; }

  // Errors are those of all terms; for configuration, where one bad term is refused.
  std::vector<FieldError> Errors() const;

  bool operator==(const CompiledNodeSelector&) const = default;

 private:
  std::vector<CompiledTerm> terms_;
};

// PreferredTerms is a compiled list of PreferredSchedulingTerm. Terms of weight 0 and without
// requirements are dropped unread.
class PreferredTerms {
 public:
  struct Weighted {
    CompiledTerm term;
    int32_t weight = 0;
  };

  // Create fails as a whole when any term does not parse.
  static Result<PreferredTerms> Create(const std::vector<PreferredSchedulingTerm>& source,
                                       std::string_view path = {});

  // Score is the sum of the weights of the terms that match.
  int64_t Score(const StringMap& node_labels, std::string_view node_name) const;

  const std::vector<Weighted>& terms() const { return terms_; }

 private:
  std::vector<Weighted> terms_;
};

}  // namespace berth::api
