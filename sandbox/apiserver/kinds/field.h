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

// Field is a place in a document under validation: its path in messages, its value if there is one,
// and the list of errors. Validators of built-in kinds use it:
//
//   const Field spec = Field(lease, errors)["spec"];
//   spec["replicas"].AtLeast(0, kNotNegative);
//   spec["strategy"].OneOf({"OldestEmulationVersion"});
//
// Errors have the text of upstream's field.Error. Required, Invalid and the like always add an
// error. The checks (AtLeast, OneOf, Named, ...) add one if the value violates them, ignore an
// absent value, and return whether the value is valid. Type errors were rejected before, so a value
// of another type counts as absent. A Field must not outlive the document and the list.
class Field {
 public:
  // The whole document; its path is empty.
  Field(const nlohmann::json& document, std::vector<api::FieldError>& errors);

  // Return a member ("spec.replicas"), an entry of a map ("data[a.yaml]"), an item ("ports[0]").
  Field operator[](std::string_view name) const;
  Field Key(std::string_view key) const;
  Field Item(size_t index) const;
  // Returns the same place with another path in messages.
  Field At(std::string path) const;

  // Return all items of a list; all keys of a map with their values.
  std::vector<Field> Items() const;
  struct Entry;
  std::vector<Entry> Entries() const;

  const std::string& path() const { return path_; }
  // Returns the value, or null if it is absent.
  const nlohmann::json& value() const;
  std::vector<api::FieldError>& errors() const { return *errors_; }

  bool IsSet() const;    // neither absent nor null
  bool IsEmpty() const;  // Go's empty values: absent, null, "", [], {}
  std::string Text() const;
  int64_t Number(int64_t otherwise = 0) const;
  bool IsTrue() const;

  void Required(std::string detail = {}) const;
  void Invalid(std::string detail) const;  // shows the value as JSON; null if it is absent
  void Invalid(std::string value_json, std::string detail) const;
  void Forbidden(std::string detail) const;
  void Duplicate() const;

  // The checks. An empty string is a value and is checked.
  bool Require(std::string detail = {}) const;  // adds an error if IsEmpty
  bool OneOf(std::span<const std::string_view> allowed) const;
  bool OneOf(std::initializer_list<std::string_view> allowed) const;
  bool AtLeast(int64_t minimum, std::string_view detail) const;
  bool InRange(int64_t minimum, int64_t maximum) const;
  bool Named(NameErrors (*check)(std::string_view)) const;  // Named(CheckDnsLabel)
  // Compares with the same place of the old document: "field is immutable".
  bool Unchanged(const Field& old) const;

 private:
  Field Below(std::string path, const nlohmann::json* value) const;
  const nlohmann::json* Find(std::string_view name) const;
  bool Add(api::FieldError error) const;  // returns false, the result of a failed check

  std::string path_;
  const nlohmann::json* value_;
  std::vector<api::FieldError>* errors_;
};

struct Field::Entry {
  std::string key;
  Field value;
};

// Common texts for AtLeast.
inline constexpr std::string_view kNotNegative = "must be greater than or equal to 0";

// Checks keys and values of a map of labels or of a node selector; errors have the path of the map.
// Source: apimachinery metav1/validation.ValidateLabels.
void CheckLabels(const Field& labels);

// Checks a metav1.LabelSelector. Source: metav1/validation.
void CheckLabelSelector(const Field& selector);

// Rejects a negative quantity.
void CheckQuantity(const Field& amount);

// Checks names that need not be DNS names: those of the RBAC kinds.
NameErrors CheckPathSegment(std::string_view name);

}  // namespace berth::apiserver
