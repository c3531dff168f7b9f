// SPDX-License-Identifier: Apache-2.0
#include "scheduler/gangs/member_ends.h"

#include <utility>
#include <vector>

namespace berth::scheduler {

void MemberEnds::OnRemoved(const PodInfo& pod) {
  const Gang* gang = cache_.gangs().Of(pod);
  if (gang == nullptr || pod.running() || !gang->placed_here() || gang->has_run()) return;
  const PodRef ref = PodRef::Of(pod);
  unknown_[gang->Key()][ref.uid] = {ref};
  Read(gang->Key(), ref);
}

bool MemberEnds::AreKnown(const Gang& gang) {
  const auto found = unknown_.find(gang.Key());
  if (found == unknown_.end()) return true;
  std::vector<PodRef> unread;
  for (auto& [uid, end] : found->second) {
    if (!std::exchange(end.is_being_read, true)) unread.push_back(end.pod);
  }
  for (const PodRef& pod : unread) Read(gang.Key(), pod);
  return false;
}

void MemberEnds::Read(const std::string& key, const PodRef& pod) {
  api_.ReadPod(pod, [this, key, uid = pod.uid](const auto& read) { OnRead(key, uid, read); });
}

void MemberEnds::OnRead(const std::string& key, const std::string& uid,
                        const Result<std::shared_ptr<const api::Pod>>& read) {
  const auto ends = unknown_.find(key);
  if (ends == unknown_.end()) return;
  const auto end = ends->second.find(uid);
  if (end == ends->second.end()) return;
  if (!read && !read.error().Is(Reason::kNotFound)) {
    end->second.is_being_read = false;
    return;
  }
  ends->second.erase(end);
  if (ends->second.empty()) unknown_.erase(ends);
  const Gang* gang = cache_.gangs().Find(key);
  if (read && gang != nullptr && (*read)->status.phase == "Succeeded") {
    cache_.gangs().RecordRun(*gang);
  }
}

}  // namespace berth::scheduler
