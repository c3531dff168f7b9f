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
  BERTH_CHECK(again.has_value(), "what was encoded is not decoded");
  BERTH_CHECK(*again == answer, "encoding has changed an answer");
}

template <class T>
void CheckAnswer(std::string_view text) {
  const auto answer = json::DecodeGo<T>(text);
  if (!answer) {
    BERTH_CHECK(!answer.error().message().empty(), "a mistake without a text");
    return;
  }
  CheckStable(*answer);
}

void CheckFilterResult(std::string_view text) {
  auto answer = json::DecodeGo<api::ExtenderFilterResult>(text);
  if (!answer) return;
  answer->nodes.reset();  // which are passed on as they came, and need not be JSON
  CheckStable(*answer);
}

void CheckShown(std::string_view text) {
  const std::string shown = engine::OutsideText(text);
  BERTH_CHECK(shown.size() <= engine::kMaxOutsideText, "longer than what is shown");
  BERTH_CHECK(IsValidUtf8(shown), "shown, and no UTF-8");
  BERTH_CHECK(std::ranges::none_of(
                  shown, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }),
              "a control character is shown");
  BERTH_CHECK(engine::OutsideText(shown) == shown, "showing it twice has changed it");
}

}  // namespace

// The body of an answer to each verb, and a message in it.
void ExtenderAnswer(std::string_view input) {
  CheckFilterResult(input);
  CheckAnswer<api::HostPriorityList>(input);
  CheckAnswer<api::ExtenderBindingResult>(input);
  CheckAnswer<api::ExtenderPreemptionResult>(input);
  CheckShown(input);
  if (const auto object = engine::ObjectText(input)) {
    BERTH_CHECK(object->starts_with('{') && object->ends_with('}'), "cut to what is no object");
  }
}

}  // namespace berth::fuzz
