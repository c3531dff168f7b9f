// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace berth::http {

// PercentEncode leaves unreserved characters (RFC 3986: letters, digits, - . _ ~) and encodes every
// other byte.
std::string PercentEncode(std::string_view text);

// QueryBuilder makes "?a=b&c=d" with encoded values, or "" when nothing was added.
class QueryBuilder {
 public:
  QueryBuilder& Add(std::string_view name, std::string_view value);
  // AddIf leaves out an empty value.
  QueryBuilder& AddIf(std::string_view name, std::string_view value);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace berth::http
