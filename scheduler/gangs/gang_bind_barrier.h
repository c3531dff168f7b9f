// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth::scheduler {

// GangBindBarrier makes the members of a gang bind at the same time, after Permit and PreBind of
// all members have ended. A volume that cannot be provisioned, or a rejection at Permit, thus fails
// the gang before any member is bound. If too many members fail, the barrier fails the others, too.
//
// The binding cycles of the members share it. Each joins, then arrives or leaves; none passes
// before all have joined and arrived or left. Owned by the scheduling thread.
class GangBindBarrier {
 public:
  // Member is the binding cycle of one member.
  class Member {
   public:
    virtual ~Member() = default;
    virtual const std::string& pod_name() const = 0;
    virtual void Bind() = 0;
    // Fails the cycle before Bind.
    virtual void GiveUp(const std::string& why) = 0;
  };

  // OnGivenUp is called with the cause when too many members failed. OnEnded is called once, when
  // the remaining members start to bind (`binds`) or none remains.
  using OnGivenUp = std::function<void(const std::string& why)>;
  using OnEnded = std::function<void(bool binds)>;

  // `expected` members will join; the gang needs `needed` of them. `gang`: the PodGroup, for
  // messages. `plugin`: the gang's plugin.
  GangBindBarrier(std::string gang, std::string_view plugin, size_t expected, size_t needed,
                  OnGivenUp on_given_up, OnEnded on_ended)
      : gang_(std::move(gang)),
        plugin_(plugin),
        on_given_up_(std::move(on_given_up)),
        on_ended_(std::move(on_ended)),
        missing_(expected),
        left_(expected),
        needed_(needed) {}

  // Returns false if too many members failed already; the member then has to leave.
  bool Join(std::shared_ptr<Member> member);
  // Called by a member that is ready to bind. The last one makes all members bind.
  void Arrive();
  // Called by a member that failed, before or after it arrived.
  void Leave(const Member& member, bool had_arrived, const std::string& why);

  // The reason why too many members failed; empty if they did not.
  const std::string& cause() const { return cause_; }
  const std::string& plugin() const { return plugin_; }

 private:
  void Go();
  void GiveUp(const Member& member, const std::string& why);
  void End(bool binds);

  const std::string gang_, plugin_;
  const OnGivenUp on_given_up_;
  const OnEnded on_ended_;
  std::vector<std::shared_ptr<Member>> members_;  // joined and not left
  size_t missing_;                                // neither arrived nor left
  size_t left_;                                   // have not left
  const size_t needed_;
  std::string cause_;
  bool ended_ = false;
};

}  // namespace berth::scheduler
