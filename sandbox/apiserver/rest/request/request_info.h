// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::apiserver {

// Query is the parameters of a URL in their order, decoded.
class Query {
 public:
  static Query Parse(std::string_view text);

  // Get is the first value of a name, "" without one; Has tells the two apart.
  std::string Get(std::string_view name) const;
  bool Has(std::string_view name) const;
  std::vector<std::string> All(std::string_view name) const;
  // GetBool takes "", "0" and "false" in any case for false, all else for true, as upstream.
  bool GetBool(std::string_view name) const;

  void Set(std::string name, std::string value);

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

// RequestInfo is what a request is about, read from its path alone. Source: apiserver
// pkg/endpoints/request/requestinfo.go.
struct RequestInfo {
  bool is_resource = false;
  std::string path;  // decoded
  std::string verb;  // get list watch create update patch delete deletecollection; "" of a method
                     // that is none of them; the method where no resource is meant
  std::string group, version, resource, subresource;
  std::string namespace_, name;
  bool is_deeper = false;  // the path goes on behind the sub-resource
  Query query;

  // `target` is path and query as received.
  static RequestInfo Parse(std::string_view method, std::string_view target);
};

// PathParts are the decoded segments of a path that are not empty.
std::vector<std::string> PathParts(std::string_view path);

// PercentDecode takes '+' for itself; queries replace it before. Bad escapes stay as they are.
std::string PercentDecode(std::string_view text);

}  // namespace berth::apiserver
