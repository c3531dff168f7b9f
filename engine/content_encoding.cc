// SPDX-License-Identifier: Apache-2.0
#include "engine/content_encoding.h"

#include <string>

#include "base/strings.h"

namespace berth::engine {

Result<void> RejectEncoding(const http::Response& response) {
  const auto encoding = response.headers.Find("Content-Encoding");
  if (!encoding || encoding->empty() || ToLower(*encoding) == "identity") return {};
  return Fail(
      Reason::kUnsupportedMediaType,
      "the response has the encoding " + std::string(*encoding) + ", which was not requested");
}

}  // namespace berth::engine
