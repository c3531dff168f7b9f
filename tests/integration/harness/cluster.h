// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/integration/harness/control_plane.h"
#include "tests/integration/harness/objects.h"
#include "tests/integration/harness/status_watch.h"
#include "tests/integration/harness/wait.h"

namespace berth::integration {

// The namespace of the Berth installation and of the rendered objects.
inline constexpr const char* kNamespace = "berth-system";

// Cluster is a control plane with Berth installed like by a user, and the operator running with its
// own ServiceAccount. All tests of the program share one cluster: it starts before the first test
// and stops after the last. Each test uses its own names and deletes its objects. The end of the
// run checks every profile status that was written. $BERTH_TEST_INSTALL, "client-side" or
// "server-side", makes kubectl install Berth that way.
class Cluster : public Objects {
 public:
  // Throws if the control plane or the installation fails.
  Cluster();

  static Cluster& Instance();

  ControlPlane& control_plane() { return *control_plane_; }
  Process& operator_process() { return *operator_; }
  // Starts a new operator process with a new token.
  void StartOperator();
  // Deletes the objects that kubectl has installed, and fails the test for leftovers. No-op without
  // $BERTH_TEST_INSTALL.
  void Uninstall();
  // Checks every status so far against the server's state.
  void JudgeStatuses() { statuses_->Judge(); }
  // Stops the operator gracefully and returns its exit code.
  std::optional<int> StopOperator();

  // Sends the requests of `kubectl apply --server-side -f` for a file of the repository, without
  // kubectl. Throws if the API server rejects one.
  void ApplyFile(const std::string& path);
  // Runs a kubectl command of a user; the test fails if kubectl fails.
  ProcessOutcome Kubectl(const Arguments& arguments, const std::string& input = {});

  // Creates a ready node with this capacity, without a kubelet.
  void AddNode(const std::string& name, const std::string& cpu, const Json& labels);
  // Creates a pod in the namespace default; `spec` adds to its spec.
  void AddPod(const std::string& name, const std::string& scheduler, const std::string& cpu,
              const Json& spec);
  // Returns the node of a pod, or an empty string.
  std::string NodeOf(const std::string& pod);
  // Marks the pods of a selector ready, like a kubelet.
  void MarkPodsReady(const std::string& ns, const std::string& selector);

 private:
  void Install();
  void ApplyWithKubectl(const std::string& way);
  explicit Cluster(std::unique_ptr<ControlPlane> control_plane);

  const std::unique_ptr<ControlPlane> control_plane_;
  std::unique_ptr<StatusWatch> statuses_;
  int operator_runs_ = 0;
  std::unique_ptr<Process> operator_;
};

// SchedulerProcess runs the program of a profile's engine: `berth scheduler`, or the kube-scheduler
// that was built with the control plane. It uses exactly the rendered configuration, arguments and
// ServiceAccount, with the health endpoints on a free port.
class SchedulerProcess {
 public:
  // `files` replace rendered files, by key of the ConfigMap.
  SchedulerProcess(Cluster& cluster, const std::string& profile,
                   const std::map<std::string, std::string>& files = {});
  Process& process() { return *process_; }
  std::string Output() const { return process_->Output(); }
  // IsLive and IsReady send the requests of the rendered probes.
  bool IsLive() const { return Answer(live_path_) == 200; }
  bool IsReady() const { return Answer(ready_path_) == 200; }
  // Returns the HTTP code of the health port for a request without credentials, or 0.
  int Answer(const std::string& path) const;

 private:
  std::string url_;  // of the health port
  std::string live_path_, ready_path_;
  std::unique_ptr<Process> process_;
};

}  // namespace berth::integration
