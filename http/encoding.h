// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth::http {

// Percent-encodes every byte except unreserved characters (RFC 3986: letters, digits, - . _ ~).
std::string PercentEncode(std::string_view text);

// QueryBuilder builds "?a=b&c=d" with encoded values, or "" without parameters.
class QueryBuilder {
 public:
  QueryBuilder& Add(std::string_view name, std::string_view value);
  // Adds the parameter unless the value is empty.
  QueryBuilder& AddIf(std::string_view name, std::string_view value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace berth::http
