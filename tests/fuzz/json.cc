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

// Reading and printing untyped documents must give the same results as nlohmann::json.
void CheckDocument(std::string_view text) {
  const Document document = json::ReadDocument(text);
  const Document by_library = Document::parse(text, nullptr, /*allow_exceptions=*/false);
  BERTH_CHECK(document.is_discarded() == by_library.is_discarded(),
              "validity differs from "
              "nlohmann");
  if (document.is_discarded()) return;
  BERTH_CHECK(document == by_library, "value differs from nlohmann");
  const std::string printed = json::DocumentText(document);
  BERTH_CHECK(printed == document.dump(-1, ' ', false, Document::error_handler_t::replace),
              "text differs from nlohmann");
  BERTH_CHECK(json::ReadDocument(printed) == document, "printing changed a document");
}

void CheckPlainDocument(std::string_view text) {
  const auto plain = json::ReadPlainDocument(text);
  if (!plain) return;
  BERTH_CHECK(IsValidUtf8(text), "a plain document is not UTF-8");
  BERTH_CHECK(*plain == json::ReadDocument(text), "a plain document has two readings");
}

void CheckCanonical(std::string_view text) {
  const auto canonical = json::Canonical(text);
  if (!canonical) return;
  BERTH_CHECK(json::Canonical(*canonical).value_or("") == *canonical,
              "canonical text is not stable");
  const auto pretty = json::Pretty(text);
  BERTH_CHECK(pretty.has_value(), "canonical text cannot be indented");
  BERTH_CHECK(json::Canonical(*pretty).value_or("") == *canonical, "indenting changed a document");
}

void CheckObject(std::string_view text, json::Mode mode) {
  const auto pod = json::Decode<api::Pod>(text, mode);
  if (!pod) {
    BERTH_CHECK(!pod.error().message().empty(), "an error without a message");
    return;
  }
  const std::string encoded = json::Encode(*pod);
  const auto again = json::Decode<api::Pod>(encoded, mode);
  BERTH_CHECK(again.has_value(), "an encoded object does not decode");
  BERTH_CHECK(json::Encode(*again) == encoded, "encoding changed an object");
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
                "quoting changed a string");
  }
}

}  // namespace berth::fuzz
