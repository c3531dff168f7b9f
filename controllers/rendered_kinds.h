// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "client/client.h"
#include "controllers/any_object.h"
#include "controllers/kind_watch.h"

namespace berth::controllers {

struct RenderInput;

// RenderedKind is a kind that the operator renders for profiles, watches and corrects.
struct RenderedKind {
  const api::ResourceInfo* resource;

  // Decodes an object of this kind. Errors: the text is not one.
  Result<AnyObject> (*read)(std::string_view text);

  // Creates the watch of this kind in a namespace; "" for a cluster-scoped kind.
  std::unique_ptr<KindWatch> (*watch)(client::Client& client, const std::string& ns,
                                      const Clock& clock, KindWatch::Listener listener);

  // Adds a profile's objects of this kind: none, one, or several.
  void (*render)(const RenderInput& input, std::vector<RenderedObject>& objects);
};

// Returns all rendered kinds in the order of writes: permissions before the objects that need them,
// the Deployment last. Rendering, decoding, watching, the order of an apply (Part) and the
// operator's own permissions follow this list.
std::span<const RenderedKind> RenderedKinds();

}  // namespace berth::controllers
