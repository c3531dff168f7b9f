// SPDX-License-Identifier: Apache-2.0
#include "crds/sidecar.h"

#include "base/json/field_path.h"
#include "crds/patterns.h"

namespace berth::crds {
namespace {

// A DNS label. Source: apimachinery util/validation, IsDNS1123Label.
constexpr const char* kLabelPattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

}  // namespace

const json::Type& Sidecar::JsonType() {
  static const json::Type type = json::Describe<Sidecar>(
      json::Object(
          json::Field("name", &Sidecar::name)
              .Doc("Name of the container.")
              .Required()
              .Pattern(kLabelPattern)
              .MaxLength(63)
              .Rule("self != 'scheduler'", kSchedulersName),
          json::Field("image", &Sidecar::image)
              .Doc("Container image, allowed by the operator's list. It runs as user 65532, with a "
                   "read-only file system.")
              .Pattern(kImagePattern)
              .MaxLength(1024),
          json::Field("command", &Sidecar::command)
              .Doc("Command of the container; empty: the image's entry point.")
              .MaxItems(32)
              .ItemMaxLength(1024),
          json::Field("args", &Sidecar::args)
              .Doc("Arguments of the command.")
              .MaxItems(64)
              .ItemMaxLength(1024),
          json::Field("port", &Sidecar::port)
              .Doc("Port of the program; extenders can use "
                   "http://localhost:PORT.")
              .Required()
              .Min(1)
              .Max(65535)
              .Rule("self != 10259", kSchedulersPort),
          json::Field("env", &Sidecar::env)
              .Doc("Environment of the container. Referenced Secrets and ConfigMaps must have "
                   "names that begin with berth-<profile>-, or be on the operator's list.")
              .ListMap("name")
              .MaxItems(64),
          json::Field("resources", &Sidecar::resources)
              .Doc("Requests and limits of the container; without cpu or memory "
                   "the operator sets a small request."))
          .Rule("has(self.image) && self.image != ''", kFillInImage));
  return type;
}

std::string SidecarPath(const Sidecar& sidecar) {
  return json::ListEntryPath("spec.deployment.sidecars", "name", sidecar.name);
}

api::SidecarPorts SidecarPortsOf(std::span<const Sidecar> sidecars) {
  api::SidecarPorts ports;
  for (const Sidecar& sidecar : sidecars) ports.insert(static_cast<uint16_t>(sidecar.port));
  return ports;
}

}  // namespace berth::crds
