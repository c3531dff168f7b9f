// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "api/extender.h"
#include "base/check.h"
#include "base/json/go_text.h"
#include "base/strings.h"
#include "engine/extender/object_texts.h"
#include "engine/outside_text.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

template <class T>
void CheckStable(const T& answer) {
  const std::string encoded = json::EncodeGo(answer);
  const auto again = json::DecodeGo<T>(encoded);
  BERTH_CHECK(again.has_value(), "an encoded response does not decode");
  BERTH_CHECK(*again == answer, "encoding changed a response");
}

template <class T>
void CheckAnswer(std::string_view text) {
  const auto answer = json::DecodeGo<T>(text);
  if (!answer) {
    BERTH_CHECK(!answer.error().message().empty(), "an error without a message");
    return;
  }
  CheckStable(*answer);
}

void CheckFilterResult(std::string_view text) {
  auto answer = json::DecodeGo<api::ExtenderFilterResult>(text);
  if (!answer) return;
  answer->nodes.reset();  // passed through unchanged, need not be valid JSON
  CheckStable(*answer);
}

void CheckShown(std::string_view text) {
  const std::string shown = engine::OutsideText(text);
  BERTH_CHECK(shown.size() <= engine::kMaxOutsideText, "displayed text is too long");
  BERTH_CHECK(IsValidUtf8(shown), "displayed text is not UTF-8");
  BERTH_CHECK(std::ranges::none_of(
                  shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }),
              "displayed text has a control character");
  BERTH_CHECK(engine::OutsideText(shown) == shown, "formatting twice changed the text");
}

}  // namespace

// The response body for each verb, and a message in it.
void ExtenderAnswer(std::string_view input) {
  CheckFilterResult(input);
  CheckAnswer<api::HostPriorityList>(input);
  CheckAnswer<api::ExtenderBindingResult>(input);
  CheckAnswer<api::ExtenderPreemptionResult>(input);
  CheckShown(input);
  if (const auto object = engine::ObjectText(input)) {
    BERTH_CHECK(object->starts_with('{') && object->ends_with('}'), "cut text is not an object");
  }
}

}  // namespace berth::fuzz
