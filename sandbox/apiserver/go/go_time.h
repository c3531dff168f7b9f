// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth::apiserver {

// The forms of time in the API: metav1.Time takes any fraction of a second, metav1.MicroTime six
// digits, no more and no fewer.
enum class GoTime { kSeconds, kMicroseconds };

// GoTimeProblem says what Go's time.Parse says of a text that is no time of that form: parsing time
// "2020-13-01T00:00:00Z": month out of range. Nothing for a time.
std::optional<std::string> GoTimeProblem(GoTime form, std::string_view text);

}  // namespace berth::apiserver
