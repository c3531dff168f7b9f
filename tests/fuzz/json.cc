// SPDX-License-Identifier: Apache-2.0
#include "base/json/json.h"

#include <nlohmann/json.hpp>

#include "api/pod.h"
#include "base/check.h"
#include "base/json/document.h"
#include "base/strings.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

using Document = nlohmann::json;

// Reading and writing documents of any shape is what the library does, only faster.
void CheckDocument(std::string_view text) {
  const Document document = json::ReadDocument(text);
  const Document by_library = Document::parse(text, nullptr, /*allow_exceptions=*/false);
  BERTH_CHECK(document.is_discarded() == by_library.is_discarded(), "not what the library takes");
  if (document.is_discarded()) return;
  BERTH_CHECK(document == by_library, "not what the library reads");
  const std::string printed = json::DocumentText(document);
  BERTH_CHECK(printed == document.dump(-1, ' ', false, Document::error_handler_t::replace),
              "not what the library prints");
  BERTH_CHECK(json::ReadDocument(printed) == document, "printing has changed a document");
}

void CheckPlainDocument(std::string_view text) {
  const auto plain = json::ReadPlainDocument(text);
  if (!plain) return;
  BERTH_CHECK(IsValidUtf8(text), "plain, and no UTF-8");
  BERTH_CHECK(*plain == json::ReadDocument(text), "plain, and read in two ways");
}

void CheckCanonical(std::string_view text) {
  const auto canonical = json::Canonical(text);
  if (!canonical) return;
  BERTH_CHECK(json::Canonical(*canonical).value_or("") == *canonical,
              "canonical text has another canonical form");
  const auto pretty = json::Pretty(text);
  BERTH_CHECK(pretty.has_value(), "canonical, and not to be indented");
  BERTH_CHECK(json::Canonical(*pretty).value_or("") == *canonical,
              "indenting has changed a document");
}

void CheckObject(std::string_view text, json::Mode mode) {
  const auto pod = json::Decode<api::Pod>(text, mode);
  if (!pod) {
    BERTH_CHECK(!pod.error().message().empty(), "a mistake without a text");
    return;
  }
  const std::string encoded = json::Encode(*pod);
  const auto again = json::Decode<api::Pod>(encoded, mode);
  BERTH_CHECK(again.has_value(), "what was encoded is not decoded");
  BERTH_CHECK(json::Encode(*again) == encoded, "encoding has changed an object");
}

}  // namespace

void Json(std::string_view input) {
  CheckDocument(input);
  CheckPlainDocument(input);
  CheckCanonical(input);
  CheckObject(input, json::Mode::kLenient);
  CheckObject(input, json::Mode::kStrict);
  const std::string quoted = json::Quoted(input);
  if (IsValidUtf8(input)) {
    BERTH_CHECK(Document::parse(quoted).get_ref<const std::string&>() == input,
                "quoting has changed a text");
  }
}

}  // namespace berth::fuzz
