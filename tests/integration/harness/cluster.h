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

// kNamespace is where Berth is installed and renders to.
inline constexpr const char* kNamespace = "berth-system";

// Cluster is a control plane with Berth installed as a user does it, and the operator running under
// its own ServiceAccount. One serves all tests of the program: it starts before the first and ends
// after the last. Each test uses names of its own and removes what it made. Every status of a profile
// that any of them saw written is judged in the end. $BERTH_TEST_INSTALL, "client-side" or
// "server-side", has kubectl install Berth so.
class Cluster : public Objects {
 public:
  // Throws when the control plane or the installation fails.
  Cluster();

  static Cluster& Instance();

  ControlPlane& control_plane() { return *control_plane_; }
  Process& operator_process() { return *operator_; }
  // StartOperator begins a new operator process with a fresh token.
  void StartOperator();
  // Uninstall removes what kubectl has installed, and fails the test for what is left. Nothing
  // without $BERTH_TEST_INSTALL.
  void Uninstall();
  // JudgeStatuses says of every status so far whether it was true.
  void JudgeStatuses() { statuses_->Judge(); }
  // StopOperator ends it gracefully and gives the exit code.
  std::optional<int> StopOperator();

  // ApplyFile sends what `kubectl apply --server-side -f` does with a file of the repository, so that
  // kubectl need not be there. Throws when the API server refuses.
  void ApplyFile(const std::string& path);
  // What a user types; the test fails when kubectl does.
  ProcessOutcome Kubectl(const Arguments& arguments, const std::string& input = {});

  // AddNode makes a node that is ready and offers so much; there is no kubelet behind it.
  void AddNode(const std::string& name, const std::string& cpu, const Json& labels);
  // AddPod makes a pod in namespace default; `spec` adds to its spec.
  void AddPod(const std::string& name, const std::string& scheduler, const std::string& cpu,
              const Json& spec);
  // NodeOf is where a pod is bound, or empty.
  std::string NodeOf(const std::string& pod);
  // MarkPodsReady plays the kubelet for the pods of a selector.
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

// SchedulerProcess runs the program of a profile's engine, `berth scheduler` or the kube-scheduler
// that was built with the control plane, with exactly the configuration and the arguments that are
// rendered for it, under its rendered ServiceAccount, with its health endpoints on a free port.
class SchedulerProcess {
 public:
  // `files` stand in for rendered ones, by key of the ConfigMap.
  SchedulerProcess(Cluster& cluster, const std::string& profile,
                   const std::map<std::string, std::string>& files = {});
  Process& process() { return *process_; }
  std::string Output() const { return process_->Output(); }
  // IsLive and IsReady ask what the rendered probes ask.
  bool IsLive() const { return Answer(live_path_) == 200; }
  bool IsReady() const { return Answer(ready_path_) == 200; }
  // Answer is what the health port says to somebody without credentials: the HTTP code, 0 for none.
  int Answer(const std::string& path) const;

 private:
  std::string url_;  // of the health port
  std::string live_path_, ready_path_;
  std::unique_ptr<Process> process_;
};

}  // namespace berth::integration
