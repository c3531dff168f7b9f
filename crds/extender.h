// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta.h"
#include "base/json/json.h"
#include "base/time.h"

namespace berth::crds {

// Extender: an HTTP service that takes part in scheduling, with the fields of
// KubeSchedulerConfiguration v1 and two selectors of ours.

struct ExtenderTls {
  bool insecure = false;
  std::string server_name;
  std::string secret_name;
  std::string cert_file;
  std::string key_file;
  std::string ca_file;
  std::string cert_data;
  std::string key_data;
  std::string ca_data;
  bool operator==(const ExtenderTls&) const = default;

  static constexpr std::string_view kNoKeyData =
      "a private key does not belong in a profile, which many may read: put it in a Secret and "
      "name that in secretName";

  static const json::Type& JsonType();
};

struct ExtenderResource {
  std::string name;
  bool ignored_by_scheduler = false;
  bool operator==(const ExtenderResource&) const = default;

  static const json::Type& JsonType();
};

struct Extender {
  std::string url_prefix;
  std::string filter_verb;
  std::string preempt_verb;
  std::string prioritize_verb;
  std::string bind_verb;
  int32_t weight = 0;
  bool enable_https = false;
  std::optional<ExtenderTls> tls_config;
  Duration http_timeout;
  bool node_cache_capable = false;
  std::vector<ExtenderResource> managed_resources;
  bool ignorable = false;
  std::optional<api::LabelSelector> pod_selector;
  std::optional<api::LabelSelector> namespace_selector;
  bool operator==(const Extender&) const = default;

  static constexpr std::string_view kWeightNeeded = "must have a positive weight applied to it";

  static const json::Type& JsonType();
};

}  // namespace berth::crds
