// SPDX-License-Identifier: Apache-2.0
#include "controllers/called_services.h"

#include <optional>
#include <utility>

#include "controllers/port.h"

namespace berth::controllers {
namespace {

std::optional<std::string> WhyRejected(const CalledService& called) {
  if (!called.denied.empty()) return "cannot be read by the operator (" + called.denied + ")";
  if (called.service == nullptr) return std::nullopt;
  const auto why = api::ForbiddenReason(called.service->spec);
  if (!why) return std::nullopt;
  return std::string(*why);
}

}  // namespace

Result<CalledServices> ReadCalledServices(const crds::SchedulerProfile& profile,
                                          const crds::Allowances& allowances, WritePort& port) {
  CalledServices services;
  for (const crds::ServiceCall& call : crds::ServiceCalls(profile, allowances)) {
    const auto [at, is_new] = services.try_emplace(call.service);
    if (!is_new) continue;
    const auto found =
        port.Get({&api::Service::kResource, call.service.namespace_, call.service.name});
    if (found) {
      at->second.service = found->As<api::Service>();
    } else if (found.error().Is(Reason::kForbidden)) {
      at->second.denied = found.error().message();
    } else if (!found.error().Is(Reason::kNotFound)) {
      return Fail(found.error().With("Service " + call.service.ToString()));
    }
  }
  return services;
}

std::vector<crds::Rejection> RejectServices(const crds::SchedulerProfile& profile,
                                            const crds::Allowances& allowances,
                                            const CalledServices& services) {
  std::vector<crds::Rejection> rejections;
  for (const crds::ServiceCall& call : crds::ServiceCalls(profile, allowances)) {
    const auto called = services.find(call.service);
    if (called == services.end()) continue;
    if (const auto why = WhyRejected(called->second)) {
      rejections.push_back(crds::RejectService(call, *why));
    }
  }
  return rejections;
}

}  // namespace berth::controllers
