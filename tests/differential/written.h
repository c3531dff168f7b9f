// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "tests/differential/scenario.h"

// Common parts of the short forms of objects (objects.h, volumes.h).
namespace berth::differential {

// Removes a field and returns it; null if it is absent.
Json Take(Json& written, const char* field);

// Moves a field into an object under the same name, if it is set.
void Move(Json& written, const char* field, Json& into);

// Removes and returns the fields of the metadata. Errors (kConfig): the name is missing or not a
// string.
Result<Json> TakeMetadata(Json& written);

// Expands `count`: returns that many objects, NAME-0 and on, with $(i) replaced by their number.
Result<std::vector<Json>> Expanded(Json written);

// Expands `written` and calls `create` for each object.
template <class Create>
Result<std::vector<Operation>> CreateEach(const Json& written, Create create) {
  BERTH_TRY(std::vector<Json> expanded, Expanded(written));
  std::vector<Operation> all;
  for (Json& one : expanded) {
    BERTH_TRY(Operation operation, create(std::move(one)));
    all.push_back(std::move(operation));
  }
  return all;
}

// Returns the node affinity of a volume that only one node can access.
Json ReachOf(const Json& node);

}  // namespace berth::differential
