// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/wait.h"

#include <thread>

namespace berth::integration {

using std::chrono::steady_clock;

bool PollUntil(std::chrono::milliseconds limit, const std::function<bool()>& condition,
               std::chrono::milliseconds every) {
  const auto deadline = steady_clock::now() + limit;
  while (!condition()) {
    if (steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(every);
  }
  return true;
}

testing::AssertionResult Eventually(const std::string& what, std::chrono::milliseconds limit,
                                    const std::function<std::string()>& complaint,
                                    std::chrono::milliseconds every) {
  std::string last;
  const auto is_held = [&] {
    last = complaint();
    return last.empty();
  };
  const bool held = PollUntil(limit, is_held, every);
  if (held) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "waited " << limit.count() << " ms for " << what << "; last: " << last;
}

testing::AssertionResult Always(const std::string& what, std::chrono::milliseconds time,
                                const std::function<std::string()>& complaint) {
  std::string broken;
  const bool ended = PollUntil(time, [&] {
    broken = complaint();
    return !broken.empty();
  });
  if (!ended) return testing::AssertionSuccess();
  return testing::AssertionFailure() << what << " did not hold: " << broken;
}

}  // namespace berth::integration
