// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tests/sandbox/fidelity/case.h"
#include "tests/sandbox/fidelity/exchange.h"

namespace berth::fidelity {

// Session is what a case has on a server for its time: a namespace with a ServiceAccount "default",
// accounts with their rights and tokens, and the list of what it made outside of its namespace. The
// destructor removes it all, as well as the server lets it.
class Session {
 public:
  Session(const Connection& connection, std::string ns);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& ns() const { return ns_; }

  // Prepare makes the namespace and the accounts, and waits until the server knows their rights.
  Result<void> Prepare(const std::map<std::string, Account>& accounts);

  // Token is that of an account; empty for admin and anonymous.
  std::string Token(const std::string& account) const;

  // Note remembers the object that a request made, if it is outside of the namespace.
  void Note(const http::Request& request, const Json& answer);

 private:
  Result<Json> Must(const std::string& method, const std::string& path, const Json& body) const;
  Result<void> MakeAccount(const std::string& name, const Account& account);
  Result<void> Grant(const std::string& name, const std::vector<json::Raw>& rules,
                     const std::string& kind, const std::string& path);
  Result<void> AwaitRights(const std::string& name, const std::vector<json::Raw>& rules,
                           const std::string& ns) const;

  const Connection& connection_;
  const std::string ns_;
  std::map<std::string, std::string> tokens_;
  std::vector<std::string> made_;  // paths
};

// UniqueNamespace gives a name that no other case has, of ten characters.
std::string UniqueNamespace();

}  // namespace berth::fidelity
