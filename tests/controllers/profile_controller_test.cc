// SPDX-License-Identifier: Apache-2.0
#include "controllers/profile_controller.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/apiextensions.h"
#include "api/conditions.h"
#include "api/discovery.h"
#include "api/networking.h"
#include "api/scheduler_config.h"
#include "api/scheduler_contract.h"
#include "client/lease.h"
#include "controllers/client_port.h"
#include "crds/manifest.h"
#include "crds/names.h"
#include "tests/controllers/profiles.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::controllers {
namespace {

using crds::SchedulerProfile;
using http::Eventually;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::UnorderedElementsAre;

const std::string kNamespace(crds::kDefaultNamespace);

constexpr seconds kEnough{30};

PlanOptions AnyNamespace() {
  PlanOptions options = TestOptions();
  options.allowances.namespaces = {"*"};
  return options;
}

size_t ThreadsOfThisProcess() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

// Board records the names that each scheduler serves now.
class Board {
 public:
  using Names = std::set<std::string>;

  void Show(const std::string& scheduler, Names names) {
    const std::lock_guard lock(mutex_);
    served_[scheduler] = std::move(names);
  }
  Names Of(const std::string& scheduler) const {
    const std::lock_guard lock(mutex_);
    const auto found = served_.find(scheduler);
    return found == served_.end() ? Names() : found->second;
  }
  // Returns the names with more than one scheduler now.
  Names Twice() const {
    const std::lock_guard lock(mutex_);
    Names seen, twice;
    for (const auto& [scheduler, names] : served_) {
      for (const std::string& name : names) {
        if (!seen.insert(name).second) twice.insert(name);
      }
    }
    return twice;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Names> served_;  // guarded by mutex_
};

// PlayedScheduler fakes the pod of a profile's Deployment: it applies each configuration after a
// delay, and then reports it on the Lease.
class PlayedScheduler {
 public:
  PlayedScheduler(client::Client& client, const Clock& clock, std::string profile, Board& board)
      : profile_(std::move(profile)),
        client_(client),
        board_(board),
        lease_(client, kNamespace, "berth-" + profile_),
        config_maps_(client, {.ns = kNamespace, .name = "berth-" + profile_}, clock) {
    Deployed(1);
    config_maps_.Listen([this](const api::Change<api::ConfigMap>& change) {
      if (change.after) TakeOver(change.after->data.at(std::string(api::kConfigKey)));
    });
    config_maps_.Start();
  }

  ~PlayedScheduler() {
    config_maps_.Stop();
    board_.Show(profile_, {});
    Write("", std::nullopt);
    Deployed(0);
  }

 private:
  void TakeOver(const std::string& text) {
    std::this_thread::sleep_for(milliseconds(50));  // a reload takes time
    const auto config = api::LoadSchedulerConfiguration(text, "test");
    Board::Names names;
    for (const api::KubeSchedulerProfile& served : config->profiles) {
      names.insert(*served.scheduler_name);
    }
    board_.Show(profile_, std::move(names));
    Write("pod", api::ConfigHash(text));
  }

  // Retries on conflict: the operator writes to the Lease too, to set its owner.
  void Write(const std::string& holder, const std::optional<std::string>& hash) {
    while (true) {
      auto lease = lease_.Get();
      if (!lease) return;
      lease->spec.holder_identity = holder;
      lease->spec.lease_duration_seconds = 3600;
      if (hash) {
        lease->metadata.annotations[std::string(api::kAppliedConfigHashAnnotation)] = *hash;
      }
      const auto written = lease_.Update(*lease);
      if (written || !written.error().Is(Reason::kConflict)) return;
    }
  }

  void Deployed(int pods) {
    const std::string status = fmt::format(
        R"({{"status": {{"observedGeneration": 1000, "replicas": {0}, "updatedReplicas": {0},
                         "readyReplicas": {0}, "availableReplicas": {0}}}}})",
        pods);
    const auto patch = [&] {
      return client_
          .Call(client::PatchRequest(api::Deployment::kResource, kNamespace, "berth-" + profile_,
                                     status, {}, "status"))
          .has_value();
    };
    if (pods > 0) {
      EXPECT_TRUE(Eventually(patch, kEnough)) << "no Deployment of " << profile_;
    } else {
      patch();
    }
  }

  const std::string profile_;
  client::Client& client_;
  Board& board_;
  client::ClientLeasePort lease_;
  client::Informer<api::ConfigMap> config_maps_;
};

// Runs the operator's controller on an in-memory API server without other controllers.
class ProfileControllerTest : public testing::Test {
 protected:
  ProfileControllerTest() {
    Must(client_.Create(crds::SchedulerProfileDefinition()));
    CreateNamespace(kNamespace);
    StartOperator();
  }

  template <class T>
  static void Must(const Result<T>& result) {
    ASSERT_TRUE(result) << result.error().message();
  }

  void StartOperator(const PlanOptions& options = AnyNamespace()) {
    metrics_ = std::make_unique<MetricsRegistry>();
    controller_ = std::make_unique<ProfileController>(client_, port_, ShippedCatalogue(), options,
                                                      memory_.clock(), *metrics_);
    controller_->Watch();
    controller_->Work();
  }

  void CreateNamespace(const std::string& name) {
    api::Namespace ns;
    ns.metadata.name = name;
    Must(client_.Create(ns));
  }

  void CreateProfile(const std::string& name, std::string_view spec = "") {
    SchedulerProfile profile = MakeProfile(name, spec);
    profile.metadata = {};
    profile.metadata.name = name;
    Must(client_.Create(profile));
  }

  void Patch(const std::string& profile, const std::string& spec) {
    Must(client_.Call(client::PatchRequest(SchedulerProfile::kResource, "", profile,
                                           R"({"spec": )" + spec + "}", {})));
  }

  void Delete(const std::string& profile) { Must(client_.Delete<SchedulerProfile>("", profile)); }

  std::unique_ptr<PlayedScheduler> Play(const std::string& profile) {
    return std::make_unique<PlayedScheduler>(client_, memory_.clock(), profile, board_);
  }

  // Returns the condition's status and reason: "False/NameTaken".
  std::string StatusOf(const std::string& profile, std::string_view condition) {
    const auto live = client_.Get<SchedulerProfile>("", profile);
    if (!live || live->status.observed_generation != live->metadata.generation) return "";
    const api::Condition* found = api::FindCondition(live->status.conditions, condition);
    return found ? found->status + "/" + found->reason : "";
  }
  bool Becomes(const std::string& profile, std::string_view condition, const std::string& status) {
    return Eventually([&] { return StatusOf(profile, condition) == status; }, kEnough);
  }
  bool Serves(const std::string& scheduler, const Board::Names& names) {
    return Eventually([&] { return board_.Of(scheduler) == names; }, kEnough);
  }

  bool HasObject(const api::ResourceInfo& resource, const std::string& ns,
                 const std::string& name) {
    return client_.Call(client::GetRequest(resource, ns, name)).has_value();
  }

  apiserver::InMemoryServer memory_;
  client::Client& client_ = memory_.client();
  client::EventRecorder recorder_{client::SendWith(client_), {}, memory_.clock()};
  ClientPort port_{client_, recorder_, [] { return true; }};
  Board board_;
  std::unique_ptr<MetricsRegistry> metrics_;
  std::unique_ptr<ProfileController> controller_;
};

TEST_F(ProfileControllerTest, NameNeverHasTwoSchedulers) {
  std::mutex mutex;
  Board::Names twice;  // guarded by mutex
  std::jthread watcher([&](std::stop_token stop) {
    while (!stop.stop_requested()) {
      {
        const std::lock_guard lock(mutex);
        twice.merge(board_.Twice());
      }
      std::this_thread::sleep_for(milliseconds(10));
    }
  });

  CreateProfile("old", "{aliases: [young, shared]}");
  const auto old = Play("old");
  ASSERT_TRUE(Becomes("old", "Ready", "True/Ready"));
  EXPECT_TRUE(Serves("old", {"old", "young", "shared"}));

  // A profile gets its own name from another profile once its scheduler is ready.
  CreateProfile("young");
  ASSERT_TRUE(Becomes("young", "Ready", "False/NoReadyScheduler"));
  EXPECT_TRUE(board_.Of("old").contains("young"));
  auto young = Play("young");
  EXPECT_TRUE(Becomes("young", "Ready", "True/Ready"));
  EXPECT_THAT(board_.Of("young"), UnorderedElementsAre("young"));
  EXPECT_THAT(board_.Of("old"), UnorderedElementsAre("old", "shared"));
  EXPECT_TRUE(Becomes("old", "Stalled", "True/NameTaken"));

  // The profile that serves an alias keeps it, also after a restart of the operator.
  CreateProfile("another", "{aliases: [shared]}");
  const auto another = Play("another");
  EXPECT_TRUE(Becomes("another", "Stalled", "True/NameTaken"));
  controller_->Stop();
  StartOperator();
  EXPECT_TRUE(Serves("old", {"old", "shared"}));

  // When the profile no longer has the alias, another profile gets it.
  Patch("old", R"({"aliases": ["young"]})");
  EXPECT_TRUE(Serves("another", {"another", "shared"}));
  EXPECT_TRUE(Becomes("another", "Ready", "True/Ready"));

  // A suspended profile blocks no name, and gets its own name back.
  Patch("young", R"({"suspend": true})");
  young.reset();
  EXPECT_TRUE(Serves("old", {"old", "young"}));
  EXPECT_TRUE(Becomes("old", "Ready", "True/Ready"));
  Patch("young", R"({"suspend": false})");
  young = Play("young");
  EXPECT_TRUE(Becomes("young", "Ready", "True/Ready"));
  EXPECT_TRUE(Serves("old", {"old"}));

  watcher.request_stop();
  watcher.join();
  EXPECT_THAT(twice, testing::IsEmpty());
}

TEST_F(ProfileControllerTest, StopsWatchingANamespaceAfterItsLastProfile) {
  CreateNamespace("elsewhere");
  ASSERT_TRUE(Eventually([&] { return controller_->Errors().empty(); }, kEnough));
  const size_t before = ThreadsOfThisProcess();
  for (const char* name : {"a", "b"}) CreateProfile(name, "{namespace: elsewhere}");
  EXPECT_TRUE(Becomes("b", "Ready", "False/NoReadyScheduler"));
  const size_t watching = ThreadsOfThisProcess();
  EXPECT_GT(watching, before);
  Delete("a");
  EXPECT_TRUE(HasObject(api::Deployment::kResource, "elsewhere", "berth-b"));
  Patch("b", R"({"percentageOfNodesToScore": 50})");
  EXPECT_TRUE(Becomes("b", "Ready", "False/NoReadyScheduler")) << "it is still watched";
  Delete("b");
  EXPECT_TRUE(Eventually([&] { return ThreadsOfThisProcess() <= before; }, kEnough));
  CreateProfile("c", "{namespace: elsewhere}");
  EXPECT_TRUE(Becomes("c", "Ready", "False/NoReadyScheduler"));
}

TEST_F(ProfileControllerTest, DefaultsToOperatorNamespaceAndKeepsIt) {
  const auto create = [this](const std::string& name) {
    SchedulerProfile profile;
    profile.metadata.name = name;
    Must(client_.Create(profile));
  };
  CreateNamespace("other");
  PlanOptions options = AnyNamespace();
  options.operator_namespace = "other";
  controller_->Stop();
  StartOperator(options);
  create("a");
  EXPECT_TRUE(Becomes("a", "Ready", "False/NoReadyScheduler"));
  EXPECT_TRUE(HasObject(api::Deployment::kResource, "other", "berth-a"));
  EXPECT_EQ(client_.Get<SchedulerProfile>("", "a")->spec.namespace_, "");

  // After the operator moves to another namespace, no profile gets a second scheduler.
  controller_->Stop();
  StartOperator();
  create("b");
  EXPECT_TRUE(Becomes("b", "Ready", "False/NoReadyScheduler"));
  EXPECT_TRUE(HasObject(api::Deployment::kResource, kNamespace, "berth-b"));
  Patch("a", R"({"percentageOfNodesToScore": 50})");
  EXPECT_TRUE(Becomes("a", "Ready", "False/NoReadyScheduler"));
  EXPECT_FALSE(HasObject(api::Deployment::kResource, kNamespace, "berth-a"));
}

TEST_F(ProfileControllerTest, RendersOnceTheNamespaceExists) {
  CreateProfile("a", "{namespace: later}");
  EXPECT_TRUE(Becomes("a", "Stalled", "True/NamespaceNotFound"));
  EXPECT_FALSE(HasObject(api::ClusterRoleBinding::kResource, "", "berth:a:base"));
  CreateNamespace("later");
  EXPECT_TRUE(Becomes("a", "Ready", "False/NoReadyScheduler"));
  EXPECT_TRUE(HasObject(api::Deployment::kResource, "later", "berth-a"));
}

TEST_F(ProfileControllerTest, OpensNewApiServerPortForAllSchedulers) {
  const auto opens = [this](const std::string& profile, int32_t port) {
    return Eventually(
        [&] {
          const auto policy = client_.Get<api::NetworkPolicy>(kNamespace, "berth-" + profile);
          return policy && std::ranges::any_of(policy->spec.egress, [&](const auto& rule) {
                   return std::ranges::find(rule.ports, IntOrString(port),
                                            &api::NetworkPolicyPort::port) != rule.ports.end();
                 });
        },
        kEnough);
  };
  for (const char* name : {"a", "b"}) CreateProfile(name);
  EXPECT_TRUE(opens("a", 6443));
  EXPECT_TRUE(opens("b", 6443));
  Must(client_.Call(
      client::CreateRequest(api::EndpointSlice::kResource, "default",
                            R"({"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
          "metadata": {"name": "kubernetes"}, "addressType": "IPv4", "endpoints": [],
          "ports": [{"name": "https", "port": 16443, "protocol": "TCP"}]})")));
  EXPECT_TRUE(opens("a", 16443));
  EXPECT_TRUE(opens("b", 16443));
}

TEST_F(ProfileControllerTest, ProfilesInMissingNamespacesUseNoThreads) {
  constexpr int kProfiles = 1000;
  for (int i = 0; i < kProfiles; ++i) {
    const std::string number = std::to_string(i);
    CreateProfile("lost-" + number, "{namespace: missing-" + number + "}");
  }
  CreateProfile("calm");
  const auto calm = Play("calm");
  EXPECT_TRUE(Becomes("calm", "Ready", "True/Ready"));
  EXPECT_TRUE(
      Becomes("lost-" + std::to_string(kProfiles - 1), "Stalled", "True/NamespaceNotFound"));
  EXPECT_LT(ThreadsOfThisProcess(), 100u);
}

}  // namespace
}  // namespace berth::controllers
