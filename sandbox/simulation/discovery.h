// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/meta.h"
#include "client/client.h"

namespace berth::simulation {

// ServedResource is a resource of the API server, known only at run time.
class ServedResource {
 public:
  ServedResource(std::string group, std::string version, std::string kind, std::string plural,
                 bool namespaced, std::set<std::string> verbs);
  ServedResource(const ServedResource&) = delete;
  ServedResource& operator=(const ServedResource&) = delete;

  const api::ResourceInfo& info() const { return info_; }
  bool Can(const std::string& verb) const { return verbs_.contains(verb); }

 private:
  const std::string group_, version_, kind_, plural_;
  const std::set<std::string> verbs_;
  const api::ResourceInfo info_;  // refers to the texts above
};

using ServedResourcePtr = std::shared_ptr<const ServedResource>;

// Lists all resources in the preferred version of their group, without subresources and without
// groups with an unavailable server.
Result<std::vector<ServedResourcePtr>> DiscoverResources(client::Client& client);

// Parses the response to /api/v1 or /apis/GROUP/VERSION.
std::vector<ServedResourcePtr> ParseResourceList(const std::string& json);

}  // namespace berth::simulation
