// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/field_error.h"
#include "base/json/json.h"

namespace berth::operator_ {

// DocumentPlace is a document of a file.
struct DocumentPlace {
  std::string file;      // "standard input" for -
  int32_t document = 0;  // from 1; 0: the file as a whole
  bool is_only = true;   // the file has no other document

  // "a.yaml", or "a.yaml: document 2" if the file has several
  std::string ToString() const;
};

// Finding is an error or a warning about a document: as text, and with its parts for programs.
struct Finding {
  static constexpr std::string_view kError = "error";
  static constexpr std::string_view kWarning = "warning";

  std::string severity;
  std::string file;
  int32_t document = 0;
  std::string path;     // "spec.deployment.replicas"; empty: the document as a whole
  json::Raw value;      // value found, as JSON; may be absent
  std::string message;  // without path and value

  std::string text;  // not encoded: the whole line, "error: a.yaml: spec.x: Invalid value: ..."

  static const json::Type& JsonType();
};

Finding FindingOf(const DocumentPlace& place, const api::FieldError& error);

// Converts a message that begins with its field path, as rejections (crds/allowances.h) and
// warnings do: "spec.engine.image: "a" is not allowed here". A path begins with spec or metadata.
Finding FindingOf(const DocumentPlace& place, std::string_view severity,
                  const std::string& message);

}  // namespace berth::operator_
