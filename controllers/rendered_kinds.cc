// SPDX-License-Identifier: Apache-2.0
#include "controllers/rendered_kinds.h"

#include <optional>
#include <type_traits>
#include <utility>

#include "base/names.h"
#include "controllers/lease_watch.h"
#include "controllers/render.h"

namespace berth::controllers {
namespace {

template <class T>
void AddRendered(T object, Part part, std::vector<RenderedObject>& objects) {
  std::string hash = HashHex(json::Encode(object));
  object.metadata.annotations[std::string(kRenderedHashAnnotation)] = hash;
  AnyObject rendered = AnyObject::Of(std::move(object));
  ObjectKey key = rendered.key();
  objects.push_back({.key = std::move(key),
                     .object = std::move(rendered),
                     .hash = std::move(hash),
                     .part = part});
}

template <class T>
void AddRendered(std::optional<T> object, Part part, std::vector<RenderedObject>& objects) {
  if (object) AddRendered(std::move(*object), part, objects);
}

template <class T>
void AddRendered(std::vector<T> several, Part part, std::vector<RenderedObject>& objects) {
  for (T& object : several) AddRendered(std::move(object), part, objects);
}

// The kind of a render function, which returns a T, a std::optional<T> or a std::vector<T>.
template <class Returned>
struct KindIn {
  using type = Returned;
};
template <class T>
struct KindIn<std::optional<T>> {
  using type = T;
};
template <class T>
struct KindIn<std::vector<T>> {
  using type = T;
};

template <auto kRender>
using KindOf = typename KindIn<std::invoke_result_t<decltype(kRender), const RenderInput&>>::type;

template <auto kRender, Part kPart = Part::kAside,
          auto kMakeWatch = &KindWatchOf<KindOf<kRender>>::Make>
constexpr RenderedKind RowOf() {
  using T = KindOf<kRender>;
  return {.resource = &T::kResource,
          .read = &AnyObject::Read<T>,
          .watch = kMakeWatch,
          .render = [](const RenderInput& input, std::vector<RenderedObject>& objects) {
            AddRendered(kRender(input), kPart, objects);
          }};
}

constexpr RenderedKind kRenderedKinds[] = {
    RowOf<RenderServiceAccount, Part::kAccess>(),
    RowOf<RenderRole, Part::kAccess>(),
    RowOf<RenderRoleBinding, Part::kAccess>(),
    RowOf<RenderClusterRoleBindings, Part::kAccess>(),
    RowOf<RenderLease, Part::kAside, &LeaseWatch::Make>(),
    RowOf<RenderConfigMap, Part::kConfiguration>(),
    RowOf<RenderService>(),
    RowOf<RenderNetworkPolicy>(),
    RowOf<RenderPodDisruptionBudget>(),
    RowOf<RenderDeployment, Part::kPods>(),
};

}  // namespace

std::span<const RenderedKind> RenderedKinds() { return kRenderedKinds; }

std::vector<RenderedObject> RenderAll(const RenderInput& input) {
  std::vector<RenderedObject> objects;
  for (const RenderedKind& kind : kRenderedKinds) kind.render(input, objects);
  return objects;
}

}  // namespace berth::controllers
