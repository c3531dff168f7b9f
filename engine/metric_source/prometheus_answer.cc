// SPDX-License-Identifier: Apache-2.0
#include "engine/metric_source/prometheus_answer.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/json/json.h"
#include "base/strings.h"
#include "engine/content_encoding.h"

namespace berth::engine {
namespace {

struct Series {
  std::map<std::string, std::string> labels;
  std::vector<json::Raw> value;  // time and value; absent for a histogram
  static auto Fields() {
    return json::Object(json::Field("metric", &Series::labels),
                        json::Field("value", &Series::value));
  }
};

struct ResultType {
  std::string type;
  static auto Fields() { return json::Object(json::Field("resultType", &ResultType::type)); }
};

struct Vector {
  std::vector<Series> result;
  static auto Fields() { return json::Object(json::Field("result", &Vector::result)); }
};

struct Envelope {
  std::string status, error_type, error;
  json::Raw data;
  static auto Fields() {
    return json::Object(
        json::Field("status", &Envelope::status), json::Field("errorType", &Envelope::error_type),
        json::Field("error", &Envelope::error), json::Field("data", &Envelope::data));
  }
};

// Values are strings, since JSON has neither NaN nor Inf. A valid number contains no escapes.
std::optional<double> FigureOf(const Series& series) {
  if (series.value.size() != 2) return std::nullopt;
  std::string_view text = series.value[1].text;
  if (text.size() < 2 || text.front() != '"') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  double figure = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), figure);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || !std::isfinite(figure) || figure < 0) return std::nullopt;
  return figure;
}

Failure Unusable(std::string message) { return Fail(Reason::kUnavailable, std::move(message)); }

Result<Envelope> ReadEnvelope(const http::Response& response) {
  BERTH_TRY_VOID(RejectEncoding(response));
  auto envelope = json::Decode<Envelope>(response.body);
  if (envelope && envelope->status == "error") {
    return Unusable(envelope->error_type + ": " + envelope->error);
  }
  if (response.code >= 300 && response.code < 400) {
    return Unusable("code " + std::to_string(response.code) +
                    ": redirects are not followed; set the address that it leads to");
  }
  if (response.code != 200) return Unusable("code " + std::to_string(response.code));
  if (!envelope) return Unusable("not an answer of Prometheus: " + envelope.error().message());
  if (envelope->status != "success") {
    return Unusable("not an answer of Prometheus: status " + json::Quoted(envelope->status));
  }
  return envelope;
}

// Returns an IPv6 address in the form that kubelets write (RFC 5952); other texts unchanged.
std::string Shortened(std::string_view address) {
  std::string text(address);
  in6_addr bytes;
  char shortest[INET6_ADDRSTRLEN];
  if (inet_pton(AF_INET6, text.c_str(), &bytes) != 1) return text;
  return inet_ntop(AF_INET6, &bytes, shortest, sizeof(shortest));
}

}  // namespace

Result<PrometheusAnswer> ReadPrometheusAnswer(const http::Response& response,
                                              std::string_view label) {
  BERTH_TRY(const Envelope envelope, ReadEnvelope(response));
  const auto type = json::Decode<ResultType>(envelope.data.text);
  if (!type || type->type != "vector") {
    return Unusable("the query gives " + (type ? json::Quoted(type->type) : "no result") +
                    ", expected a vector: a sample for each node");
  }
  auto vector = json::Decode<Vector>(envelope.data.text);
  if (!vector) return Unusable("not an answer of Prometheus: " + vector.error().message());
  if (vector->result.size() > kMaxSeries) {
    return Unusable("the query gives " + std::to_string(vector->result.size()) +
                    " series, allowed: " + std::to_string(kMaxSeries) + ", one for each node");
  }
  PrometheusAnswer answer;
  const std::string name(label);
  for (const Series& series : vector->result) {
    const auto named = series.labels.find(name);
    const std::string node = named == series.labels.end() ? "" : NodeOf(named->second);
    const auto figure = FigureOf(series);
    if (node.empty()) {
      ++answer.without_label;
    } else if (!figure) {
      ++answer.without_value;
    } else {
      double& highest = answer.samples[node];
      highest = std::max(highest, *figure);
    }
  }
  return answer;
}

std::string NodeOf(std::string_view label_value) {
  if (label_value.starts_with('[')) {
    const size_t end = label_value.find(']');
    return Shortened(label_value.substr(1, end == label_value.npos ? end : end - 1));
  }
  const size_t colon = label_value.find(':');
  if (colon != label_value.rfind(':')) return Shortened(label_value);
  return std::string(label_value.substr(0, colon));
}

}  // namespace berth::engine
