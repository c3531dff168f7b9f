// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/names.h"
#include "sandbox/apiserver/kinds/status_error.h"

namespace berth::apiserver {

// Field is a place in a document that is being validated: its path as messages name it, its value
// or that it has none, and the list that findings go to. Validators of built-in kinds are written
// with it:
//
//   const Field spec = Field(lease, problems)["spec"];
//   spec["leaseDurationSeconds"].AtLeast(1, kPositive);
//   spec["strategy"].OneOf({"OldestEmulationVersion"});
//
// Findings are worded as upstream's field.Error. Finders (Required, Invalid, ...) add one whatever
// the value is; checks (AtLeast, OneOf, Named, ...) add what is wrong, nothing where there is no
// value, and say whether all is well. Type errors were refused before: a value of another type than
// the one asked for counts as none. Cheap to copy; must not outlive the document and the list.
//
// Most fields are looked at and well, so the path becomes text only for a finding.
class Field {
 public:
  // The document as a whole, whose path is empty.
  Field(const nlohmann::json& document, std::vector<api::FieldError>& problems);

  // A member ("spec.replicas"), an entry of a map ("data[a.yaml]"), an item ("ports[0]"). Names
  // that the document does not have outlive the field, as literals do.
  Field operator[](std::string_view name) const;
  Field Key(std::string_view key) const;
  Field Item(size_t index) const;
  // At is the same place under another path, for messages that name it otherwise than it stands.
  Field At(std::string path) const;

  // All items of a list; all keys of a map, each with its value.
  std::vector<Field> Items() const;
  struct Entry;
  std::vector<Entry> Entries() const;

  std::string path() const;
  // The value; null where there is none.
  const nlohmann::json& value() const;
  std::vector<api::FieldError>& problems() const { return *problems_; }

  bool IsSet() const;    // neither absent nor null
  bool IsEmpty() const;  // what Go calls empty: absent, null, "", [], {}
  std::string Text() const;
  int64_t Number(int64_t otherwise = 0) const;
  bool IsTrue() const;

  void Required(std::string detail = {}) const;
  void Invalid(std::string detail) const;  // shows the value as JSON; null where there is none
  void Invalid(std::string value_json, std::string detail) const;
  void Forbidden(std::string detail) const;
  void Duplicate() const;
  void NotFound() const;
  void NotSupported(std::span<const std::string_view> allowed) const;
  void NotSupported(std::initializer_list<std::string_view> allowed) const;
  void NotSupported(std::string value_json, std::span<const std::string_view> allowed) const;
  void TooLong(size_t max_bytes) const;
  void TooMany(size_t count, size_t max_items) const;

  // The checks. A text is checked even if it is "": that is a value, too.
  bool Require(std::string detail = {}) const;  // IsEmpty is a finding
  bool OneOf(std::span<const std::string_view> allowed) const;
  bool OneOf(std::initializer_list<std::string_view> allowed) const;
  bool AtLeast(int64_t minimum, std::string_view detail) const;
  bool InRange(int64_t minimum, int64_t maximum) const;
  bool NotLonger(size_t max_bytes) const;
  bool Named(NameProblems (*check)(std::string_view)) const;  // Named(CheckDnsLabel)
  // Unchanged compares with the same place of the old document: "field is immutable".
  bool Unchanged(const Field& old) const;

 private:
  // Step leads from a place to one below it: by a name, written as a member or as a key, or by an
  // index.
  struct Step {
    enum class Kind : uint8_t { kMember, kKey, kItem };
    Kind kind = Kind::kMember;
    std::string_view name;
    size_t index = 0;
  };

  Field Below(Step step, const nlohmann::json* value) const;
  Field Member(std::string_view name, Step::Kind kind) const;
  bool Add(api::FieldError error) const;  // false, as a check that found something

  static constexpr size_t kMaxSteps = 12;  // beyond that they become a base

  std::shared_ptr<const std::string> base_;  // where the steps begin; null is the document
  std::array<Step, kMaxSteps> steps_;
  size_t step_count_ = 0;
  const nlohmann::json* value_;
  std::vector<api::FieldError>* problems_;
};

struct Field::Entry {
  std::string key;
  Field value;
};

// Texts of AtLeast that upstream uses everywhere.
inline constexpr std::string_view kPositive = "must be greater than 0";
inline constexpr std::string_view kNotNegative = "must be greater than or equal to 0";

// CheckLabels checks keys and values of a map of labels or of a node selector; findings name the
// map. Source: apimachinery metav1/validation.ValidateLabels.
void CheckLabels(const Field& labels);

// CheckLabelSelector checks a metav1.LabelSelector. Source: metav1/validation.
void CheckLabelSelector(const Field& selector);

// CheckQuantity refuses an amount below zero.
void CheckQuantity(const Field& amount);

// CheckDataKey is for keys of ConfigMaps and Secrets: they become names of files.
NameProblems CheckDataKey(std::string_view key);

// CheckPathSegment is for names that need not be DNS's: of RBAC's kinds.
NameProblems CheckPathSegment(std::string_view name);

// InOrder is JSON text with the members of objects in the order that `names` gives (others follow):
// messages show values in the order of Go's fields.
std::string InOrder(const nlohmann::json& value, std::span<const std::string_view> names);

}  // namespace berth::apiserver
