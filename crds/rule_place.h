// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cel/budget.h"
#include "cel/program.h"
#include "crds/place.h"

namespace berth::crds {

// Returns the places that make a rule on `self` false: those that the first failing condition
// reads, in every element that fails. Of the places that a condition reads it is the deepest, then
// the first. Conditions before the last `||` are preconditions. Examples:
//
//   self.all(e, !e.name.matches('^LD_'))        env[name=LD_PRELOAD].name
//   !has(self.max) || self.max >= self.initial  max
//   has(self.image) && self.image != ''         image
//
// Never empty. Requires: the rule is not true for `self`.
std::vector<Place> PlacesThatBreak(const cel::Program& rule, const Place& self,
                                   const cel::TypePtr& type_of_self, cel::Budget& budget);

}  // namespace berth::crds
