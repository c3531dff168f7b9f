// SPDX-License-Identifier: Apache-2.0
// Scheduling of pods by `berth scheduler`.
#include <functional>
#include <initializer_list>
#include <set>
#include <string_view>

#include "tests/integration/harness/profile_fixture.h"

namespace berth::integration {
namespace {

using std::chrono::seconds;

size_t CountIn(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Json InZone(const std::string& zone) {
  return {{"nodeSelector", {{"topology.kubernetes.io/zone", zone}}}};
}

class Scheduling : public ProfileTest {
 protected:
  Json ScheduledCondition(const std::string& pod) {
    return Condition(cluster_.Get("pod", pod, "default"), "PodScheduled");
  }
  void SetUnschedulable(const std::string& node, bool unschedulable) {
    cluster_.Patch("node", node, "", {{"spec", {{"unschedulable", unschedulable}}}});
  }
  Json EventOf(const std::string& pod, const std::string& reason) {
    for (const Json& event : cluster_.List("event", "default")) {
      if (At(event, "/regarding/name") == pod && event.value("reason", "") == reason) return event;
    }
    return Json::object();
  }
};

TEST_F(Scheduling, BindsOnlyPodsWithItsSchedulerName) {
  CreateProfile("binds");
  AddNode("binds-1", "4", {{"topology.kubernetes.io/zone", "binds"}});
  AddPod("binds-ours", "binds", "1", InZone("binds"));
  AddPod("binds-other", "somebody-else", "1", InZone("binds"));
  const SchedulerProcess scheduler(cluster_, "binds");
  EXPECT_TRUE(EventuallyBound("binds-ours", "binds-1"));
  EXPECT_EQ(ScheduledCondition("binds-ours").value("status", ""), "True");
  EXPECT_TRUE(Eventually("the Scheduled event", seconds(5), [&]() -> std::string {
    const Json event = EventOf("binds-ours", "Scheduled");
    return event.value("note", "") == "Successfully assigned default/binds-ours to binds-1"
               ? ""
               : event.dump();
  }));
  EXPECT_EQ(EventOf("binds-ours", "Scheduled").value("reportingController", ""), "binds");
  EXPECT_TRUE(Always("the other pod waits", seconds(1), [&]() -> std::string {
    return cluster_.NodeOf("binds-other").empty() ? "" : "bound";
  }));
  EXPECT_TRUE(EventOf("binds-other", "FailedScheduling").empty());
}

TEST_F(Scheduling, ReportsWhyAPodIsPendingAndPlacesItLater) {
  CreateProfile("room");
  AddNode("room-1", "2");
  SetUnschedulable("room-1", true);
  AddPod("room-first", "room", "1500m");
  const SchedulerProcess scheduler(cluster_, "room");
  EXPECT_TRUE(
      EventuallyRejected("room-first", "0/1 nodes are available: 1 node(s) were unschedulable."));
  SetUnschedulable("room-1", false);
  EXPECT_TRUE(EventuallyBound("room-first", "room-1"));

  AddPod("room-second", "room", "1");
  EXPECT_TRUE(EventuallyRejected("room-second", "0/1 nodes are available: 1 Insufficient cpu."));
  EXPECT_TRUE(Eventually("the FailedScheduling event", seconds(5), [&]() -> std::string {
    const Json event = EventOf("room-second", "FailedScheduling");
    const std::string note = event.value("note", "");
    return note.starts_with("0/1 nodes are available: 1 Insufficient cpu.") ? "" : event.dump();
  }));
  cluster_.Delete("pod", "room-first", "default");
  EXPECT_TRUE(EventuallyBound("room-second", "room-1"));

  AddPod("room-third", "room", "2");
  EXPECT_TRUE(EventuallyRejected("room-third", "0/1 nodes are available: 1 Insufficient cpu."));
  AddNode("room-2", "4");
  EXPECT_TRUE(EventuallyBound("room-third", "room-2"));
}

TEST_F(Scheduling, CountsPendingPodsInTheProfileStatus) {
  CreateProfile("counts");
  AddNode("counts-1", "2");
  const SchedulerProcess scheduler(cluster_, "counts");
  const auto pending = [&](int64_t count) {
    return Eventually(
        "status.pendingPods is " + std::to_string(count), seconds(10), [&]() -> std::string {
          const Json status = Profile("counts").value("status", Json::object());
          return status.value("pendingPods", int64_t{-1}) == count ? "" : status.dump();
        });
  };
  EXPECT_TRUE(pending(0));
  AddPod("counts-huge", "counts", "5");
  AddPod("counts-other", "somebody-else", "5");
  EXPECT_TRUE(pending(1));
  const std::string version = TextAt(Profile("counts"), "/metadata/resourceVersion");
  EXPECT_TRUE(Always("nothing is written at rest", seconds(1), [&]() -> std::string {
    const Json profile = Profile("counts");
    return TextAt(profile, "/metadata/resourceVersion") == version ? "" : profile.dump();
  }));
  cluster_.Delete("pod", "counts-huge", "default");
  EXPECT_TRUE(pending(0));
}

// The rules of PodNameLength and NodeNameLength as expressions in the profile.
TEST_F(Scheduling, ExpressionsEqualTheirPlugins) {
  const auto profile = [](std::initializer_list<const char*> plugins, const Json& config) {
    Json enabled = Json::array();
    for (const char* name : plugins) enabled.push_back({{"name", name}, {"weight", 10}});
    return Json{{"plugins", {{"multiPoint", {{"enabled", enabled}}}}}, {"pluginConfig", config}};
  };
  CreateProfile("by-plugins", profile({"PodNameLength", "NodeNameLength"},
                                      {{{"name", "PodNameLength"}, {"args", {{"maxLength", 6}}}}}));
  const Json filter = {{"expression", "size(pod.metadata.name) < 6"},
                       {"message",
                        "the pod's name has {{ size(pod.metadata.name) }} characters, it must have "
                        "fewer than 6"}};
  const Json score = {{"expression",
                       "size(node.metadata.name) < 20 ? "
                       "100 * (20 - size(node.metadata.name)) / 20 : 0"}};
  CreateProfile(
      "by-rules",
      profile({"Expressions"},
              {{{"name", "Expressions"}, {"args", {{"filters", {filter}}, {"scores", {score}}}}}}));
  for (const char* node : {"names-a", "names-and-more", "names-of-twenty-five-char"}) {
    AddNode(node, "4");
  }
  const SchedulerProcess by_plugins(cluster_, "by-plugins");
  const SchedulerProcess by_rules(cluster_, "by-rules");
  const std::string rejected =
      "0/3 nodes are available: 3 the pod's name has 6 characters, it must have fewer than 6.";
  AddPod("plugin", "by-plugins", "100m");
  EXPECT_TRUE(EventuallyRejected("plugin", rejected));
  AddPod("rule-6", "by-rules", "100m");
  EXPECT_TRUE(EventuallyRejected("rule-6",
                                 "0/3 nodes are available: the pod's name has 6 "
                                 "characters, it must have fewer than 6."));
  for (const std::string number : {"1", "2", "3"}) {
    AddPod("p" + number, "by-plugins", "100m");
    AddPod("r" + number, "by-rules", "100m");
    EXPECT_TRUE(EventuallyBound("p" + number, "names-a"));
    EXPECT_TRUE(EventuallyBound("r" + number, "names-a"));
  }
}

TEST_F(Scheduling, CountsAManuallyPlacedPod) {
  CreateProfile("by-hand");
  AddNode("by-hand-1", "2");
  AddPod("by-hand-placed", "nobody", "1500m", {{"nodeName", "by-hand-1"}});
  AddPod("by-hand-waits", "by-hand", "1");
  const SchedulerProcess scheduler(cluster_, "by-hand");
  EXPECT_TRUE(EventuallyRejected("by-hand-waits", "0/1 nodes are available: 1 Insufficient cpu."));
}

TEST_F(Scheduling, ReadsALongListCompletely) {
  CreateProfile("many");
  AddNode("many-1", "4");
  const Json padding = {{"example.com/padding", std::string(4096, 'x')}};
  for (int i = 0; i < 100; ++i) {
    pods_.push_back("many-" + std::to_string(i));
    cluster_.Create("pod", "default",
                    {{"apiVersion", "v1"},
                     {"kind", "Pod"},
                     {"metadata", {{"name", pods_.back()}, {"annotations", padding}}},
                     {"spec",
                      {{"nodeName", "many-1"},
                       {"containers",
                        {{{"name", "c"},
                          {"image", "registry.k8s.io/pause:3.10"},
                          {"resources", {{"requests", {{"cpu", "35m"}}}}}}}}}}});
  }
  AddPod("many-waits", "many", "600m");
  AddPod("many-fits", "many", "400m");
  const SchedulerProcess scheduler(cluster_, "many");
  EXPECT_TRUE(EventuallyRejected("many-waits", "0/1 nodes are available: 1 Insufficient cpu."));
  EXPECT_TRUE(EventuallyBound("many-fits", "many-1"));
}

TEST_F(Scheduling, CountsTheMirrorPodOfAStaticPod) {
  CreateProfile("mirror");
  AddNode("mirror-1", "2");
  const Json uid = At(cluster_.Get("node", "mirror-1"), "/metadata/uid");
  pods_.emplace_back("static-mirror-1");
  const Json owner = {{"apiVersion", "v1"},
                      {"kind", "Node"},
                      {"name", "mirror-1"},
                      {"uid", uid},
                      {"controller", true}};
  const Json container = {{"name", "c"},
                          {"image", "registry.k8s.io/pause:3.10"},
                          {"resources", {{"requests", {{"cpu", "1500m"}}}}}};
  cluster_.Create("pod", "default",
                  {{"apiVersion", "v1"},
                   {"kind", "Pod"},
                   {"metadata",
                    {{"name", "static-mirror-1"},
                     {"annotations", {{"kubernetes.io/config.mirror", "0123"}}},
                     {"ownerReferences", Json::array({owner})}}},
                   {"spec", {{"nodeName", "mirror-1"}, {"containers", Json::array({container})}}}});
  AddPod("mirror-waits", "mirror", "1");
  const SchedulerProcess scheduler(cluster_, "mirror");
  EXPECT_TRUE(EventuallyRejected("mirror-waits", "0/1 nodes are available: 1 Insufficient cpu."));
}

TEST_F(Scheduling, PlacesDaemonSetPodsOnTheirNodes) {
  if (!cluster_.control_plane().IsReal()) {
    GTEST_SKIP() << "sandbox/simulation/ has no DaemonSet controller";
  }
  CreateProfile("daemons");
  AddNode("daemons-1", "2", {{"daemons", "yes"}});
  AddNode("daemons-2", "2", {{"daemons", "yes"}});
  const SchedulerProcess scheduler(cluster_, "daemons");
  cluster_.Create(
      "daemonset", "default",
      Json::parse(
          R"({"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"daemons","namespace":"default"},"spec":{
      "selector":{"matchLabels":{"app":"daemons"}},"template":{"metadata":{"labels":{"app":"daemons"}},"spec":{
      "schedulerName":"daemons","nodeSelector":{"daemons":"yes"},
      "containers":[{"name":"c","image":"registry.k8s.io/pause:3.10"}]}}}})"));
  EXPECT_TRUE(Eventually("a pod on each node", seconds(15), [&]() -> std::string {
    std::set<std::string> nodes;
    for (const Json& pod : cluster_.List("pod", "default", "app=daemons")) {
      const Json wanted =
          At(pod,
             "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/"
             "nodeSelectorTerms/0/matchFields/0/values/0");
      const Json node = At(pod, "/spec/nodeName");
      if (node.is_null()) return "a pod waits";
      if (node != wanted) return "a pod is on " + node.dump() + " instead of " + wanted.dump();
      nodes.insert(node.get<std::string>());
    }
    return nodes.size() == 2 ? "" : std::to_string(nodes.size()) + " nodes have one";
  }));
  cluster_.Delete("daemonset", "daemons", "default");
}

// Two Deployments on two nodes: the pods of the first have anti-affinity to each other, the pods of
// the second follow the pods of the first.
TEST_F(Scheduling, AffinityPodsWaitForAntiAffinityPodsOnTwoNodes) {
  CreateProfile("apart");
  for (const char* node : {"apart-1", "apart-2"}) {
    AddNode(node, "4", {{"kubernetes.io/hostname", node}, {"apart", "yes"}});
  }
  const auto term = [](const std::string& app) {
    return Json::array({{{"topologyKey", "kubernetes.io/hostname"},
                         {"labelSelector", {{"matchLabels", {{"app", app}}}}}}});
  };
  const auto deploy = [&](const std::string& name, const Json& affinity) {
    cluster_.Create(
        "deployment", "default",
        {{"apiVersion", "apps/v1"},
         {"kind", "Deployment"},
         {"metadata", {{"name", name}}},
         {"spec",
          {{"replicas", 2},
           {"selector", {{"matchLabels", {{"app", name}}}}},
           {"template",
            {{"metadata", {{"labels", {{"app", name}}}}},
             {"spec",
              {{"schedulerName", "apart"},
               {"nodeSelector", {{"apart", "yes"}}},
               {"affinity", affinity},
               {"containers", {{{"name", "c"}, {"image", "registry.k8s.io/pause:3.10"}}}}}}}}}}});
  };
  const std::string required = "requiredDuringSchedulingIgnoredDuringExecution";
  // The followers are created first and wait for pods to follow.
  deploy("apart-follow", {{"podAffinity", {{required, term("apart-alone")}}}});
  const SchedulerProcess scheduler(cluster_, "apart");
  deploy("apart-alone", {{"podAntiAffinity", {{required, term("apart-alone")}}}});
  for (const char* app : {"apart-alone", "apart-follow"}) {
    EXPECT_TRUE(Eventually(std::string("both pods of ") + app, seconds(15), [&]() -> std::string {
      std::set<std::string> nodes;
      size_t bound = 0;
      for (const Json& pod : cluster_.List("pod", "default", std::string("app=") + app)) {
        const Json node = At(pod, "/spec/nodeName");
        if (node.is_null()) continue;
        nodes.insert(node.get<std::string>());
        ++bound;
      }
      if (bound != 2) return std::to_string(bound) + " are bound";
      const bool keeps_apart = std::string_view(app) == "apart-alone";
      return keeps_apart && nodes.size() != 2 ? "both are on " + *nodes.begin() : "";
    })) << scheduler.Output();
  }
  cluster_.Delete("deployment", "apart-alone", "default");
  cluster_.Delete("deployment", "apart-follow", "default");
}

TEST_F(Scheduling, OutageIsLoggedOnceAndLosesNothing) {
  // The outage is shorter than the Lease, so that the scheduler stays leader.
  CreateProfile("outage",
                {{"leaderElection", {{"leaseDuration", "120s"}, {"renewDeadline", "100s"}}}});
  AddNode("outage-1", "4");
  SchedulerProcess scheduler(cluster_, "outage");
  AddPod("outage-before", "outage", "1");
  EXPECT_TRUE(EventuallyBound("outage-before", "outage-1"));

  constexpr const char* kSaid = "Lost the API server, retrying until it is back";
  cluster_.control_plane().BeginOutage();
  EXPECT_TRUE(Eventually("the outage in the log", seconds(10), [&]() -> std::string {
    return CountIn(scheduler.Output(), kSaid) == 0 ? "not said" : "";
  }));
  EXPECT_TRUE(Always("it is logged once", seconds(2), [&]() -> std::string {
    return CountIn(scheduler.Output(), kSaid) == 1 ? "" : scheduler.Output();
  }));
  cluster_.control_plane().EndOutage();
  AddPod("outage-after", "outage", "1");
  EXPECT_TRUE(Eventually("the pod is bound", seconds(30), [&]() -> std::string {
    return cluster_.NodeOf("outage-after") == "outage-1" ? "" : "not bound";
  })) << scheduler.Output();

  // Each process reconnects at its own next retry.
  for (const auto& log : std::initializer_list<std::function<std::string()>>{
           [&] { return scheduler.Output(); },
           [&] { return cluster_.operator_process().Output(); }}) {
    EXPECT_TRUE(Eventually("the end of the outage in the log", seconds(30), [&]() -> std::string {
      return CountIn(log(), "Reached the API server again") == 0 ? log() : "";
    }));
    EXPECT_EQ(CountIn(log(), "Could not read the resource"), 0u) << log();
  }
  EXPECT_EQ(scheduler.process().Stop(), 0);
  // The operator continues once its own retries have reconnected.
  PatchSpec("outage", {{"deployment", {{"replicas", 2}}}});
  EXPECT_TRUE(Eventually("the change in the Deployment", seconds(30), [&]() -> std::string {
    const Json now = At(cluster_.Get("deployment", "berth-outage", kNamespace), "/spec/replicas");
    return now == 2 ? "" : now.dump();
  }));
  // Each watch retries separately; later tests need the watch of Services.
  cluster_.Delete("service", "berth-outage", kNamespace);
  EXPECT_TRUE(Eventually("the Service", seconds(60), [&]() -> std::string {
    return cluster_.Get("service", "berth-outage", kNamespace).is_null() ? "none" : "";
  }));
}

}  // namespace
}  // namespace berth::integration
