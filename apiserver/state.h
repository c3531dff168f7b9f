// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apiserver/admission/policies.h"
#include "apiserver/auth/authorizer.h"
#include "apiserver/auth/impersonation.h"
#include "apiserver/auth/tokens.h"
#include "apiserver/kinds/kind_registry.h"
#include "apiserver/random.h"
#include "apiserver/store/document_cache.h"
#include "apiserver/store/store.h"
#include "base/clock.h"

namespace berth::apiserver {

// State is everything the server knows. One thread owns it; nothing in it has a lock.
struct State {
  State(const Clock& the_clock, uint64_t seed, TokenAuthority authority)
      : clock(the_clock), random(seed), authorizer(store), tokens(std::move(authority)) {}

  const Clock& clock;
  Store store;
  KindRegistry kinds;
  Random random;
  Authorizer authorizer;
  Impersonator impersonator{authorizer};
  TokenAuthority tokens;
  PolicyCache policies;
  DocumentCache documents;

  // CollectionOf gives the collection of a kind, and makes it at first.
  Collection& CollectionOf(const KindInfo& kind) {
    if (Collection* found = store.Find(kind.storage)) return *found;
    return store.Add(kind.storage, kind.selectable);
  }
};

}  // namespace berth::apiserver
