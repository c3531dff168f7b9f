// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "base/strings.h"
#include "cel/cost.h"
#include "cel/libraries.h"
#include "cel/url.h"

namespace berth::cel {
namespace {

class UrlValue final : public Opaque {
 public:
  explicit UrlValue(Url url) : url_(std::move(url)) {}
  const TypePtr& type() const override { return UrlType(); }
  bool Equals(const Opaque& other) const override {
    return url_.text == static_cast<const UrlValue&>(other).url_.text;
  }
  std::string ToString() const override { return url_.text; }
  const Url& url() const { return url_; }

 private:
  Url url_;
};

const Url& Get(const Value& value) { return static_cast<const UrlValue&>(value.AsOpaque()).url(); }

Value FromString(Arguments a) {
  auto url = ParseUrl(a[0].AsString());
  if (!url) {
    return Value::Error("URL parse error during conversion from string: " + url.error().message());
  }
  return Value::Of(std::shared_ptr<const Opaque>(std::make_shared<UrlValue>(std::move(*url))));
}
Value IsUrl(Arguments a) { return Value::Bool(ParseUrl(a[0].AsString()).has_value()); }
Value Scheme(Arguments a) { return Value::String(Get(a[0]).scheme); }
Value Host(Arguments a) { return Value::String(Get(a[0]).host); }
Value Hostname(Arguments a) { return Value::String(Get(a[0]).Hostname()); }
Value Port(Arguments a) { return Value::String(Get(a[0]).Port()); }
Value EscapedPath(Arguments a) { return Value::String(Get(a[0]).path); }

// Malformed parts of a query are left out, as Go does.
Value Query(Arguments a) {
  std::map<std::string, std::vector<Value>> query;
  for (const std::string_view part : Split(Get(a[0]).query, '&')) {
    if (part.empty() || part.find(';') != std::string_view::npos) continue;
    const size_t equals = std::min(part.find('='), part.size());
    std::string key;
    std::string value;
    if (!DecodeQueryPart(part.substr(0, equals), key)) continue;
    if (equals < part.size() && !DecodeQueryPart(part.substr(equals + 1), value)) continue;
    query[std::move(key)].push_back(Value::String(std::move(value)));
  }
  std::vector<std::pair<Value, Value>> entries;
  for (auto& [key, values] : query) {
    entries.emplace_back(Value::String(key), Value::ListOf(std::move(values)));
  }
  return Value::MapOf(std::move(entries));
}

constexpr FunctionRow kRows[] = {
    {"url(string) -> url", FromString, TraversalCost},
    {"isURL(string) -> bool", IsUrl},
    {"(url).getScheme() -> string", Scheme},
    {"(url).getHost() -> string", Host},
    {"(url).getHostname() -> string", Hostname},
    {"(url).getPort() -> string", Port},
    {"(url).getEscapedPath() -> string", EscapedPath},
    {"(url).getQuery() -> map(string, list(string))", Query},
};

}  // namespace

const TypePtr& UrlType() {
  static const TypePtr* const kType = new TypePtr(OpaqueOf("kubernetes.URL"));
  return *kType;
}

std::span<const FunctionRow> UrlFunctions() { return kRows; }

}  // namespace berth::cel
