// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandbox/apiserver/kinds/kind_info.h"

namespace berth::apiserver {

// KindRegistry holds the currently served kinds. Custom kinds come and go with their definitions; a
// KindPtr stays valid after that.
//
// Thread: the server's.
class KindRegistry {
 public:
  KindRegistry();  // with the built-in kinds

  // Find returns null if the kind is not served. Lookup by resource: ("apps", "v1", "deployments").
  KindPtr Find(std::string_view group, std::string_view version, std::string_view plural) const;
  KindPtr FindKind(const GroupVersionKind& kind) const;

  // Replaces all versions that a definition ("things.example.com") serves.
  void SetCustom(const std::string& definition, std::vector<KindPtr> versions);
  void RemoveCustom(const std::string& definition);

  // The groups in the order of discovery, each with its versions, preferred first.
  struct Version {
    std::string name;
    std::vector<KindPtr> kinds;
  };
  struct Group {
    std::string name;
    std::vector<Version> versions;
  };
  const std::vector<Group>& groups() const { return groups_; }
  const Group* FindGroup(std::string_view name) const;

 private:
  void Rebuild();

  std::vector<KindPtr> builtin_;
  std::map<std::string, std::vector<KindPtr>> custom_;  // by definition
  std::vector<Group> groups_;
  std::map<std::string, KindPtr, std::less<>> by_resource_;  // "group/version/plural"
  std::map<GroupVersionKind, KindPtr> by_kind_;
};

}  // namespace berth::apiserver
