// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "tests/differential/scenario.h"

// The parts that the short forms of objects (objects.h, volumes.h) have in common.
namespace berth::differential {

// Take moves a field out of what was written; null when it is not there.
Json Take(Json& written, const char* field);

// Move puts it into an object under the same name, if it is there.
void Move(Json& written, const char* field, Json& into);

// TakeMetadata takes the fields of the metadata. Errors (kConfig): the name is missing, or no text.
Result<Json> TakeMetadata(Json& written);

// Expanded gives what `count` stands for: so many objects, NAME-0 and on, each with its number for
// $(i).
Result<std::vector<Json>> Expanded(Json written);

// CreateEach gives what `create` makes of each of them.
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

// ReachOf is the node affinity of a volume that one node alone can reach.
Json ReachOf(const Json& node);

}  // namespace berth::differential
