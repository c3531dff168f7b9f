// SPDX-License-Identifier: Apache-2.0
#include "extender/cluster.h"

#include "base/log.h"
#include "base/random.h"

namespace berth::extender {

Cluster::Cluster(const Parts& parts)
    : parts_(parts),
      sender_(parts.client),
      writer_(sender_, engine::ApiWriterOptions()),
      port_(writer_, timer_,
            {.post = parts.post,
             .record = [](const api::ObjectReference&, const scheduler::ObjectEvent&) {},
             .random = UniformRandom()}) {}

Cluster::~Cluster() {
  Stop();
  writer_.Close();  // fails the requests that wait for their turn
}

void Cluster::Follow(scheduler::Scheduler& core, scheduler::ObjectKindSet kinds) {
  kinds_ = kinds;
  informers_ = std::make_unique<engine::Informers>(engine::Informers::Parts{
      .client = parts_.client,
      .clock = parts_.clock,
      .scheduler = core,
      .post = parts_.post,
      .texts = texts_,
      .on_list = [this, &core] {
        if (synced_ || !informers_->HasSynced(kinds_)) return;
        synced_ = true;
        log::Info("Synced pods and nodes",
                  {{"nodes", core.cache().node_count()}, {"pods", core.cache().pod_count()}});
      }});
  informers_->List(kinds);
}

void Cluster::Stop() {
  if (informers_ != nullptr) informers_->Stop();
}

std::optional<std::string> Cluster::FailureReason() const {
  if (!synced_) return "handlers are not fully synchronized";
  return informers_->ErrorWith(kinds_);
}

}  // namespace berth::extender
