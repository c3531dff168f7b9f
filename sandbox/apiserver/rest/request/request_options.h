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

// WriteOptions are the options of create, update and patch.
struct WriteOptions {
  bool dry_run = false;
  bool force = false;
  std::string manager;         // fieldManager, else the name in User-Agent
  bool names_manager = false;  // the client gave a fieldManager
  bool names_force = false;    // the client set force
  FieldValidation validation = FieldValidation::kWarn;
};

// `type` is the name of the options in errors: "CreateOptions". Errors have upstream's text.
Answer<WriteOptions> ReadWriteOptions(const Query& query, std::string_view type,
                                      std::string_view user_agent);

// DeleteOptions come from the body, otherwise from the query.
struct DeleteOptions {
  bool dry_run = false;
  std::optional<int64_t> grace_seconds;
  std::string propagation;            // Orphan, Background, Foreground, or empty
  std::string uid, resource_version;  // preconditions; empty: none
};
Answer<DeleteOptions> ReadDeleteOptions(const Query& query);
Answer<DeleteOptions> DecodeDeleteOptions(std::string_view content_type, std::string_view body);
// Requires: the document has the types of a DeleteOptions.
Answer<DeleteOptions> DeleteOptionsOf(const nlohmann::json& document);

// Parses the options of a list or deletecollection.
Answer<ListOptions> ReadListOptions(const RequestInfo& info, const KindInfo& kind);

struct WatchRequest {
  WatchOptions options;
  std::chrono::seconds timeout{0};  // 0: the server chooses
};
// `watch_list`: the feature gate WatchList. Without it sendInitialEvents is rejected.
Answer<WatchRequest> ReadWatchRequest(const RequestInfo& info, const KindInfo& kind,
                                      bool watch_list);

}  // namespace berth::apiserver
