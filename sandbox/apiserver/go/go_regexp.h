// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace re2 {
class RE2;
}

namespace berth::apiserver {

// GoRegexpError says why a pattern is no regular expression, as Go's regexp package says it:
// error parsing regexp: missing closing ]: `[`
std::string GoRegexpError(const re2::RE2& pattern);

}  // namespace berth::apiserver
