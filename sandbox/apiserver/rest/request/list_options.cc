// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/document.h"
#include "sandbox/apiserver/rest/request/option_values.h"
#include "sandbox/apiserver/rest/request/request_options.h"

// The options of lists, watches and collection deletions. Source: apimachinery
// pkg/apis/meta/internalversion/validation.
namespace berth::apiserver {
namespace {

using nlohmann::json;

constexpr const char* kMatch = "resourceVersionMatch";

FieldError Forbid(const char* why) { return FieldError::Forbidden(kMatch, why); }

Errors ListErrors(const Query& query) {
  Errors errors;
  const std::string match = query.Get(kMatch);
  const std::string version = query.Get("resourceVersion");
  if (!match.empty()) {
    if (version.empty())
      errors.push_back(
          Forbid("resourceVersionMatch is forbidden unless resourceVersion is provided"));
    if (!query.Get("continue").empty())
      errors.push_back(Forbid("resourceVersionMatch is forbidden when continue is provided"));
    if (match != "Exact" && match != "NotOlderThan") {
      errors.push_back(UnsupportedOption(kMatch, Quoted(match), R"("Exact", "NotOlderThan", "")"));
    }
    if (match == "Exact" && version == "0") {
      errors.push_back(
          Forbid("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
  }
  if (query.Has("sendInitialEvents")) {
    errors.push_back(
        FieldError::Forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

Errors WatchErrors(const Query& query, bool watch_list) {
  static constexpr std::string_view kOnly = "NotOlderThan";
  Errors errors;
  const std::string match = query.Get(kMatch);
  const bool initial = query.Has("sendInitialEvents");
  if (initial && match != kOnly) {
    errors.push_back(
        Forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (initial && !watch_list) {
    errors.push_back(FieldError::Forbidden(
        "sendInitialEvents",
        "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"));
  }
  if (!initial && !match.empty()) {
    errors.push_back(
        Forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (!match.empty() && match != kOnly)
    errors.push_back(UnsupportedOption(kMatch, Quoted(match), "\"NotOlderThan\""));
  if (!query.Get("continue").empty())
    errors.push_back(Forbid("resourceVersionMatch is forbidden when continue is provided"));
  return errors;
}

struct Numbers {
  int64_t limit = 0, timeout_seconds = 0;
};

// Numbers are decoded before any validation.
Answer<Numbers> ReadNumbers(const Query& query) {
  Numbers numbers;
  for (const auto& [name, value] : {std::pair("limit", &numbers.limit),
                                    std::pair("timeoutSeconds", &numbers.timeout_seconds)}) {
    if (!query.Has(name)) continue;
    const auto number = ReadInteger(query.Get(name));
    if (!number) return Reject(number.error());
    *value = *number;
  }
  return numbers;
}

// The error for an unknown field depends on whether the kind has selectable fields.
Answer<Selection> ReadSelection(const RequestInfo& info, const KindInfo& kind) {
  Selection selection{.namespace_ = info.resource == "namespaces" ? "" : info.namespace_,
                      .labels = api::Selector::Everything(),
                      .fields = {}};
  auto labels = ParseLabelSelector(info.query.Get("labelSelector"));
  if (!labels) return Reject(FromError(labels.error()));
  selection.labels = std::move(*labels);
  const bool converts = kind.custom || !kind.selectable.empty();
  auto chosen = FieldSelector::Parse(
      info.query.Get("fieldSelector"),
      kind.selectable_names.empty() ? kind.selectable : kind.selectable_names,
      converts ? FieldSelector::Unknown::kNotSupported : FieldSelector::Unknown::kNotKnown);
  if (!chosen) return Reject(FromError(chosen.error()));
  selection.fields = std::move(*chosen);
  return selection;
}

}  // namespace

Answer<ListOptions> ReadListOptions(const RequestInfo& info, const KindInfo& kind) {
  const Query& query = info.query;
  const auto numbers = ReadNumbers(query);
  if (!numbers) return Reject(numbers.error());
  if (const auto errors = ListErrors(query); !errors.empty())
    return BadOptions("ListOptions", errors);
  auto selection = ReadSelection(info, kind);
  if (!selection) return Reject(std::move(selection).error());
  ListOptions options{.selection = std::move(*selection),
                      .limit = numbers->limit,
                      .continue_ = query.Get("continue"),
                      .resource_version = query.Get("resourceVersion"),
                      .match = VersionMatch::kUnset};
  const std::string match = query.Get(kMatch);
  if (match == "Exact") options.match = VersionMatch::kExact;
  if (match == "NotOlderThan") options.match = VersionMatch::kNotOlderThan;
  return options;
}

Answer<WatchRequest> ReadWatchRequest(const RequestInfo& info, const KindInfo& kind,
                                      bool watch_list) {
  const Query& query = info.query;
  const auto numbers = ReadNumbers(query);
  if (!numbers) return Reject(numbers.error());
  if (const auto errors = WatchErrors(query, watch_list); !errors.empty())
    return BadOptions("ListOptions", errors);
  auto selection = ReadSelection(info, kind);
  if (!selection) return Reject(std::move(selection).error());
  WatchRequest request;
  request.timeout = std::chrono::seconds(std::max<int64_t>(numbers->timeout_seconds, 0));
  request.options.selection = std::move(*selection);
  request.options.resource_version = query.Get("resourceVersion");
  request.options.allow_bookmarks = query.GetBool("allowWatchBookmarks");
  if (query.Has("sendInitialEvents"))
    request.options.send_initial_events = query.GetBool("sendInitialEvents");
  return request;
}

}  // namespace berth::apiserver
