// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/engine_fixture.h"

#include <algorithm>
#include <utility>

#include "api/scheduler_contract.h"
#include "base/strings.h"
#include "tests/support/http/stub_server.h"

namespace berth::engine {
namespace {

constexpr const char* kNamespace = "default";
constexpr const char* kName = "berth-hello";

template <class T>
T Read(const std::string& text) {
  auto object = json::Decode<T>(text);
  EXPECT_TRUE(object) << object.error().message();
  return *object;
}

double FigureIn(const MetricsRegistry& metrics, const std::string& series) {
  const std::string text = metrics.Text();
  for (const std::string_view line : Split(text, '\n')) {
    if (line.starts_with(series + " ")) {
      return std::stod(std::string(line.substr(series.size() + 1)));
    }
  }
  return 0;
}

}  // namespace

std::string Config(const std::vector<std::string>& names, std::string_view more) {
  std::string text =
      "apiVersion: kubescheduler.config.k8s.io/v1\n"
      "kind: KubeSchedulerConfiguration\n" +
      std::string(more) + "profiles:\n";
  for (const std::string& name : names) text += "- schedulerName: " + name + "\n";
  return text;
}

std::string ConfigOfPodsAndNodes(const std::string& points) {
  return Config() +
         "  plugins: {multiPoint: {disabled: [{name: InterPodAffinity}, {name: PodTopologySpread}, "
         "{name: DefaultPreemption}, {name: VolumeRestrictions}, {name: NodeVolumeLimits}, {name: "
         "VolumeBinding}, {name: VolumeZone}]}" +
         (points.empty() ? "" : ", " + points) + "}\n";
}

EngineTest::EngineTest() {
  api::ServiceAccount account;
  account.metadata.namespace_ = kNamespace;
  account.metadata.name = "default";
  EXPECT_TRUE(admin_.Create(account));
  client::ClientConfig config;
  config.server = memory_.server().url();
  client_ = client::Client::Create(config, {.component = "scheduler"}, clock_).value();
}

EngineTest::~EngineTest() {
  memory_.server().ClearFaults();
  if (!ended_.valid()) return;
  Stop();
  (void)Await();
}

void EngineTest::Publish(const std::string& config) {
  api::ConfigMap map;
  map.metadata.namespace_ = kNamespace;
  map.metadata.name = kName;
  map.data[std::string(api::kConfigKey)] = config;
  const auto there = admin_.Get<api::ConfigMap>(kNamespace, kName);
  const auto written = there ? admin_.Update(map) : admin_.Create(map);
  EXPECT_TRUE(written) << written.error().message();
}

void EngineTest::Start(const std::string& config, EngineOptions options) {
  if (!config.empty()) Publish(config);
  const scheduler::Registry shipped = scheduler::MakeRegistry();
  std::vector<scheduler::PluginDescriptor> plugins(shipped.plugins().begin(),
                                                   shipped.plugins().end());
  std::ranges::copy(more_plugins_, std::back_inserter(plugins));
  registry_ = std::make_unique<scheduler::Registry>(std::move(plugins));
  options.hostname = "host";
  options.identity = "host_1";
  options.config_map = ObjectName{kNamespace, kName};
  engine_ = Engine::Create(*client_, *registry_, metrics_, clock_, std::move(options)).value();
  ended_ = std::async(std::launch::async, [this] { return engine_->Run(); });
}

Result<void> EngineTest::Await() { return ended_.get(); }

void EngineTest::AddNode(const std::string& name, const std::string& cpu,
                         const std::string& address) {
  const std::string room = R"({"cpu": ")" + cpu + R"(", "memory": "32Gi", "pods": "1000"})";
  auto node =
      Read<api::Node>(R"({"metadata": {"name": ")" + name + R"("}, "status": {"capacity": )" +
                      room + R"(, "allocatable": )" + room + "}}");
  if (!address.empty()) node.status.addresses = {{.type = "InternalIP", .address = address}};
  const auto added = admin_.Create(node);
  EXPECT_TRUE(added) << added.error().message();
}

void EngineTest::AddPod(const std::string& name, const std::string& cpu,
                        const std::string& scheduler_name) {
  const auto added =
      admin_.Create(Read<api::Pod>(R"({"metadata": {"namespace": "default", "name": ")" + name +
                                   R"("}, "spec": {"schedulerName": ")" + scheduler_name +
                                   R"(", "containers": [{"name": "c", "image": "example.com/c",
          "resources": {"requests": {"cpu": ")" +
                                   cpu + R"("}}}]}})"));
  EXPECT_TRUE(added) << added.error().message();
}

std::string EngineTest::NodeOf(const std::string& pod) {
  return admin_.Get<api::Pod>(kNamespace, pod).value().spec.node_name;
}

size_t EngineTest::Rejected() {
  const auto pods = admin_.List<api::Pod>(kNamespace, {}).value();
  return static_cast<size_t>(std::ranges::count_if(pods.items, [](const auto& pod) {
    return std::ranges::any_of(pod->status.conditions, [](const api::PodCondition& condition) {
      return condition.type == "PodScheduled" && condition.status == "False";
    });
  }));
}

api::Lease EngineTest::Lease() {
  return admin_.Get<api::Lease>(kNamespace, kName).value_or(api::Lease{});
}

std::string EngineTest::Reported(std::string_view annotation) {
  const api::StringMap annotations = Lease().metadata.annotations;
  const auto found = annotations.find(std::string(annotation));
  return found == annotations.end() ? "" : found->second;
}

bool EngineTest::EventuallyReports(std::string_view annotation, const std::string& value) {
  return http::Eventually([&] { return Reported(annotation) == value; });
}

bool EngineTest::EventuallyOn(const std::string& pod, const std::string& node) {
  return http::Eventually([&] { return NodeOf(pod) == node; });
}

bool EngineTest::Shows(const std::string& line) const {
  const std::string text = metrics_.Text();
  const auto lines = Split(text, '\n');
  return std::ranges::find(lines, std::string_view(line)) != lines.end();
}

double EngineTest::Figure(const std::string& series) const { return FigureIn(metrics_, series); }

EngineTest::OtherEngine::OtherEngine(EngineTest& test, const std::string& identity,
                                     EngineOptions options) {
  options.hostname = "host";
  options.identity = identity;
  options.config_map = ObjectName{kNamespace, kName};
  engine_ =
      Engine::Create(*test.client_, *test.registry_, metrics_, test.clock_, std::move(options))
          .value();
  ended_ = std::async(std::launch::async, [this] { return engine_->Run(); });
}

EngineTest::OtherEngine::~OtherEngine() {
  engine_->Stop();
  (void)ended_.get();
}

double EngineTest::OtherEngine::Attempts() const {
  return Figure("scheduler_scheduling_algorithm_duration_seconds_count");
}

double EngineTest::OtherEngine::Figure(const std::string& series) const {
  return FigureIn(metrics_, series);
}

std::string EngineTest::FirstError(const std::vector<http::HealthCheck>& checks) {
  for (const http::HealthCheck& check : checks) {
    if (const auto error = check.error()) return check.name + ": " + *error;
  }
  return "";
}

}  // namespace berth::engine
