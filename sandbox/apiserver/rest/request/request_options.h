// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sandbox/apiserver/kinds/kind_info.h"
#include "sandbox/apiserver/rest/request/request_info.h"
#include "sandbox/apiserver/store/list.h"
#include "sandbox/apiserver/store/watcher.h"

namespace berth::apiserver {

enum class FieldValidation { kIgnore, kWarn, kStrict };

// WriteOptions are those of create, update and patch.
struct WriteOptions {
  bool dry_run = false;
  bool force = false;
  std::string manager;         // fieldManager, else the name in User-Agent
  bool names_manager = false;  // the client gave a fieldManager
  bool names_force = false;    // the client said something of force
  FieldValidation validation = FieldValidation::kWarn;
};

// `type` is how errors name the options: "CreateOptions". Errors are worded as upstream's.
Answer<WriteOptions> ReadWriteOptions(const Query& query, std::string_view type,
                                      std::string_view user_agent);

// DeleteOptions are from the body, else from the query.
struct DeleteOptions {
  bool dry_run = false;
  std::optional<int64_t> grace_seconds;
  std::string propagation;            // Orphan, Background, Foreground, or empty
  std::string uid, resource_version;  // preconditions; empty: none
};
Answer<DeleteOptions> ReadDeleteOptions(const Query& query);
Answer<DeleteOptions> DecodeDeleteOptions(std::string_view content_type, std::string_view body);
// The document has the types of a DeleteOptions.
Answer<DeleteOptions> DeleteOptionsOf(const nlohmann::json& document);

// What a list or a deletecollection is about.
Answer<ListOptions> ReadListOptions(const RequestInfo& info, const KindInfo& kind);

struct WatchRequest {
  WatchOptions options;
  std::chrono::seconds timeout{0};  // 0: the server chooses
};
// `watch_list`: the feature gate WatchList, without which sendInitialEvents is refused.
Answer<WatchRequest> ReadWatchRequest(const RequestInfo& info, const KindInfo& kind,
                                      bool watch_list);

}  // namespace berth::apiserver
