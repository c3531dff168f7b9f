// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "controllers/any_object.h"
#include "controllers/difference.h"

// Finds what other clients add to rendered objects: docs/design/0035.
namespace berth::controllers {

// Returns the fields, list entries and map keys of `live` that `wanted` does not have, in the order
// of their names, with list entries by key: "spec.template.spec.containers[name=x]". Metadata,
// also that of a pod template, and status belong to other field managers, as does all of a Lease
// but its metadata. The API server's defaults are no additions, nor are the paths below an entry of
// `allowed` (crds::Allowances). A list or map that Differences compares as a whole is not searched.
// Empty if the text of `live` is not known.
std::vector<Difference> Additions(const RenderedObject& wanted, const AnyObject& live,
                                  std::span<const std::string> allowed);

// Returns the JSON Merge Patch that removes these additions from `live`. The API server rejects it
// with kConflict if the object has another version by then. Requires: `live` has its whole text.
std::string RemovalPatch(const RenderedObject& wanted, const AnyObject& live,
                         const std::vector<Difference>& additions);

}  // namespace berth::controllers
