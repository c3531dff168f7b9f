// SPDX-License-Identifier: Apache-2.0
#include "api/kubernetes_version.h"

#include <charconv>

namespace berth::api {
namespace {

// Removes the leading digits of a text and returns their value.
std::optional<unsigned> TakeNumber(std::string_view& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string KubernetesVersion::ToString() const {
  return std::to_string(major) + "." + std::to_string(minor);
}

std::optional<KubernetesVersion> ParseKubernetesVersion(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const auto major = TakeNumber(text);
  if (!major || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto minor = TakeNumber(text);
  if (!minor) return std::nullopt;
  return KubernetesVersion{*major, *minor};
}

}  // namespace berth::api
