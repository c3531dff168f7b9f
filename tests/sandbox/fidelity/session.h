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

// Session holds the objects of a running case on a server: a namespace with a ServiceAccount
// "default", accounts with their permissions and tokens, and the list of objects that it created
// outside its namespace. The destructor deletes all of them, as far as the server permits.
class Session {
 public:
  Session(const Connection& connection, std::string ns);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& ns() const { return ns_; }

  // Creates the namespace and the accounts, and waits until the server grants their permissions.
  Result<void> Prepare(const std::map<std::string, Account>& accounts);

  // Returns an account's token; empty for admin and anonymous.
  std::string Token(const std::string& account) const;

  // Records the object that a request created, if it is outside the namespace.
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

// Returns a unique name of ten characters.
std::string UniqueNamespace();

}  // namespace berth::fidelity
