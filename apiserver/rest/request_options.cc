// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rest/request_options.h"

#include <charconv>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

Refusal BadOptions(std::string_view type, const std::vector<FieldProblem>& problems) {
  return Refuse(Invalid("meta.k8s.io", type, "", problems));
}

FieldProblem Unsupported(std::string path, const std::string& value, std::string_view allowed) {
  return {std::move(path), "FieldValueNotSupported",
          "Unsupported value: " + value + ": supported values: " + std::string(allowed)};
}

Answer<bool> ReadDryRun(const std::vector<std::string>& values, std::string_view type) {
  for (const std::string& value : values) {
    if (value == "All") continue;
    return BadOptions(type, {Unsupported("dryRun", json(values).dump(), "\"All\"")});
  }
  return !values.empty();
}

Answer<int64_t> ReadInteger(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  return Refuse(BadRequest("strconv.ParseInt: parsing " + json(text).dump() + ": invalid syntax"));
}

std::string ManagerOf(const Query& query, std::string_view user_agent) {
  const std::string given = query.Get("fieldManager");
  return given.empty() ? std::string(user_agent.substr(0, user_agent.find('/'))) : given;
}

std::vector<FieldProblem> MatchProblems(const Query& query, bool watching) {
  std::vector<FieldProblem> problems;
  const std::string match = query.Get("resourceVersionMatch");
  const std::string version = query.Get("resourceVersion");
  const bool initial = query.Has("sendInitialEvents");
  const auto forbid = [&](const char* why) {
    problems.push_back(ForbiddenField("resourceVersionMatch", why));
  };
  if (watching) {
    if (initial && match != "NotOlderThan") {
      forbid("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (!initial && !match.empty()) {
      forbid("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    return problems;
  }
  if (initial) {
    problems.push_back(
        ForbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  if (match.empty()) return problems;
  if (version.empty())
    forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (!query.Get("continue").empty())
    forbid("resourceVersionMatch is forbidden when continue is provided");
  if (match != "Exact" && match != "NotOlderThan") {
    problems.push_back(Unsupported("resourceVersionMatch", json(match).dump(),
                                   "\"Exact\", \"NotOlderThan\", \"\""));
  }
  if (match == "Exact" && version == "0") {
    forbid("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  return problems;
}

}  // namespace

Answer<WriteOptions> ReadWriteOptions(const Query& query, std::string_view type,
                                      std::string_view user_agent) {
  WriteOptions options;
  const auto dry_run = ReadDryRun(query.All("dryRun"), type);
  if (!dry_run) return Refuse(dry_run.error());
  options.dry_run = *dry_run;
  options.force = query.GetBool("force");
  options.manager = ManagerOf(query, user_agent);
  options.names_manager = !query.Get("fieldManager").empty();
  if (options.manager.size() > 128) {
    return BadOptions(
        type, {{"fieldManager", "FieldValueTooLong", "Too long: may not be more than 128 bytes"}});
  }
  const std::string validation = query.Get("fieldValidation");
  if (validation == "Ignore")
    options.validation = FieldValidation::kIgnore;
  else if (validation == "Strict")
    options.validation = FieldValidation::kStrict;
  else if (!validation.empty() && validation != "Warn") {
    return BadOptions(type, {Unsupported("fieldValidation", json(validation).dump(),
                                         "\"\", \"Ignore\", \"Strict\", \"Warn\"")});
  }
  return options;
}

Answer<DeleteOptions> DeleteOptionsOf(const json& document) {
  DeleteOptions options;
  std::vector<std::string> dry;
  if (const auto found = document.find("dryRun"); found != document.end() && found->is_array()) {
    dry = found->get<std::vector<std::string>>();
  }
  const auto dry_run = ReadDryRun(dry, "DeleteOptions");
  if (!dry_run) return Refuse(dry_run.error());
  options.dry_run = *dry_run;
  if (const auto grace = document.find("gracePeriodSeconds");
      grace != document.end() && grace->is_number_integer()) {
    options.grace_seconds = grace->get<int64_t>();
  }
  options.propagation = document.value("propagationPolicy", "");
  const bool known = options.propagation.empty() || options.propagation == "Orphan" ||
                     options.propagation == "Background" || options.propagation == "Foreground";
  if (!known) {
    return BadOptions("DeleteOptions",
                      {Unsupported("propagationPolicy", json(options.propagation).dump(),
                                   "\"Foreground\", \"Background\", \"Orphan\", \"nil\"")});
  }
  if (document.value("orphanDependents", false)) options.propagation = "Orphan";
  if (const auto found = document.find("preconditions");
      found != document.end() && found->is_object()) {
    options.uid = found->value("uid", "");
    options.resource_version = found->value("resourceVersion", "");
  }
  return options;
}

Answer<DeleteOptions> ReadDeleteOptions(const Query& query) {
  json document = json::object();
  if (query.Has("dryRun")) document["dryRun"] = query.All("dryRun");
  if (query.Has("propagationPolicy"))
    document["propagationPolicy"] = query.Get("propagationPolicy");
  if (query.Has("orphanDependents"))
    document["orphanDependents"] = query.GetBool("orphanDependents");
  if (query.Has("gracePeriodSeconds")) {
    const auto grace = ReadInteger(query.Get("gracePeriodSeconds"));
    if (!grace) return Refuse(grace.error());
    document["gracePeriodSeconds"] = *grace;
  }
  return DeleteOptionsOf(document);
}

Answer<Selection> ReadSelection(const RequestInfo& info, std::span<const std::string> fields) {
  Selection selection{.namespace_ = info.resource == "namespaces" ? "" : info.namespace_,
                      .labels = api::Selector::Everything(),
                      .fields = {}};
  auto labels = ParseLabelSelector(info.query.Get("labelSelector"));
  if (!labels) return Refuse(FromError(labels.error()));
  selection.labels = std::move(*labels);
  auto chosen = FieldSelector::Parse(info.query.Get("fieldSelector"), fields);
  if (!chosen) return Refuse(FromError(chosen.error()));
  selection.fields = std::move(*chosen);
  return selection;
}

Answer<ListOptions> ReadListOptions(const RequestInfo& info, std::span<const std::string> fields) {
  if (const auto problems = MatchProblems(info.query, false); !problems.empty()) {
    return BadOptions("ListOptions", problems);
  }
  auto selection = ReadSelection(info, fields);
  if (!selection) return Refuse(std::move(selection).error());
  ListOptions options{.selection = std::move(*selection),
                      .limit = 0,
                      .continue_ = info.query.Get("continue"),
                      .resource_version = info.query.Get("resourceVersion"),
                      .match = VersionMatch::kUnset};
  if (info.query.Has("limit")) {
    const auto limit = ReadInteger(info.query.Get("limit"));
    if (!limit) return Refuse(limit.error());
    options.limit = *limit;
  }
  const std::string match = info.query.Get("resourceVersionMatch");
  if (match == "Exact") options.match = VersionMatch::kExact;
  if (match == "NotOlderThan") options.match = VersionMatch::kNotOlderThan;
  return options;
}

Answer<WatchOptions> ReadWatchOptions(const RequestInfo& info,
                                      std::span<const std::string> fields) {
  if (const auto problems = MatchProblems(info.query, true); !problems.empty()) {
    return BadOptions("ListOptions", problems);
  }
  auto selection = ReadSelection(info, fields);
  if (!selection) return Refuse(std::move(selection).error());
  WatchOptions options;
  options.selection = std::move(*selection);
  options.resource_version = info.query.Get("resourceVersion");
  options.allow_bookmarks = info.query.GetBool("allowWatchBookmarks");
  if (info.query.Has("sendInitialEvents")) {
    options.send_initial_events = info.query.GetBool("sendInitialEvents");
  }
  return options;
}

}  // namespace berth::apiserver
