// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "client/client.h"
#include "client/event_recorder.h"
#include "client/informer.h"
#include "sandbox/simulation/control_loop.h"
#include "sandbox/simulation/kubelet/admission.h"
#include "sandbox/simulation/kubelet/client_sources.h"
#include "sandbox/simulation/kubelet/node_fleet.h"
#include "sandbox/simulation/kubelet/pod_run.h"

namespace berth::simulation {

struct KubeletOptions {
  // Containers of this image run the real program, and other containers a program of
  // `processes.commands`. A pod with a container that has neither is only simulated.
  std::string berth_image;
  ProcessOptions processes;
};

// Kubelet runs the pods that are bound to the nodes of a fleet: it admits or rejects them, reports
// their status, and removes deleted pods.
//
//   bound ──▶ admitted ──▶ running ──▶ ended          (Succeeded, Failed)
//     │           ▲            │
//     ▼           │            ▼
//   rejected   volume missing: retry    deleted: stopped, then removed from the API
class Kubelet {
 public:
  // Requires: all references outlive this; the informers have not started.
  Kubelet(client::Client& client, NodeFleet& fleet, client::Informer<api::Pod>& pods,
          client::Informer<api::Node>& nodes, const Clock& clock, KubeletOptions options);
  ~Kubelet() { Stop(); }

  void Start() { loop_.Start(); }
  // Ends all processes after at most `grace`.
  void Stop(std::chrono::seconds grace = std::chrono::seconds(0));

 private:
  // Held is a pod that this kubelet has admitted or rejected. It belongs to the worker with its
  // key.
  struct Held {
    std::string uid;
    std::string node;
    std::string ip;
    Time start_time;
    Time ready_changed;
    bool was_ready = false;
    std::string rejection;  // its status, if it was not admitted
    bool stopping = false;
    std::unique_ptr<PodRun> run;
    std::string written;  // the last written status
  };
  using HeldPtr = std::shared_ptr<Held>;

  Result<RequeueAfter> Sync(const std::string& key);
  Result<RequeueAfter> Run(const std::string& key, const api::Pod& pod, Held& held);
  Result<RequeueAfter> Terminate(const std::string& key, const api::Pod& pod);
  Result<HeldPtr> Admit(const std::string& key, const api::Pod& pod);
  Result<void> Begin(const std::string& key, const api::Pod& pod, Held& held);
  Result<void> Report(const api::Pod& pod, Held& held, const std::string& patch);
  std::string StatusOf(const api::Pod& pod, Held& held) const;
  // Forgets a pod. Returns false if its processes still run; it is requeued when they end.
  bool LetGo(const std::string& key, std::chrono::seconds grace);
  void Release(const Held& held);
  HeldPtr Find(const std::string& key) const;
  bool IsProcess(const api::Pod& pod) const;
  std::string AddressFor(const api::Pod& pod, bool is_process);
  std::string NextAddress(bool is_process);

  client::Client& client_;
  NodeFleet& fleet_;
  client::Informer<api::Pod>& pods_;
  client::Informer<api::Node>& nodes_;
  const Clock& clock_;
  const KubeletOptions options_;
  ClientSources sources_;
  client::EventRecorder recorder_;
  std::atomic<uint32_t> processes_ = 0, addresses_ = 0;

  mutable std::mutex mutex_;  // guards the two below; a Held belongs to its worker
  std::map<std::string, HeldPtr> held_;
  std::map<std::string, NodeAccount> accounts_;
  ControlLoop loop_;  // last: its threads use the rest
};

}  // namespace berth::simulation
