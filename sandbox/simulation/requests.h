// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/meta.h"
#include "client/client.h"

// Requests of several controllers that are safe with stale data: they have a precondition on the
// object's uid or on its resource version.
namespace berth::simulation {

// Formats a selector for the query of a list: "a=b,c in (d,e)".
std::string SelectorText(const api::LabelSelector& selector);

// Replaces the status with `status_json`, including zeros that the encoding omits. Fails with
// kConflict if the object has changed since `metadata` was read.
Result<void> PatchStatus(client::Client& client, const api::ResourceInfo& resource,
                         const api::ObjectMeta& metadata, const std::string& status_json);

// Merges `patch` into the object, with the same precondition.
Result<void> PatchExactly(client::Client& client, const api::ResourceInfo& resource,
                          const api::ObjectMeta& metadata, const std::string& patch_json);

// Deletes the object with that uid; succeeds if it is gone or has been replaced.
Result<void> DeleteExactly(client::Client& client, const api::ResourceInfo& resource,
                           const api::ObjectMeta& metadata, api::DeleteOptions options = {});
// Deletes the object at the resource version of `metadata`. Succeeds if it is gone or has changed;
// the event of that change causes a new attempt.
Result<void> DeleteUnchanged(client::Client& client, const api::ResourceInfo& resource,
                             const api::ObjectMeta& metadata, api::DeleteOptions options);

// Drops the value of a result.
Result<void> Ignored(const Result<std::string>& answer);

}  // namespace berth::simulation
