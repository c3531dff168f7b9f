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
    out.push_back(
        FieldError::Invalid("query", query, "unknown placeholder; allowed: {{device}}, {{range}}"));
    return;
  }
}

// Reports whether the name is a valid Prometheus label name.
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
          .Doc("The network device to measure."),
      json::Field("timeRange", &NetworkTrafficArgs::time_range)
          .Default(R"("5m")")
          .Doc("Time range over which the traffic is averaged, such as 5m or 90s. A bare number is "
               "in minutes and causes a warning."),
      json::Field("metric", &NetworkTrafficArgs::metric)
          .OneOf("receive|transmit|both")
          .Default(R"("both")")
          .Doc("Direction of the traffic to measure."),
      json::Field("query", &NetworkTrafficArgs::query)
          .MaxLength(kMaxQuery)
          .Default(R"("")")
          .Doc("PromQL query to use instead of the built-in one. It must return one sample per "
               "node, with the label nodeLabel. {{device}} is replaced by deviceName, {{range}} by "
               "timeRange."),
      json::Field("nodeLabel", &NetworkTrafficArgs::node_label)
          .Default(R"("instance")")
          .Doc("Label of a sample that identifies the node, by its name or an address in its "
               "status; a port is cut off. With nodename the built-in query joins node_uname_info "
               "of the node exporter: use it if instance is neither name nor address."),
      json::Field("refreshInterval", &NetworkTrafficArgs::refresh_interval)
          .Default(R"("15s")")
          .Doc("Interval of the queries to Prometheus: one query for all nodes, independent of "
               "scheduling. While queries fail, the interval doubles each time, up to 2m."),
      json::Field("timeout", &NetworkTrafficArgs::timeout)
          .Default(R"("5s")")
          .Doc("Timeout of a query."),
      json::Field("maxAge", &NetworkTrafficArgs::max_age)
          .Default(R"("5m")")
          .Doc(
              "How long a result is used while newer queries fail. Not used if onMissing is last."),
      json::Field("onMissing", &NetworkTrafficArgs::on_missing)
          .OneOf("neutral|skip|last")
          .Default(R"("neutral")")
          .Doc("Score of a node without a sample. neutral: as with average traffic. skip: the "
               "plugin is skipped for a pod if a feasible node has no sample. last: the node's "
               "last sample is used, whatever its age.")));
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
                                         "expected a duration of at least 1s, such as 5m or 90s"));
  }
  if (device_name.empty() && (query.empty() || Has(query, kDeviceHole))) {
    errors.push_back(FieldError::Required("deviceName", "such as eth0"));
  }
  if (std::ranges::any_of(device_name, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
    errors.push_back(
        FieldError::Invalid("deviceName", device_name, "must not have control characters"));
  }
  if (!IsLabel(node_label)) {
    errors.push_back(FieldError::Invalid(
        "nodeLabel", node_label,
        "must be a Prometheus label name: letters, digits and _, not starting with a digit"));
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

std::vector<api::FieldWarning> NetworkTrafficArgs::Warnings() const {
  if (!time_range.IsInt()) return {};
  const std::string number = std::to_string(time_range.number());
  return {
      {"timeRange", "the bare number " + number + " is read as minutes: write " + number + "m"}};
}

}  // namespace berth::scheduler
