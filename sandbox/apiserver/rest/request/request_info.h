// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::apiserver {

// Query holds the decoded parameters of a URL in their order.
class Query {
 public:
  static Query Parse(std::string_view text);

  // Returns the first value of a name, or "" if it is absent; Has distinguishes the two cases.
  std::string Get(std::string_view name) const;
  bool Has(std::string_view name) const;
  std::vector<std::string> All(std::string_view name) const;
  // Returns false for "", "0" and "false" in any case, and true otherwise, as upstream.
  bool GetBool(std::string_view name) const;

  void Set(std::string name, std::string value);

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

// RequestInfo describes a request, from its path only. Source: apiserver
// pkg/endpoints/request/requestinfo.go.
struct RequestInfo {
  bool is_resource = false;
  std::string path;  // decoded
  std::string verb;  // get list watch create update patch delete deletecollection; "" for other
                     // methods; the method for a non-resource request
  std::string group, version, resource, subresource;
  std::string namespace_, name;
  bool is_deeper = false;  // the path continues behind the subresource
  Query query;

  // `target` is the path and query as received.
  static RequestInfo Parse(std::string_view method, std::string_view target);
};

// Returns the decoded, non-empty segments of a path.
std::vector<std::string> PathParts(std::string_view path);

// Decodes escapes but not '+', which Query replaces first. Keeps malformed escapes.
std::string PercentDecode(std::string_view text);

}  // namespace berth::apiserver
