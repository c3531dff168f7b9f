// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/metrics.h"
#include "base/strings.h"
#include "client/event_recorder.h"
#include "controllers/client_port.h"
#include "controllers/controller_metrics.h"
#include "controllers/plugin_catalogue.h"
#include "controllers/pod_group_controller.h"
#include "controllers/profile_controller.h"
#include "engine/extender/extender_metrics.h"
#include "engine/metric_source/metric_source_metrics.h"
#include "engine/metrics.h"
#include "extender/service_metrics.h"
#include "scheduler/plugins/registry.h"
#include "tests/support/apiserver/in_memory_server.h"

// Compares docs/metrics.md with the metrics that the registries serve.
namespace berth {
namespace {

constexpr const char* kFile = "docs/metrics.md";

constexpr const char* kBegin = R"(# Metrics

All metrics of `/metrics`, as registered by the code. `tests/operator/metrics_list_test.cc` fails if
this list is outdated, and updates it with `BERTH_UPDATE_GOLDEN=1`. Names without the prefix
`berth_` are those of kube-scheduler, controller-runtime and Prometheus' clients, with their labels
and buckets, so that existing dashboards and alerts work.
)";

struct Metric {
  std::string type;
  std::string help;
  std::set<std::string> labels;
};

// Returns the label names in `name{a="x",b="y"} 1`; values here contain no quotes or braces.
std::set<std::string> LabelsOf(const std::string& sample) {
  std::set<std::string> labels;
  const size_t begin = sample.find('{');
  if (begin == std::string::npos) return labels;
  const std::string inner = sample.substr(begin + 1, sample.find('}') - begin - 1);
  for (const auto label : Split(inner, ',')) {
    const std::string name(label.substr(0, label.find('=')));
    if (!name.empty() && name != "le") labels.insert(name);
  }
  return labels;
}

std::map<std::string, Metric> MetricsIn(const std::string& text) {
  std::map<std::string, Metric> metrics;
  std::istringstream lines(text);
  std::string name;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# HELP ") || line.starts_with("# TYPE ")) {
      const size_t end = line.find(' ', 7);
      name = line.substr(7, end - 7);
      Metric& metric = metrics[name];
      (line[2] == 'H' ? metric.help : metric.type) = line.substr(end + 1);
    } else {
      metrics[name].labels.merge(LabelsOf(line));
    }
  }
  return metrics;
}

std::string Table(const std::string& title, const std::string& text) {
  std::string table =
      "\n## " + title + "\n\n| metric | type | labels | description |\n|---|---|---|---|\n";
  for (const auto& [name, metric] : MetricsIn(text)) {
    std::string labels;
    for (const std::string& label : metric.labels) {
      labels += (labels.empty() ? "`" : ", `") + label + "`";
    }
    table += "| `" + name + "` | " + metric.type + " | " + labels + " | " + metric.help + " |\n";
  }
  return table;
}

// Returns the metrics of a scheduler after every event has happened once, because some series
// appear with their first value.
std::string SchedulerText() {
  MetricsRegistry registry;
  engine::SchedulerMetrics metrics(registry);
  scheduler::SchedulerObserver& observer = metrics;
  observer.OnAttempt(scheduler::AttemptResult::kScheduled, "default", {});
  observer.OnAlgorithm({});
  observer.OnPodScheduled(1, {}, false);
  observer.OnPreemption(1);
  observer.OnPermitWait(scheduler::Code::kSuccess, {});
  observer.OnEvictions(true, {});
  observer.OnQueueIncoming(scheduler::QueueName::kActive, "NodeAdd");
  metrics.Publish(scheduler::SchedulerStatistics{.rejected = {{{"NodeAffinity", "default"}, 1}}});
  metrics.SetConfig("0123");
  engine::ExtenderMetrics extender(registry, "https://e.example.com");
  extender.Count(engine::ExtenderVerb::kFilter, engine::ExtenderMetrics::Result::kSuccess);
  extender.Time(engine::ExtenderVerb::kFilter, {});
  extender.SetBreaker(engine::CircuitBreaker::State::kClosed);
  extender.SetUnverified(false);
  engine::MetricSourceMetrics source(registry, "https://p.example.com", "up");
  source.Count(true, {});
  return registry.Text();
}

std::string ExtenderText() {
  MetricsRegistry registry;
  extender::ServiceMetrics metrics(registry);
  metrics.Count("/scheduler/filter", engine::ExtenderVerb::kFilter, 200);
  metrics.Time(engine::ExtenderVerb::kFilter, {});
  return registry.Text();
}

std::string OperatorText() {
  MetricsRegistry registry;
  apiserver::InMemoryServer server;
  client::EventRecorder recorder(client::SendWith(server.client()), {}, server.clock());
  controllers::ClientPort port(server.client(), recorder, [] { return false; });
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  const controllers::ProfileController profiles(server.client(), port, catalogue, {},
                                                server.clock(), registry);
  const controllers::PodGroupController groups(server.client(), port, server.clock(), registry);
  controllers::AddLeadership(registry, "berth-operator");
  return registry.Text();
}

std::string ProcessText() {
  MetricsRegistry registry;
  AddProcessMetrics(registry);
  client::AddDroppedEvents(registry);
  return registry.Text();
}

TEST(MetricsList, ListsEveryServedMetric) {
  const std::string list = kBegin + Table("`berth scheduler`", SchedulerText()) +
                           Table("`berth operator`", OperatorText()) +
                           Table("`berth extender`", ExtenderText()) +
                           Table("All commands; events: operator and scheduler", ProcessText());
  if (std::getenv("BERTH_UPDATE_GOLDEN")) {
    ASSERT_TRUE(WriteFile(kFile, list).has_value());
  }
  const auto written = ReadFile(kFile);
  ASSERT_TRUE(written.has_value()) << written.error().message();
  EXPECT_EQ(*written, list);
}

// A metric that the registries above do not have is still in the sources.
TEST(MetricsList, ListsEveryNameInTheSources) {
  const std::string list = ReadFile(kFile).value();
  const std::regex metric(
      "\"((berth|scheduler|process|leader_election|workqueue|controller_runtime)_[a-z0-9_]+)\"");
  std::set<std::string> names;
  for (const char* folder : {"base", "client", "engine", "controllers", "operator", "extender"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".cc" && entry.path().extension() != ".h") continue;
      const std::string source = ReadFile(entry.path().string()).value();
      for (std::sregex_iterator found(source.begin(), source.end(), metric), end; found != end;
           ++found) {
        names.insert((*found)[1]);
        EXPECT_NE(list.find("| `" + (*found)[1].str() + "` |"), list.npos)
            << (*found)[1] << " in " << entry.path();
      }
    }
  }
  EXPECT_TRUE(names.contains("berth_orphaned_schedulers"));
}

}  // namespace
}  // namespace berth
