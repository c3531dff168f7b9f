// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/json/type.h"

// Two structs of one description, compared as the API server and its field managers see them.
namespace berth::controllers {

// Difference is a field that is not as wanted.
struct Difference {
  std::string path;   // "spec.replicas"
  std::string found;  // the JSON of what is there instead; empty where nothing is
  bool operator==(const Difference&) const = default;
};

// Differences compares the fields that `wanted` states, those that encoding it would write, with
// those of `live`, and gives those that differ, in the order of the description. Fields that only
// `live` has belong to others and do not count. How far that goes is what the description says of
// server-side apply:
//
//   a map, an object         by key; as a whole where it is Atomic() (selectors)
//   a list                   as a whole and in order, what others add within an entry left aside
//   a list with ListMap()    by entry: those with keys that are not ours do not count (containers)
//   a list with ListSet()    by value (finalizers)
std::vector<Difference> Differences(const json::Type& type, const void* wanted, const void* live);

// MergePatch gives the JSON Merge Patch (RFC 7386) that turns `from` into `to`; "{}" when they are
// equal. Requires: `type` is of a struct.
std::string MergePatch(const json::Type& type, const void* from, const void* to);

template <class T>
std::vector<Difference> Differences(const T& wanted, const T& live) {
  return Differences(json::TypeOf<T>(), &wanted, &live);
}

template <class T>
std::string MergePatch(const T& from, const T& to) {
  return MergePatch(json::TypeOf<T>(), &from, &to);
}

}  // namespace berth::controllers
