// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/field_error.h"
#include "base/error.h"
#include "base/json/json.h"
#include "crds/allowances.h"

namespace berth::operator_ {

// DocumentPlace is a document of a file.
struct DocumentPlace {
  std::string file;       // "standard input" for -
  int32_t document = 0;   // from 1; 0: the file as a whole
  bool is_only = true;    // the file has no other document
  std::string item = {};  // "items[2]" if the document is a List

  // "a.yaml", "a.yaml: document 2" if the file has several, "a.yaml: items[2]" in a List
  std::string ToString() const;
};

// Finding is an error or a warning about a document: as text, and with its parts for programs.
struct Finding {
  static constexpr std::string_view kError = "error";
  static constexpr std::string_view kWarning = "warning";

  std::string severity;
  std::string file;
  int32_t document = 0;
  std::string path;     // in the document: "spec.deployment.replicas"; empty: all of it
  json::Raw value;      // value found, as JSON; may be absent
  std::string message;  // without path and value

  // Not encoded: the whole line, "error: a.yaml: spec.x: Invalid value: ...". Long values are cut.
  std::string text;

  static const json::Type& JsonType();
};

Finding FindingOf(const DocumentPlace& place, const api::FieldError& error);
Finding FindingOf(const DocumentPlace& place, const crds::Rejection& rejection);

// Returns an error of the document as a whole.
Finding FindingOf(const DocumentPlace& place, const Error& error);

// Returns a warning about a valid profile.
Finding FindingOf(const DocumentPlace& place, const api::FieldWarning& warning);

}  // namespace berth::operator_
