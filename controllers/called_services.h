// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/core.h"
#include "api/outbound_address.h"
#include "base/error.h"
#include "crds/allowances.h"

namespace berth::controllers {

class WritePort;

// CalledService is a Service that a profile sends requests to.
struct CalledService {
  std::shared_ptr<const api::Service> service;  // null: it does not exist, or may not be read
  std::string denied;                           // why it may not be read
};

using CalledServices = std::map<api::ServiceReference, CalledService>;

// Reads the Services of crds::ServiceCalls, one request for each. Errors: the API server cannot
// answer now, so the profile must not be judged.
Result<CalledServices> ReadCalledServices(const crds::SchedulerProfile& profile,
                                          const crds::Allowances& allowances, WritePort& port);

// Returns the rejections of a profile because of its Services: those that may lead to any address,
// and those that may not be read. A Service that does not exist is not rejected: extenders are
// often created after their profile. Pure.
std::vector<crds::Rejection> RejectServices(const crds::SchedulerProfile& profile,
                                            const crds::Allowances& allowances,
                                            const CalledServices& services);

}  // namespace berth::controllers
