// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/meta.h"
#include "client/client.h"

// What several controllers ask of the API server, in the form that does nothing wrong when it is
// late: about one object by uid, or one state of it by resource version.
namespace berth::simulation {

// SelectorText writes a selector as the query of a list has it: "a=b,c in (d,e)".
std::string SelectorText(const api::LabelSelector& selector);

// PatchStatus replaces the fields of status that `status_json` names, or fails with kConflict when
// the object has changed since `metadata` was read. Zeros that a status leaves out are written.
Result<void> PatchStatus(client::Client& client, const api::ResourceInfo& resource,
                         const api::ObjectMeta& metadata, const std::string& status_json);

// PatchExactly merges `patch` into the object, under the same condition.
Result<void> PatchExactly(client::Client& client, const api::ResourceInfo& resource,
                          const api::ObjectMeta& metadata, const std::string& patch_json);

// DeleteExactly deletes that very object; one that is gone, or another of its name, is fine.
Result<void> DeleteExactly(client::Client& client, const api::ResourceInfo& resource,
                           const api::ObjectMeta& metadata, api::DeleteOptions options = {});
// DeleteUnchanged deletes that object as `metadata` shows it; one that is gone or has changed is
// left to the event that tells of it.
Result<void> DeleteUnchanged(client::Client& client, const api::ResourceInfo& resource,
                             const api::ObjectMeta& metadata, api::DeleteOptions options);

// Ignored drops the value of an answer.
Result<void> Ignored(const Result<std::string>& answer);

}  // namespace berth::simulation
