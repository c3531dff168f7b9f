// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/list.h"

#include <charconv>
#include <system_error>

#include "api/field_error.h"

namespace berth::apiserver {

Result<uint64_t> ParseVersion(std::string_view text) {
  if (text.empty()) return 0;
  uint64_t version = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (code == std::errc() && end == text.data() + text.size()) return version;
  const bool is_number = end == text.data() + text.size();
  return Fail(
      Reason::kInvalid,
      api::FieldError::Invalid("resourceVersion", text,
                               "strconv.ParseUint: parsing \"" + std::string(text) +
                                   (is_number ? "\": value out of range" : "\": invalid syntax"))
          .ToString());
}

Error TooLargeVersion(uint64_t requested, uint64_t current) {
  Error error(Reason::kTimeout,
              "Timeout: Too large resource version: " + std::to_string(requested) +
                  ", current: " + std::to_string(current));
  return error.set_http_code(504).set_retry_after(std::chrono::seconds(1));
}

}  // namespace berth::apiserver
