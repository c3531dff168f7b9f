// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace berth::engine {

// ChangeFlow bounds the changes of one watch that were posted to the scheduling thread and not
// applied yet. Above kMaxBytes the watch stops reading until half of them are applied, so the
// memory of a busy scheduler does not grow with the rate of changes: the API server closes a watch
// that stays behind, and the informer lists again. One producer, the watch's thread; one consumer.
class ChangeFlow {
 public:
  static constexpr size_t kMaxBytes = 8 << 20;  // of JSON

  // Waits for room before an object with a text of this size is processed, at most until Close.
  // Producer.
  void Await(size_t bytes);
  // Counts a change of the awaited object and returns its size for Applied. Producer.
  size_t Post();
  // Consumer.
  void Applied(size_t bytes);
  // Ends a wait in Await; later calls do not wait. Any thread.
  void Close();

 private:
  std::mutex mutex_;  // guards all below
  std::condition_variable applied_;
  size_t awaited_ = 0;  // size of the object in progress
  size_t posted_ = 0;   // bytes not applied yet
  bool closed_ = false;
};

}  // namespace berth::engine
