// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
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
//   spec["replicas"].AtLeast(0, kNotNegative);
//   spec["strategy"].OneOf({"OldestEmulationVersion"});
//
// Findings are worded as upstream's field.Error. Finders (Required, Invalid, ...) add one whatever
// the value is; checks (AtLeast, OneOf, Named, ...) add what is wrong, nothing where there is no
// value, and say whether all is well. Type errors were refused before: a value of another type than
// the one asked for counts as none. Must not outlive the document and the list.
class Field {
 public:
  // The document as a whole, whose path is empty.
  Field(const nlohmann::json& document, std::vector<api::FieldError>& errors);

  // A member ("spec.replicas"), an entry of a map ("data[a.yaml]"), an item ("ports[0]").
  Field operator[](std::string_view name) const;
  Field Key(std::string_view key) const;
  Field Item(size_t index) const;
  // At is the same place under another path, for messages that name it otherwise than it stands.
  Field At(std::string path) const;

  // All items of a list; all keys of a map, each with its value.
  std::vector<Field> Items() const;
  struct Entry;
  std::vector<Entry> Entries() const;

  const std::string& path() const { return path_; }
  // The value; null where there is none.
  const nlohmann::json& value() const;
  std::vector<api::FieldError>& errors() const { return *errors_; }

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

  // The checks. A text is checked even if it is "": that is a value, too.
  bool Require(std::string detail = {}) const;  // IsEmpty is a finding
  bool OneOf(std::span<const std::string_view> allowed) const;
  bool OneOf(std::initializer_list<std::string_view> allowed) const;
  bool AtLeast(int64_t minimum, std::string_view detail) const;
  bool InRange(int64_t minimum, int64_t maximum) const;
  bool Named(NameErrors (*check)(std::string_view)) const;  // Named(CheckDnsLabel)
  // Unchanged compares with the same place of the old document: "field is immutable".
  bool Unchanged(const Field& old) const;

 private:
  Field Below(std::string path, const nlohmann::json* value) const;
  const nlohmann::json* Find(std::string_view name) const;
  bool Add(api::FieldError error) const;  // false, as a check that found something

  std::string path_;
  const nlohmann::json* value_;
  std::vector<api::FieldError>* errors_;
};

struct Field::Entry {
  std::string key;
  Field value;
};

// Texts of AtLeast that upstream uses everywhere.
inline constexpr std::string_view kNotNegative = "must be greater than or equal to 0";

// CheckLabels checks keys and values of a map of labels or of a node selector; findings name the
// map. Source: apimachinery metav1/validation.ValidateLabels.
void CheckLabels(const Field& labels);

// CheckLabelSelector checks a metav1.LabelSelector. Source: metav1/validation.
void CheckLabelSelector(const Field& selector);

// CheckQuantity refuses an amount below zero.
void CheckQuantity(const Field& amount);

// CheckPathSegment is for names that need not be DNS's: of RBAC's kinds.
NameErrors CheckPathSegment(std::string_view name);

}  // namespace berth::apiserver
