// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plugins/network_traffic_args.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/json/json.h"
#include "base/strings.h"
#include "scheduler/plugins/traffic_query.h"

namespace berth::scheduler {
namespace {

using api::FieldError;
using std::chrono::milliseconds;

constexpr size_t kMaxQuery = 4096;

constexpr std::array<std::string_view, 3> kMetrics = {"receive", "transmit", "both"};
constexpr std::array<std::string_view, 3> kOnMissing = {"neutral", "skip", "last"};

bool Has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

void CheckWord(std::string_view path, const std::string& word,
               const std::array<std::string_view, 3>& allowed, std::vector<FieldError>& out) {
  if (std::ranges::find(allowed, word) != allowed.end()) return;
  out.push_back(FieldError::NotSupported(std::string(path), word, allowed));
}

void CheckAtLeast(std::string_view path, Duration length, Duration least,
                  std::vector<FieldError>& out) {
  if (length >= least) return;
  out.push_back(FieldError::Invalid(std::string(path), length.ToString(),
                                    "must be at least " + least.ToString()));
}

void CheckHoles(const std::string& query, std::vector<FieldError>& out) {
  for (size_t at = query.find("{{"); at != query.npos; at = query.find("{{", at + 2)) {
    const std::string_view rest = std::string_view(query).substr(at);
    if (rest.starts_with(kDeviceHole) || rest.starts_with(kRangeHole)) continue;
    out.push_back(FieldError::Invalid("query", query,
                                      "{{device}} and {{range}} are all that "
                                      "stands for something else"));
    return;
  }
}

// As a Prometheus' label name.
bool IsLabel(std::string_view name) {
  const auto is_part = [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; };
  return !name.empty() && !IsDigit(name.front()) && std::ranges::all_of(name, is_part);
}

}  // namespace

const json::Type& NetworkTrafficArgs::JsonType() {
  static const json::Type type = json::Describe<NetworkTrafficArgs>(json::Object(
      json::Inherit<NetworkTrafficArgs, api::MetricSource>(),
      json::Field("deviceName", &NetworkTrafficArgs::device_name)
          .Default(R"("eth0")")
          .Doc("The network device whose traffic counts."),
      json::Field("timeRange", &NetworkTrafficArgs::time_range)
          .Default(R"("5m")")
          .Doc("The time over which the traffic is averaged, such as 5m or 90s. A bare number "
               "counts minutes, with a warning."),
      json::Field("metric", &NetworkTrafficArgs::metric)
          .OneOf("receive|transmit|both")
          .Default(R"("both")")
          .Doc("Which direction counts."),
      json::Field("query", &NetworkTrafficArgs::query)
          .MaxLength(kMaxQuery)
          .Default(R"("")")
          .Doc("PromQL to ask in place of the built-in query, with a sample for each node that "
               "has the label nodeLabel. {{device}} stands for deviceName, {{range}} for "
               "timeRange."),
      json::Field("nodeLabel", &NetworkTrafficArgs::node_label)
          .Default(R"("instance")")
          .Doc("Which label of a sample names the node, by its name or one of the addresses in its "
               "status; a port is cut off. With nodename the built-in query joins "
               "node_uname_info, which the node exporter gives: right where instance is neither."),
      json::Field("refreshInterval", &NetworkTrafficArgs::refresh_interval)
          .Default(R"("15s")")
          .Doc("How often Prometheus is asked: once for all nodes, whatever is scheduled. While "
               "it fails, twice as long each time, up to 2m."),
      json::Field("timeout", &NetworkTrafficArgs::timeout)
          .Default(R"("5s")")
          .Doc("How long an answer may take."),
      json::Field("maxAge", &NetworkTrafficArgs::max_age)
          .Default(R"("5m")")
          .Doc("How long an answer counts while no newer one comes. Not with onMissing: last."),
      json::Field("onMissing", &NetworkTrafficArgs::on_missing)
          .OneOf("neutral|skip|last")
          .Default(R"("neutral")")
          .Doc("What becomes of a node without a sample: neutral counts it as one with the "
               "average traffic, skip leaves the plugin out for pods that such a node fits, last "
               "takes the node's last sample, however old.")));
  return type;
}

std::optional<milliseconds> NetworkTrafficArgs::RangeLength() const {
  if (time_range.IsInt()) return std::chrono::minutes(time_range.number());
  const auto length = Duration::Parse(time_range.word());
  if (!length) return std::nullopt;
  return std::chrono::duration_cast<milliseconds>(length->length());
}

std::vector<FieldError> NetworkTrafficArgs::Validate() const {
  std::vector<FieldError> errors = api::Check(*this, "");
  const auto range = RangeLength();
  if (!range || *range < std::chrono::seconds(1)) {
    errors.push_back(FieldError::Invalid("timeRange", time_range.ToString(),
                                         "expected a length of at least 1s, such as 5m or 90s"));
  }
  if (device_name.empty() && (query.empty() || Has(query, kDeviceHole))) {
    errors.push_back(FieldError::Required("deviceName", "such as eth0"));
  }
  if (std::ranges::any_of(device_name, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
    errors.push_back(
        FieldError::Invalid("deviceName", device_name, "must not have control characters"));
  }
  if (!IsLabel(node_label)) {
    errors.push_back(FieldError::Invalid("nodeLabel", node_label,
                                         "expected a label of Prometheus: letters, digits and _"));
  }
  CheckHoles(query, errors);
  if (query.size() > kMaxQuery) {
    errors.push_back(FieldError::Forbidden(
        "query", "has " + std::to_string(query.size()) + " bytes, allowed: 4096"));
  }
  CheckWord("metric", metric, kMetrics, errors);
  CheckWord("onMissing", on_missing, kOnMissing, errors);
  CheckAtLeast("refreshInterval", refresh_interval, std::chrono::seconds(1), errors);
  CheckAtLeast("timeout", timeout, milliseconds(100), errors);
  CheckAtLeast("maxAge", max_age, refresh_interval, errors);
  return errors;
}

std::vector<std::string> NetworkTrafficArgs::Warnings() const {
  if (!time_range.IsInt()) return {};
  const std::string number = std::to_string(time_range.number());
  return {"timeRange: the bare number " + number + " counts minutes: write " + number + "m"};
}

}  // namespace berth::scheduler
