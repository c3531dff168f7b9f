// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace berth::fuzz {

// Target passes any bytes to one parser of untrusted input and aborts if a guarantee of its header
// is violated. It may be called repeatedly, on one thread.
struct Target {
  std::string_view name;  // also the name of its corpus: corpus/<name>/
  void (*run)(std::string_view input);
};

std::span<const Target> Targets();

// One source file each, here or in tests/http/fuzz. A new target needs a row in targets.cc and a
// corpus.
void Cel(std::string_view input);
void ExtenderAnswer(std::string_view input);
void HttpAnswer(std::string_view input);
void HttpRequest(std::string_view input);
void Json(std::string_view input);
void Kubeconfig(std::string_view input);
void LabelSelector(std::string_view input);
void Profile(std::string_view input);
void PrometheusAnswer(std::string_view input);
void QuantityText(std::string_view input);
void Regex(std::string_view input);
void SchedulerConfig(std::string_view input);
void TimeText(std::string_view input);
void Transport(std::string_view input);
void WatchFrames(std::string_view input);
void Yaml(std::string_view input);

}  // namespace berth::fuzz
