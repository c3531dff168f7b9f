// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "apiserver/kinds/kind_info.h"
#include "apiserver/rest/request_info.h"
#include "apiserver/store/list.h"
#include "apiserver/store/watcher.h"

namespace berth::apiserver {

enum class FieldValidation { kIgnore, kWarn, kStrict };

// WriteOptions are those of create, update and patch.
struct WriteOptions {
  bool dry_run = false;
  bool force = false;
  std::string manager;         // fieldManager, else the name in User-Agent
  bool names_manager = false;  // the client gave a fieldManager
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
Answer<DeleteOptions> DeleteOptionsOf(const nlohmann::json& document);

// What a list, a watch or a deletecollection is about. `fields` are selectable.
Answer<Selection> ReadSelection(const RequestInfo& info, std::span<const std::string> fields);
Answer<ListOptions> ReadListOptions(const RequestInfo& info, std::span<const std::string> fields);
Answer<WatchOptions> ReadWatchOptions(const RequestInfo& info, std::span<const std::string> fields);

}  // namespace berth::apiserver
