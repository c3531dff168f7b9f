// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/finding.h"

#include <utility>

#include "base/strings.h"

namespace berth::operator_ {
namespace {

Finding FindingAt(const DocumentPlace& place, std::string_view severity, const std::string& text) {
  Finding finding;
  finding.severity = severity;
  finding.file = place.file;
  finding.document = place.document;
  finding.text = finding.severity + ": " + place.ToString() + ": " + text;
  return finding;
}

// Returns the JSON string at the beginning of a text; "" if there is none.
std::string_view LeadingString(std::string_view text) {
  if (!text.starts_with('"')) return {};
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return text.substr(0, i + 1);
    }
  }
  return {};
}

}  // namespace

std::string DocumentPlace::ToString() const {
  return is_only || document == 0 ? file : file + ": document " + std::to_string(document);
}

const json::Type& Finding::JsonType() {
  static const json::Type type = json::Describe<Finding>(json::Object(
      json::Field("severity", &Finding::severity).Doc("error or warning.").Required(),
      json::Field("file", &Finding::file).Required(),
      json::Field("document", &Finding::document).Doc("From 1; absent: the file as a whole."),
      json::Field("path", &Finding::path).Doc("Field path; absent: the document as a whole."),
      json::Field("value", &Finding::value).Doc("Value found; absent if there is none."),
      json::Field("message", &Finding::message).Required()));
  return type;
}

Finding FindingOf(const DocumentPlace& place, const api::FieldError& error) {
  Finding finding = FindingAt(place, Finding::kError, error.ToString());
  finding.path = error.path;
  if (!error.value.empty()) {
    const bool is_json = json::Canonical(error.value).has_value();
    finding.value.text = is_json ? error.value : json::Quoted(error.value);
  }
  api::FieldError bare = error;
  bare.value.clear();
  finding.message = bare.Body();
  return finding;
}

Finding FindingOf(const DocumentPlace& place, std::string_view severity,
                  const std::string& message) {
  Finding finding = FindingAt(place, severity, message);
  const size_t end = message.find(": ");
  const bool has_path =
      end != message.npos && (message.starts_with("spec") || message.starts_with("metadata"));
  finding.message = has_path ? message.substr(end + 2) : message;
  if (has_path) finding.path = message.substr(0, end);
  finding.value.text = LeadingString(finding.message);
  finding.message = TrimSpace(finding.message.substr(finding.value.text.size()));
  return finding;
}

}  // namespace berth::operator_
