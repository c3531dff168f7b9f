// SPDX-License-Identifier: Apache-2.0
#include "engine/plain_answer.h"

#include <string>

#include "base/strings.h"

namespace berth::engine {

Result<void> CheckPlain(const http::Response& response) {
  const auto encoding = response.headers.Find("Content-Encoding");
  if (!encoding || encoding->empty() || ToLower(*encoding) == "identity") return {};
  return Fail(Reason::kUnsupportedMediaType,
              "answers in the encoding " + std::string(*encoding) + ", for which nobody asked");
}

}  // namespace berth::engine
