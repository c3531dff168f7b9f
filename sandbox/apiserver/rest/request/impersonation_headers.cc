// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/impersonation_headers.h"

#include "base/strings.h"
#include "sandbox/apiserver/rest/request/request_info.h"

namespace berth::apiserver {
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
  return Refuse(BadRequest("groups, a uid or extras are to be impersonated, and no user"));
}

}  // namespace berth::apiserver
