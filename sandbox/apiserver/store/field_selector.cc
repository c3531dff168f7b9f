// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "sandbox/apiserver/store/selector.h"

namespace berth::apiserver {
namespace {

Failure Rejected(std::string message) { return Fail(Reason::kBadRequest, std::move(message)); }

// Commas separate terms unless escaped with a backslash.
std::vector<std::string_view> SplitTerms(std::string_view text) {
  std::vector<std::string_view> terms;
  size_t start = 0;
  bool escaped = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (escaped) {
      escaped = false;
    } else if (text[i] == '\\') {
      escaped = true;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  terms.push_back(text.substr(start));
  return terms;
}

struct Comparison {
  std::string_view field;
  bool equal;
  std::string_view value;
};

// Splits a term at its first operator.
std::optional<Comparison> SplitTerm(std::string_view term) {
  const size_t at = term.find('=');
  if (at == std::string_view::npos) return std::nullopt;
  if (at > 0 && term[at - 1] == '!') {
    return Comparison{term.substr(0, at - 1), false, term.substr(at + 1)};
  }
  const bool doubled = term.substr(at).starts_with("==");
  return Comparison{term.substr(0, at), true, term.substr(at + (doubled ? 2 : 1))};
}

Result<std::string> UnescapeTerm(std::string_view text) {
  std::string value;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',' || text[i] == '=') {
      return Rejected("invalid field selector: unescaped character in value: " +
                      std::to_string(static_cast<int>(text[i])));
    }
    if (text[i] == '\\') {
      if (++i == text.size() || std::string_view("\\,=").find(text[i]) == std::string_view::npos) {
        return Rejected("invalid field selector: invalid escape sequence: " +
                        std::string(text.substr(i - 1, 2)));
      }
    }
    value += text[i];
  }
  return value;
}

Failure NotSelectable(std::string_view field, FieldSelector::Unknown unknown) {
  if (unknown == FieldSelector::Unknown::kNotKnown) {
    return Rejected("\"" + std::string(field) +
                    "\" is not a known field selector: only \"metadata.name\", "
                    "\"metadata.namespace\"");
  }
  return Rejected("field label not supported: " + std::string(field));
}

}  // namespace

Result<FieldSelector> FieldSelector::Parse(std::string_view text,
                                           std::span<const std::string> fields, Unknown unknown) {
  FieldSelector selector;
  for (const std::string_view part : SplitTerms(text)) {
    if (part.empty()) continue;
    const auto comparison = SplitTerm(part);
    if (!comparison) {
      return Rejected("invalid selector: '" + std::string(text) + "'; can't understand '" +
                      std::string(part) + "'");
    }
    BERTH_TRY(std::string value, UnescapeTerm(comparison->value));
    int field = kName;
    if (comparison->field == "metadata.namespace") {
      field = kNamespace;
    } else if (comparison->field != "metadata.name") {
      const auto found = std::find(fields.begin(), fields.end(), comparison->field);
      if (found == fields.end() || found->empty()) return NotSelectable(comparison->field, unknown);
      field = static_cast<int>(found - fields.begin());
    }
    selector.terms_.push_back({field, comparison->equal, std::move(value)});
  }
  return selector;
}

std::string_view FieldSelector::ValueOf(const Metadata& metadata, int field) {
  if (field == kName) return metadata.name;
  if (field == kNamespace) return metadata.namespace_;
  const auto index = static_cast<size_t>(field);
  return index < metadata.fields.size() ? std::string_view(metadata.fields[index]) : "";
}

bool FieldSelector::Matches(const Metadata& metadata) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    return (ValueOf(metadata, term.field) == term.value) == term.equal;
  });
}

}  // namespace berth::apiserver
