// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/request_info.h"

#include <algorithm>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string DecodeQueryPart(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '+', ' ');
  return PercentDecode(plain);
}

std::string VerbOf(std::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return {};
}

// Returns the name in a field selector: authorization treats a list of one name as a named request.
std::string NameInSelector(const Query& query) {
  static constexpr std::string_view kTerm = "metadata.name=";
  const std::string selector = query.Get("fieldSelector");
  if (!selector.starts_with(kTerm) || selector.find(',') != std::string::npos) return {};
  return selector.substr(kTerm.size() + (selector[kTerm.size()] == '=' ? 1 : 0));
}

void ReadResource(std::vector<std::string>& parts, RequestInfo& info) {
  if (!parts.empty() && parts[0] == "watch") {
    info.verb = "watch";
    parts.erase(parts.begin());
  }
  const auto at = [&parts](size_t i) { return i < parts.size() ? parts[i] : std::string(); };
  size_t next = 0;
  if (at(0) == "namespaces" && parts.size() > 1) {
    info.namespace_ = at(1);
    // /namespaces/x and its subresources address the namespace itself.
    const bool itself =
        parts.size() == 2 || (parts.size() == 3 && (at(2) == "status" || at(2) == "finalize"));
    next = itself ? 0 : 2;
  }
  info.resource = at(next);
  info.name = at(next + 1);
  info.subresource = at(next + 2);
  info.is_deeper = parts.size() > next + 3;
  if (info.resource == "namespaces") info.namespace_ = info.name;
}

}  // namespace

std::string PercentDecode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
                        HexDigit(text[i + 2]) >= 0;
    out += escape ? static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return out;
}

std::vector<std::string> PathParts(std::string_view path) {
  std::vector<std::string> parts;
  for (const std::string_view part : Split(path, '/')) {
    if (!part.empty()) parts.push_back(PercentDecode(part));
  }
  return parts;
}

Query Query::Parse(std::string_view text) {
  Query query;
  if (text.empty()) return query;
  for (const std::string_view part : Split(text, '&')) {
    if (part.empty()) continue;
    const size_t equals = std::min(part.find('='), part.size());
    query.Set(DecodeQueryPart(part.substr(0, equals)),
              equals < part.size() ? DecodeQueryPart(part.substr(equals + 1)) : std::string());
  }
  return query;
}

std::string Query::Get(std::string_view name) const {
  for (const auto& [key, value] : values_) {
    if (key == name) return value;
  }
  return {};
}

bool Query::Has(std::string_view name) const {
  return std::any_of(values_.begin(), values_.end(),
                     [&](const auto& entry) { return entry.first == name; });
}

std::vector<std::string> Query::All(std::string_view name) const {
  std::vector<std::string> all;
  for (const auto& [key, value] : values_) {
    if (key == name) all.push_back(value);
  }
  return all;
}

bool Query::GetBool(std::string_view name) const {
  if (!Has(name)) return false;
  const std::string value = ToLower(Get(name));
  return value != "0" && value != "false";
}

void Query::Set(std::string name, std::string value) {
  values_.emplace_back(std::move(name), std::move(value));
}

RequestInfo RequestInfo::Parse(std::string_view method, std::string_view target) {
  RequestInfo info;
  const size_t mark = std::min(target.find('?'), target.size());
  if (mark < target.size()) info.query = Query::Parse(target.substr(mark + 1));
  info.path = PercentDecode(target.substr(0, mark));
  info.verb = ToLower(method);

  std::vector<std::string> parts = PathParts(target.substr(0, mark));
  if (parts.empty() || (parts[0] != "api" && parts[0] != "apis")) return info;
  const size_t head = parts[0] == "api" ? 2 : 3;
  if (parts.size() <= head) return info;
  if (head == 3) info.group = parts[1];
  info.version = parts[head - 1];
  parts.erase(parts.begin(), parts.begin() + static_cast<long>(head));

  info.is_resource = true;
  info.verb = VerbOf(method);
  ReadResource(parts, info);
  if (info.name.empty() && info.verb == "get") {
    info.verb = info.query.GetBool("watch") ? "watch" : "list";
    info.name = NameInSelector(info.query);
  }
  if (info.name.empty() && info.verb == "delete") info.verb = "deletecollection";
  return info;
}

}  // namespace berth::apiserver
