// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/routes.h"

#include <algorithm>
#include <span>

#include "sandbox/apiserver/rest/replies.h"

namespace berth::apiserver {
namespace {

using Verbs = std::span<const std::string_view>;

bool HasVerb(const std::vector<std::string>& verbs, std::string_view verb) {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

bool IsListed(const RequestInfo& info) { return info.verb == "list" || info.verb == "watch"; }

// The path of a namespace contains its own name; this is not a namespaced request.
bool IsInNamespace(const RequestInfo& info) {
  return !info.namespace_.empty() && info.resource != "namespaces";
}

// Returns the verbs of the path's route; nullopt if there is no route.
std::optional<Verbs> VerbsOfPath(const KindInfo& kind, const RequestInfo& info) {
  static constexpr std::string_view kObject[] = {"get", "update", "patch", "delete"};
  static constexpr std::string_view kCollection[] = {"create", "list", "watch"};
  static constexpr std::string_view kAcross[] = {"list", "watch"};
  const bool across = kind.namespaced && info.namespace_.empty();
  // A list may have a name from its field selector.
  const bool is_object = !info.name.empty() && !IsListed(info);
  if ((is_object || across) && !kind.stored) return std::nullopt;
  if (is_object && across) return std::nullopt;
  if (is_object) return kObject;
  return across ? Verbs(kAcross) : Verbs(kCollection);
}

}  // namespace

std::optional<Reply> RouteError(const KindRegistry& kinds, const KindInfo* kind,
                                const RequestInfo& info, std::string_view method) {
  if (kind == nullptr)
    return IsCustomGroup(kinds, info.group) ? PageNotFound() : ErrorReply(NotFoundPath());
  if (info.is_deeper || (!kind->namespaced && IsInNamespace(info)))
    return ErrorReply(NotFoundPath());
  bool is_served = method != "HEAD";
  if (!info.subresource.empty()) {
    const Subresource* sub = kind->FindSubresource(info.subresource);
    if (sub == nullptr || (kind->namespaced && info.namespace_.empty()))
      return ErrorReply(NotFoundPath());
    is_served &= HasVerb(sub->verbs, info.verb);
  } else {
    const auto verbs = VerbsOfPath(*kind, info);
    if (!verbs) return ErrorReply(NotFoundPath());
    is_served &= kind->HasVerb(info.verb) &&
                 std::find(verbs->begin(), verbs->end(), info.verb) != verbs->end();
  }
  if (is_served) return std::nullopt;
  return ErrorReply(MethodNotAllowed());
}

bool IsCustomGroup(const KindRegistry& kinds, std::string_view name) {
  const KindRegistry::Group* group = kinds.FindGroup(name);
  if (group == nullptr) return true;
  const auto is_custom = [](const KindPtr& kind) { return kind->custom; };
  return std::all_of(group->versions.begin(), group->versions.end(), [&](const auto& version) {
    return std::all_of(version.kinds.begin(), version.kinds.end(), is_custom);
  });
}

}  // namespace berth::apiserver
