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

// RenderedKind is a kind that is rendered for profiles, watched and repaired.
struct RenderedKind {
  const api::ResourceInfo* resource;

  // Reads an object of this kind. Errors: the text is none.
  Result<AnyObject> (*read)(std::string_view text);

  // Makes the watch of this kind in a namespace; "" of a cluster-scoped one.
  std::unique_ptr<KindWatch> (*watch)(client::Client& client, const std::string& ns,
                                      const Clock& clock, KindWatch::Listener listener);

  // Adds what a profile has of this kind: none, one, or several.
  void (*render)(const RenderInput& input, std::vector<RenderedObject>& objects);
};

// RenderedKinds is the list of all, in the order in which objects are to be written: a permission
// before what needs it, the Deployment last. What is rendered, read, watched, repaired, held back
// (Part) and granted to the operator follows from it.
std::span<const RenderedKind> RenderedKinds();

}  // namespace berth::controllers
