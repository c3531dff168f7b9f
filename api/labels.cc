// SPDX-License-Identifier: Apache-2.0
#include "api/labels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/json/json.h"
#include "base/names.h"
#include "base/strings.h"

namespace berth::api {
namespace {

struct OperatorName {
  std::string_view name;
  Requirement::Operator op;
};

// In the order of upstream's messages. The last two are for nodes only.
constexpr std::array kOperators = {
    OperatorName{"In", Requirement::Operator::kIn},
    OperatorName{"NotIn", Requirement::Operator::kNotIn},
    OperatorName{"Exists", Requirement::Operator::kExists},
    OperatorName{"DoesNotExist", Requirement::Operator::kDoesNotExist},
    OperatorName{"Gt", Requirement::Operator::kGreaterThan},
    OperatorName{"Lt", Requirement::Operator::kLessThan},
};
constexpr std::array<std::string_view, 6> kOperatorNames = {"In",           "NotIn", "Exists",
                                                            "DoesNotExist", "Gt",    "Lt"};
constexpr std::array<std::string_view, 2> kFieldOperatorNames = {"In", "NotIn"};

std::optional<Requirement::Operator> ParseOperator(std::string_view name) {
  for (const OperatorName& known : kOperators) {
    if (known.name == name) return known.op;
  }
  return std::nullopt;
}

// Parses like Go's ParseInt in base 10: an optional sign and digits, within 64 bits.
std::optional<int64_t> ParseInteger(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  int64_t number = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Prints a list like upstream; an absent list is null.
std::string ListText(const std::vector<std::string>& values) {
  return values.empty() ? "null" : json::Encode(values);
}

void CheckValueCount(const Requirement& requirement, const std::string& path,
                     std::vector<FieldError>& errors) {
  const size_t count = requirement.values.size();
  const auto wrong = [&](std::string detail) {
    errors.push_back(
        FieldError::InvalidJson(path, ListText(requirement.values), std::move(detail)));
  };
  switch (requirement.op) {
    case Requirement::Operator::kIn:
    case Requirement::Operator::kNotIn:
      if (count == 0) wrong("for 'in', 'notin' operators, values set can't be empty");
      return;
    case Requirement::Operator::kExists:
    case Requirement::Operator::kDoesNotExist:
      if (count != 0) wrong("values set must be empty for exists and does not exist");
      return;
    case Requirement::Operator::kGreaterThan:
    case Requirement::Operator::kLessThan:
      if (count != 1) wrong("for 'Gt', 'Lt' operators, exactly one value is required");
      return;
  }
}

// Appends the errors of the requirement and sets its bound.
void Check(Requirement& requirement, std::string_view path, std::vector<FieldError>& errors) {
  if (const auto wrong = CheckQualifiedName(requirement.key); !wrong.empty()) {
    errors.push_back(FieldError::Invalid(Child(path, "key"), requirement.key, Join(wrong, "; ")));
  }
  const std::string values_path = Child(path, "values");
  CheckValueCount(requirement, values_path, errors);
  const bool compares = requirement.op == Requirement::Operator::kGreaterThan ||
                        requirement.op == Requirement::Operator::kLessThan;
  for (size_t i = 0; compares && i < requirement.values.size(); ++i) {
    if (const auto number = ParseInteger(requirement.values[i])) {
      requirement.bound = *number;
    } else {
      errors.push_back(
          FieldError::Invalid(Index(values_path, i), requirement.values[i],
                              "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
  }
  for (size_t i = 0; i < requirement.values.size(); ++i) {
    const auto wrong = CheckLabelValue(requirement.values[i]);
    if (wrong.empty()) continue;
    errors.push_back(FieldError::Invalid(Index(values_path, i) + "[" + requirement.key + "]",
                                         requirement.values[i], Join(wrong, "; ")));
  }
}

void ParseField(const NodeSelectorRequirement& source, std::string_view path, CompiledTerm& term) {
  if (source.op != "In" && source.op != "NotIn") {
    term.errors.push_back(
        FieldError::NotSupported(Child(path, "operator"), source.op, kFieldOperatorNames));
  } else if (source.values.size() != 1) {
    term.errors.push_back(FieldError::InvalidJson(Child(path, "values"), ListText(source.values),
                                                  "must have one element"));
  } else {
    term.fields.push_back({source.key, source.op == "In", source.values.front()});
  }
}

bool IsBlank(const NodeSelectorTerm& term) {
  return term.match_expressions.empty() && term.match_fields.empty();
}

}  // namespace

void Requirement::Parse(const NodeSelectorRequirement& source, std::string_view path,
                        std::vector<Requirement>& out, std::vector<FieldError>& errors) {
  const auto op = ParseOperator(source.op);
  if (!op) {
    errors.push_back(FieldError::NotSupported(Child(path, "operator"), source.op, kOperatorNames));
    return;
  }
  Requirement requirement{.key = source.key, .op = *op, .values = source.values};
  const size_t before = errors.size();
  Check(requirement, path, errors);
  if (errors.size() == before) out.push_back(std::move(requirement));
}

bool Requirement::Matches(const StringMap& labels) const {
  const auto label = labels.find(key);
  return MatchesValue(label == labels.end() ? nullptr : &label->second);
}

bool Requirement::MatchesValue(const std::string* value) const {
  const bool present = value != nullptr;
  switch (op) {
    case Operator::kExists:
      return present;
    case Operator::kDoesNotExist:
      return !present;
    case Operator::kIn:
      return present && std::find(values.begin(), values.end(), *value) != values.end();
    case Operator::kNotIn:
      return !present || std::find(values.begin(), values.end(), *value) == values.end();
    case Operator::kGreaterThan:
    case Operator::kLessThan:
      break;
  }
  return present && MatchesNumber(op, *value, bound);
}

bool Requirement::MatchesNumber(Operator op, std::string_view value, int64_t bound) {
  const auto number = ParseInteger(value);
  if (!number) return false;
  return op == Operator::kGreaterThan ? *number > bound : *number < bound;
}

Selector Selector::Nothing() {
  Selector selector;
  selector.nothing_ = true;
  return selector;
}

Selector Selector::FromMap(const StringMap& labels) {
  Selector selector;
  for (const auto& [key, value] : labels) {
    selector.Add({.key = key, .op = Requirement::Operator::kIn, .values = {value}});
  }
  return selector;
}

Result<Selector> Selector::Create(const LabelSelector* source) {
  if (source == nullptr) return Nothing();
  Selector selector;
  std::vector<FieldError> errors;
  const auto add = [&](Requirement requirement) {
    Check(requirement, {}, errors);
    selector.Add(std::move(requirement));
  };
  for (const auto& [key, value] : source->match_labels) {
    add({.key = key, .op = Requirement::Operator::kIn, .values = {value}});
    if (!errors.empty()) return ConfigError(Aggregate(errors));
  }
  for (const LabelSelectorRequirement& expression : source->match_expressions) {
    const auto op = ParseOperator(expression.op);
    if (!op || *op == Requirement::Operator::kGreaterThan ||
        *op == Requirement::Operator::kLessThan) {
      return ConfigError("\"" + expression.op + "\" is not a valid label selector operator");
    }
    add({.key = expression.key, .op = *op, .values = expression.values});
    if (!errors.empty()) return ConfigError(Aggregate(errors));
  }
  return selector;
}

bool Selector::Matches(const StringMap& labels) const {
  return !nothing_ && std::all_of(requirements_.begin(), requirements_.end(),
                                  [&](const Requirement& r) { return r.Matches(labels); });
}

void Selector::Add(Requirement requirement) {
  if (!nothing_) requirements_.push_back(std::move(requirement));
}

CompiledTerm CompiledTerm::Create(const NodeSelectorTerm& source, std::string_view path) {
  CompiledTerm term;
  const std::string expressions = Child(path, "matchExpressions");
  for (size_t i = 0; i < source.match_expressions.size(); ++i) {
    Requirement::Parse(source.match_expressions[i], Index(expressions, i), term.labels,
                       term.errors);
  }
  const std::string fields = Child(path, "matchFields");
  for (size_t i = 0; i < source.match_fields.size(); ++i) {
    ParseField(source.match_fields[i], Index(fields, i), term);
  }
  return term;
}

bool CompiledTerm::Matches(const StringMap& node_labels, std::string_view node_name) const {
  if (!errors.empty()) return false;
  for (const Requirement& requirement : labels) {
    if (!requirement.Matches(node_labels)) return false;
  }
  if (node_name.empty()) return true;
  return std::all_of(fields.begin(), fields.end(), [&](const FieldRequirement& field) {
    // Fields that nodes do not have are empty strings.
    const std::string_view actual = field.key == "metadata.name" ? node_name : std::string_view();
    return (actual == field.value) == field.equal;
  });
}

CompiledNodeSelector CompiledNodeSelector::Create(const NodeSelector& source) {
  CompiledNodeSelector selector;
  for (size_t i = 0; i < source.node_selector_terms.size(); ++i) {
    const NodeSelectorTerm& term = source.node_selector_terms[i];
    if (IsBlank(term)) continue;
    selector.terms_.push_back(CompiledTerm::Create(term, Index("nodeSelectorTerms", i)));
  }
  return selector;
}

Result<bool> CompiledNodeSelector::Match(const StringMap& node_labels,
                                         std::string_view node_name) const {
  if (Matches(node_labels, node_name)) return true;
  const std::vector<FieldError> errors = Errors();
  if (!errors.empty()) return ConfigError(Aggregate(errors));
  return false;
}

bool CompiledNodeSelector::Matches(const StringMap& node_labels, std::string_view node_name) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const CompiledTerm& term) {
    return term.Matches(node_labels, node_name);
  });
}

std::vector<FieldError> CompiledNodeSelector::Errors() const {
  std::vector<FieldError> errors;
  for (const CompiledTerm& term : terms_) {
    errors.insert(errors.end(), term.errors.begin(), term.errors.end());
  }
  return errors;
}

Result<PreferredTerms> PreferredTerms::Create(const std::vector<PreferredSchedulingTerm>& source,
                                              std::string_view path) {
  PreferredTerms preferred;
  std::vector<FieldError> errors;
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i].weight == 0 || IsBlank(source[i].preference)) continue;
    CompiledTerm term = CompiledTerm::Create(source[i].preference, Index(path, i));
    errors.insert(errors.end(), term.errors.begin(), term.errors.end());
    preferred.terms_.push_back({std::move(term), source[i].weight});
  }
  if (!errors.empty()) return ConfigError(Aggregate(errors));
  return preferred;
}

int64_t PreferredTerms::Score(const StringMap& node_labels, std::string_view node_name) const {
  int64_t score = 0;
  for (const Weighted& weighted : terms_) {
    if (weighted.term.Matches(node_labels, node_name)) score += weighted.weight;
  }
  return score;
}

}  // namespace berth::api
