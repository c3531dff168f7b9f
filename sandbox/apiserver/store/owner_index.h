// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace berth::apiserver {

class Collection;

// OwnerIndex knows which objects name an owner, by the owner's uid: what garbage collection asks.
class OwnerIndex {
 public:
  // Reference is one object. The texts belong to the collection and live as long as the object is
  // in it.
  struct Reference {
    std::string_view resource;
    std::string_view key;
    Collection* collection;

    bool operator==(const Reference& other) const {
      return resource == other.resource && key == other.key;
    }
    auto operator<=>(const Reference& other) const {
      const auto order = resource <=> other.resource;
      return order != 0 ? order : key <=> other.key;
    }
  };

  void Add(const std::vector<std::string>& owners, const Reference& dependent);
  void Remove(const std::vector<std::string>& owners, const Reference& dependent);

  // DependentsOf gives them in the order of resources and keys.
  std::vector<Reference> DependentsOf(std::string_view owner) const;

 private:
  std::map<std::string, std::set<Reference>, std::less<>> dependents_;
};

}  // namespace berth::apiserver
