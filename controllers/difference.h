// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/json/type.h"

// Compares two structs of one description as the API server and its field managers do.
namespace berth::controllers {

// Difference is a field whose live value differs from the wanted one.
struct Difference {
  std::string path;          // "spec.replicas"
  std::string found;         // JSON of the live value; empty if the field is absent
  bool is_addition = false;  // only the live object has the field (additions.h)
  bool operator==(const Difference&) const = default;
};

// Returns the fields of `wanted` that differ in `live`, in the order of the description. Only the
// fields that encoding `wanted` would write are compared; Additions (additions.h) finds those that
// only `live` has. The description's server-side apply options decide how values are compared:
//
//   a map, an object         by key; as a whole where it is Atomic() (selectors)
//   a list                   as a whole and in order; extra fields within an entry are ignored
//   a list with ListMap()    by entry; entries with other keys are ignored (containers)
//   a list with ListSet()    by value (finalizers)
std::vector<Difference> Differences(const json::Type& type, const void* wanted, const void* live);

// Returns the JSON Merge Patch (RFC 7386) that turns `from` into `to`; "{}" if they are equal.
// Requires: `type` describes a struct.
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
