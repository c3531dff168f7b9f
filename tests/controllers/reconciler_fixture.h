// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "base/fake_clock.h"
#include "controllers/reconciler.h"
#include "tests/controllers/cluster_on_server.h"
#include "tests/controllers/profiles.h"

namespace berth::controllers {

// ReconcilerTest runs a reconciler on an in-memory API server.
class ReconcilerTest : public testing::Test {
 protected:
  Outcome Reconcile(const std::string& name = "a") {
    Outcome outcome = reconciler_.Reconcile(name);
    if (const auto profile = cluster_.Profile(name)) {
      EXPECT_EQ(profile->status.observed_generation, profile->metadata.generation);
    }
    return outcome;
  }
  // Returns the names of the objects that the recorded events are about.
  std::vector<std::string> NamesInEvents() const {
    std::vector<std::string> names;
    for (const auto& event : cluster_.events) names.push_back(event.regarding.name);
    return names;
  }
  // Creates a profile, and before it an object without owner that has a scheduler's report.
  void PutReportAndProfile(const ObjectKey& key) {
    api::ObjectMeta made;
    made.annotations["berth.dev/applied-config-hash"] = "h";
    cluster_.PutForeign(key, made);
    cluster_.PutProfile(MakeProfile("a"));
  }

  // Reconciles until the objects are written and observed; then clears the records.
  void Settle() {
    Reconcile();
    Reconcile();
    cluster_.writes.clear();
    cluster_.events.clear();
  }

  std::string MessageOf(const std::string& type) {
    const api::Condition* condition =
        api::FindCondition(cluster_.ProfileNow("a").status.conditions, type);
    return condition ? condition->reason + ": " + condition->message : "";
  }

  ObjectKey Key(const api::ResourceInfo& resource) const {
    return {&resource, "berth-system", "berth-a"};
  }

  FakeClock clock_;
  ClusterOnServer cluster_;
  WriteMemory memory_;
  Reconciler reconciler_{cluster_, cluster_, memory_, ShippedCatalogue(), TestOptions(), clock_};
};

}  // namespace berth::controllers
