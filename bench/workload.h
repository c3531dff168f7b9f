// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace berth::bench {

// Meter measures what runs between Start and Stop: by a clock (timed.cc) or by counting
// instructions (counted.cc). A new meter stands still.
class Meter {
 public:
  virtual ~Meter() = default;
  virtual void Start() = 0;
  virtual void Stop() = 0;
};

// Measured runs a meter for the length of a scope.
class Measured {
 public:
  explicit Measured(Meter& meter) : meter_(meter) { meter_.Start(); }
  ~Measured() { meter_.Stop(); }
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;

 private:
  Meter& meter_;
};

// Unmeasured is for what a workload does outside of what is measured.
class Unmeasured final : public Meter {
 public:
  void Start() override {}
  void Stop() override {}
};

// Workload is something to be measured that can be repeated without end. Both kinds of measuring
// run the same one.
class Workload {
 public:
  virtual ~Workload() = default;

  // Operations is how many operations a round has; it does not vary.
  virtual size_t Operations() const = 0;
  // Round does them with the meter running, and what makes ready for the next round with the meter
  // standing still. Two rounds do the same amount of work.
  virtual void Round(Meter& meter) = 0;
};

// Repeat is the workload of a function without a state: `operation(i)` for i up to `operations`.
class Repeat final : public Workload {
 public:
  using Operation = std::function<void(size_t i)>;

  Repeat(size_t operations, Operation operation)
      : operations_(operations), operation_(std::move(operation)) {}

  size_t Operations() const override { return operations_; }
  void Round(Meter& meter) override {
    const Measured measured(meter);
    for (size_t i = 0; i < operations_; ++i) operation_(i);
  }

 private:
  size_t operations_;
  Operation operation_;
};

// Keep makes the compiler believe that a value is used.
template <class T>
void Keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

}  // namespace berth::bench
