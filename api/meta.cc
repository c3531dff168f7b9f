// SPDX-License-Identifier: Apache-2.0
#include "api/meta.h"

namespace berth::api {
namespace {

// Names are DNS names nearly everywhere, but those of roles may hold any character a path segment
// can.
void AppendSegment(std::string_view segment, std::string& path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  static constexpr std::string_view kPlain = "-._~:@!$&'()*+,;=";
  path += '/';
  for (const char c : segment) {
    const bool alphanumeric =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alphanumeric || kPlain.find(c) != std::string_view::npos) {
      path += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      path += '%';
      path += kHex[byte >> 4];
      path += kHex[byte & 15];
    }
  }
}

}  // namespace

std::string ResourceInfo::ApiVersion() const {
  std::string text(group);
  if (!text.empty()) text += '/';
  return text.append(version);
}

std::string ResourceInfo::Path(std::string_view namespace_name, std::string_view name,
                               std::string_view subresource) const {
  std::string path = group.empty() ? "/api/" : "/apis/";
  path += ApiVersion();
  if (namespaced && !namespace_name.empty()) {
    path += "/namespaces";
    AppendSegment(namespace_name, path);
  }
  AppendSegment(plural, path);
  if (name.empty()) return path;
  AppendSegment(name, path);
  if (!subresource.empty()) AppendSegment(subresource, path);
  return path;
}

std::string KeyOf(const ObjectMeta& metadata) {
  if (metadata.namespace_.empty()) return metadata.name;
  return metadata.namespace_ + "/" + metadata.name;
}

const OwnerReference* ControllerOf(const ObjectMeta& metadata) {
  for (const OwnerReference& owner : metadata.owner_references) {
    if (owner.controller.value_or(false)) return &owner;
  }
  return nullptr;
}

}  // namespace berth::api

BERTH_JSON_INSTANTIATE(berth::api::ObjectMeta);
BERTH_JSON_INSTANTIATE(berth::api::Status);
BERTH_JSON_INSTANTIATE(berth::api::WatchEvent);
BERTH_JSON_INSTANTIATE(berth::api::ObjectHeader);
BERTH_JSON_INSTANTIATE(berth::api::LabelSelector);
