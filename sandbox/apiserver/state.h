// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "sandbox/apiserver/admission/policies.h"
#include "sandbox/apiserver/auth/authorizer.h"
#include "sandbox/apiserver/auth/tokens.h"
#include "sandbox/apiserver/kinds/kind_registry.h"
#include "sandbox/apiserver/random.h"
#include "sandbox/apiserver/store/document_cache.h"
#include "sandbox/apiserver/store/store.h"

namespace berth::apiserver {

// State is the complete state of the server. One thread owns it; nothing in it has a lock.
struct State {
  State(const Clock& the_clock, uint64_t seed, TokenAuthority authority)
      : clock(the_clock), random(seed), authorizer(store), tokens(std::move(authority)) {}

  const Clock& clock;
  Store store;
  KindRegistry kinds;
  Random random;
  Authorizer authorizer;
  TokenAuthority tokens;
  PolicyCache policies;
  DocumentCache documents;

  // Returns the collection of a kind, and creates it on first use.
  Collection& CollectionOf(const KindInfo& kind) {
    if (Collection* found = store.Find(kind.storage)) return *found;
    return store.Add(kind.storage, kind.selectable);
  }
};

}  // namespace berth::apiserver
