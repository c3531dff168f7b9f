// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/volumes_seen.h"

#include <algorithm>

#include "tests/integration/harness/objects.h"

namespace berth::differential {
namespace {

using integration::At;
using integration::TextAt;

std::string NameIn(const std::string& ns, const std::string& of, const std::string& name) {
  return of == ns ? name : of + "/" + name;
}

// Replaces the UID by whether it matches the claim, and the version by its presence.
Json SeenReference(Json reference, const Json& claims) {
  const auto is_meant = [&](const Json& claim) {
    return TextAt(claim, "/metadata/name") == reference.value("name", "") &&
           TextAt(claim, "/metadata/namespace") == reference.value("namespace", "");
  };
  const auto claim = std::ranges::find_if(claims, is_meant);
  const std::string uid = claim == claims.end() ? "" : TextAt(*claim, "/metadata/uid");
  if (reference.contains("uid")) {
    reference["uid"] = reference["uid"] == uid ? "of the claim" : "of another";
  }
  if (reference.contains("resourceVersion")) reference["resourceVersion"] = "given";
  return reference;
}

}  // namespace

Json ClaimsSeen(const Json& claims, const std::string& ns) {
  Json all = Json::object();
  for (const Json& claim : claims) {
    Json seen = Json::object();
    const Json annotations = At(claim, "/metadata").value("annotations", Json::object());
    if (const auto node = annotations.find("volume.kubernetes.io/selected-node");
        node != annotations.end()) {
      seen["selectedNode"] = *node;
    }
    if (const std::string volume = TextAt(claim, "/spec/volumeName"); !volume.empty()) {
      seen["volumeName"] = volume;
    }
    if (annotations.contains("pv.kubernetes.io/bind-completed")) seen["bound"] = true;
    all[NameIn(ns, TextAt(claim, "/metadata/namespace"), TextAt(claim, "/metadata/name"))] =
        std::move(seen);
  }
  return all;
}

Json VolumesSeen(const Json& volumes, const Json& claims, const std::string& ns) {
  Json all = Json::object();
  for (const Json& volume : volumes) {
    Json seen = Json::object();
    const Json reference = At(volume, "/spec/claimRef");
    if (reference.is_object()) {
      seen["claim"] = NameIn(ns, reference.value("namespace", ""), reference.value("name", ""));
      seen["claimRef"] = SeenReference(reference, claims);
    }
    const Json annotations = At(volume, "/metadata").value("annotations", Json::object());
    if (const auto by = annotations.find("pv.kubernetes.io/bound-by-controller");
        by != annotations.end()) {
      seen["boundByController"] = *by;
    }
    all[TextAt(volume, "/metadata/name")] = std::move(seen);
  }
  return all;
}

std::string VolumeFor(const Json& volumes_seen, const std::string& claim) {
  for (const auto& [name, seen] : volumes_seen.items()) {
    if (seen.value("claim", "") == claim) return name;
  }
  return "";
}

}  // namespace berth::differential
