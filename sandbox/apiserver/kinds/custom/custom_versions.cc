// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/custom/custom_versions.h"

#include <charconv>
#include <optional>
#include <tuple>

#include <nlohmann/json.hpp>

namespace berth::apiserver {
namespace {

using nlohmann::json;

enum class Maturity { kAlpha, kBeta, kStable };
using VersionRank = std::tuple<Maturity, int, int>;  // and the two numbers

// Reads a number that does not begin with 0.
std::optional<int> TakeNumber(std::string_view& text) {
  int number = 0;
  if (text.empty() || text.front() == '0') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

std::optional<VersionRank> RankOf(std::string_view name) {
  if (!name.starts_with('v')) return std::nullopt;
  name.remove_prefix(1);
  const std::optional<int> major = TakeNumber(name);
  if (!major) return std::nullopt;
  if (name.empty()) return VersionRank(Maturity::kStable, *major, 0);
  const bool is_beta = name.starts_with("beta");
  if (!is_beta && !name.starts_with("alpha")) return std::nullopt;
  name.remove_prefix(is_beta ? 4 : 5);
  const std::optional<int> minor = TakeNumber(name);
  if (!minor || !name.empty()) return std::nullopt;
  return VersionRank(is_beta ? Maturity::kBeta : Maturity::kAlpha, *major, *minor);
}

}  // namespace

bool IsNewerVersion(const std::string& a, const std::string& b) {
  const auto first = RankOf(a), second = RankOf(b);
  if (first && second) return *first > *second;
  return first || second ? first.has_value() : a < b;
}

void ShowVersion(const KindInfo& kind, json& object) {
  if (!kind.storage_version.empty()) object["apiVersion"] = kind.ApiVersion();
}

void StoreVersion(const KindInfo& kind, json& object) {
  if (!kind.storage_version.empty()) object["apiVersion"] = kind.group + "/" + kind.storage_version;
}

std::string DeprecationWarning(const json& spec, const json& version) {
  if (!version.value("deprecated", false)) return "";
  if (const auto text = version.find("deprecationWarning");
      text != version.end() && text->is_string())
    return text->get<std::string>();
  const std::string group = spec.value("group", "") + "/";
  const std::string kind = " " + spec["names"].value("kind", "");
  const std::string name = version.value("name", "");
  std::string best;
  for (const json& other : spec["versions"]) {
    const std::string offered = other.value("name", "");
    const bool usable = other.value("served", false) && !other.value("deprecated", false);
    if (usable && IsNewerVersion(offered, name) && (best.empty() || IsNewerVersion(offered, best)))
      best = offered;
  }
  std::string text = group + name + kind + " is deprecated";
  if (!best.empty()) text += "; use " + group + best + kind;
  return text;
}

}  // namespace berth::apiserver
