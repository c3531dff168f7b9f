// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace berth::scheduler {

class BindingCycle;

// GangBindBarrier has the members of a gang bound at the same time, once each of them has all that it
// needs on its node: a volume that cannot be made for one, or a Permit plugin's no to one, comes
// before the others are bound, not after. When so many have failed that the gang cannot be whole, the
// rest is given up, too.
//
// It is shared by the binding cycles of the members. Each joins, and either arrives or leaves; none
// that has joined is let go before all have. Owned by the scheduling thread.
class GangBindBarrier {
 public:
  // OnGivenUp takes why the gang was given up. OnEnded comes in any case: all that are left are being
  // bound, or none is left.
  using OnGivenUp = std::function<void(const std::string& why)>;
  using OnEnded = std::function<void()>;

  // `expected` members will join; `needed` of them have to be bound.
  GangBindBarrier(std::string gang, size_t expected, size_t needed, OnGivenUp on_given_up,
                  OnEnded on_ended)
      : gang_(std::move(gang)),
        on_given_up_(std::move(on_given_up)),
        on_ended_(std::move(on_ended)),
        missing_(expected),
        left_(expected),
        needed_(needed) {}

  // Join says whether the gang can still be whole; a member that is told no leaves.
  bool Join(std::shared_ptr<BindingCycle> member);
  // Arrive is for a member that can be bound; the last one lets all go.
  void Arrive();
  // Leave is for a member that failed, be it after it had arrived.
  void Leave(const BindingCycle& member, bool had_arrived, const std::string& why);

  // cause is why the gang was given up; empty: it was not.
  const std::string& cause() const { return cause_; }

 private:
  void Go();
  void GiveUp(const BindingCycle& member, const std::string& why);
  void End();

  const std::string gang_;
  const OnGivenUp on_given_up_;
  const OnEnded on_ended_;
  std::vector<std::shared_ptr<BindingCycle>> members_;  // joined, and still there
  size_t missing_;                                      // neither arrived nor left
  size_t left_;                                         // all but those that left
  const size_t needed_;
  std::string cause_;
  bool ended_ = false;
};

}  // namespace berth::scheduler
