// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace berth::bench {

// Meter measures the code between Start and Stop: by a clock (timed.cc) or by counting instructions
// (counted.cc). A new meter is stopped.
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

// Unmeasured is a no-op meter for setup work.
class Unmeasured final : public Meter {
 public:
  void Start() override {}
  void Stop() override {}
};

// Workload is a benchmark body that can be repeated without limit. Timed and counted programs run
// the same workloads.
class Workload {
 public:
  virtual ~Workload() = default;

  // Returns the number of operations in a round; it is constant.
  virtual size_t Operations() const = 0;
  // Runs the operations with the meter started, and the preparation of the next round with the
  // meter stopped. Every round does the same amount of work.
  virtual void Round(Meter& meter) = 0;
};

// Repeat is the workload of a stateless function: it runs `operation(i)` for i in [0,
// `operations`).
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

// Prevents the compiler from optimizing a value away.
template <class T>
void Keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

}  // namespace berth::bench
