// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/impersonation_headers.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "sandbox/apiserver/rest/request/request_info.h"

namespace berth::apiserver {
namespace {

std::string GoStrings(const std::vector<std::string>& list) {
  if (list.empty()) return "[]string(nil)";
  std::string text;
  for (const std::string& entry : list)
    text += (text.empty() ? "" : ", ") + nlohmann::json(entry).dump();
  return "[]string{" + text + "}";
}

// The user as Go's %#v shows it.
std::string GoSyntax(const UserInfo& user) {
  std::string extra;
  for (const auto& [key, values] : user.extra)
    extra += (extra.empty() ? "" : ", ") + nlohmann::json(key).dump() + ":" + GoStrings(values);
  return "&user.DefaultInfo{Name:\"\", UID:" + nlohmann::json(user.uid).dump() +
         ", Groups:" + GoStrings(user.groups) + ", Extra:map[string][]string" +
         (extra.empty() ? "(nil)" : "{" + extra + "}") + "}";
}

}  // namespace

Answer<std::optional<UserInfo>> WantedUser(const http::Headers& headers) {
  static constexpr std::string_view kExtra = "impersonate-extra-";
  UserInfo user;
  user.name = headers.Find("Impersonate-User").value_or("");
  user.uid = headers.Find("Impersonate-Uid").value_or("");
  for (const std::string_view group : headers.All("Impersonate-Group"))
    user.groups.emplace_back(group);
  for (const auto& [name, value] : headers) {
    const std::string key = ToLower(name);
    if (key.starts_with(kExtra))
      user.extra[PercentDecode(key.substr(kExtra.size()))].push_back(value);
  }
  if (!user.name.empty()) return user;
  if (user.uid.empty() && user.groups.empty() && user.extra.empty()) return std::nullopt;
  return Refuse(BadRequest("requested " + GoSyntax(user) + " without impersonating a user name"));
}

}  // namespace berth::apiserver
