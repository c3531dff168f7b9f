// SPDX-License-Identifier: Apache-2.0
#include "operator/commands/finding.h"

#include "base/json/document.h"
#include "base/strings.h"

namespace berth::operator_ {
namespace {

// Returns a finding without a message. `path` is the field's in the profile.
Finding FindingAt(const DocumentPlace& place, std::string_view severity, const std::string& text,
                  const std::string& path = "") {
  Finding finding;
  finding.severity = severity;
  finding.file = place.file;
  finding.document = place.document;
  finding.path = path.empty() ? place.item : api::Child(place.item, path);
  finding.text = finding.severity + ": " + place.ToString() + ": " + text;
  return finding;
}

// Cuts the lines of a message that quotes a source, such as an expression.
std::string ShownLines(std::string_view message) {
  constexpr size_t kMostOfLine = 1000;
  std::string shown;
  for (const std::string_view line : Split(message, '\n')) {
    if (!shown.empty()) shown += "\n";
    shown += line.size() <= kMostOfLine ? std::string(line)
                                        : ReplaceInvalidUtf8(line.substr(0, kMostOfLine)) + "...";
  }
  return shown;
}

json::Raw ValueOf(const std::string& value) {
  if (value.empty() || json::Canonical(value)) return {value};
  return {json::Quoted(value)};
}

}  // namespace

std::string DocumentPlace::ToString() const {
  std::string text = file;
  if (!is_only && document != 0) text += ": document " + std::to_string(document);
  if (!item.empty()) text += ": " + item;
  return text;
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
  api::FieldError shown = error;
  shown.value = json::ShownText(error.value);
  shown.detail = ShownLines(error.detail);
  Finding finding = FindingAt(place, Finding::kError, shown.ToString(), error.path);
  finding.value = ValueOf(error.value);
  shown.value.clear();
  finding.message = shown.Body();
  return finding;
}

Finding FindingOf(const DocumentPlace& place, const crds::Rejection& rejection) {
  Finding finding = FindingAt(place, Finding::kError, rejection.message, rejection.path);
  finding.value = ValueOf(rejection.value);
  finding.message = rejection.detail;
  return finding;
}

Finding FindingOf(const DocumentPlace& place, const Error& error) {
  Finding finding = FindingAt(place, Finding::kError, error.message());
  finding.message = error.message();
  return finding;
}

Finding FindingOf(const DocumentPlace& place, const api::FieldWarning& warning) {
  Finding finding = FindingAt(place, Finding::kWarning, warning.ToString(), warning.path);
  finding.message = warning.text;
  return finding;
}

}  // namespace berth::operator_
