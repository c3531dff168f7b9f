// SPDX-License-Identifier: Apache-2.0
// count_instructions: one case at a small size, for valgrind to count. Neither this file nor a
// workload depends on time, randomness or addresses, so two runs count the same.
//
//   count_instructions --list        prints the cases, one a line
//   count_instructions --compiler    prints the key of the counts: gcc-12.2.0-x86_64
//   valgrind --tool=callgrind --instr-atstart=no count_instructions core/one_shape/nodes:500
#include <valgrind/callgrind.h>

#include <iostream>
#include <string_view>

#include "bench/cases.h"

namespace berth::bench {
namespace {

// CountingMeter makes callgrind count between Start and Stop; without valgrind it does nothing.
class CountingMeter final : public Meter {
 public:
  void Start() override { CALLGRIND_START_INSTRUMENTATION; }
  void Stop() override { CALLGRIND_STOP_INSTRUMENTATION; }
};

#if defined(__clang__)
constexpr std::string_view kCompiler = "clang";
constexpr int kVersion[] = {__clang_major__, __clang_minor__, __clang_patchlevel__};
#else
constexpr std::string_view kCompiler = "gcc";
constexpr int kVersion[] = {__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__};
#endif
#if defined(__x86_64__)
constexpr std::string_view kMachine = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view kMachine = "aarch64";
#else
constexpr std::string_view kMachine = "other";
#endif
#if defined(NDEBUG)
constexpr std::string_view kBuild;
#else
constexpr std::string_view kBuild = "-debug";  // never compared with the counts of a release build
#endif

int List() {
  for (const Case& each : AllCases(kCountedScale)) std::cout << each.name << '\n';
  return 0;
}

int PrintCompiler() {
  std::cout << kCompiler << '-' << kVersion[0] << '.' << kVersion[1] << '.' << kVersion[2] << '-'
            << kMachine << kBuild << '\n';
  return 0;
}

// Measures the second round: the first fills caches.
int Run(std::string_view name) {
  for (const Case& each : AllCases(kCountedScale)) {
    if (each.name != name) continue;
    const std::unique_ptr<Workload> workload = each.make();
    Unmeasured warm_up;
    workload->Round(warm_up);
    CountingMeter meter;
    workload->Round(meter);
    std::cout << "operations " << workload->Operations() << '\n';
    return 0;
  }
  std::cerr << "count_instructions: unknown case " << name << "; --list prints all cases\n";
  return 1;
}

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  const std::string_view argument = argc == 2 ? argv[1] : "";
  if (argument == "--list") return berth::bench::List();
  if (argument == "--compiler") return berth::bench::PrintCompiler();
  if (!argument.empty()) return berth::bench::Run(argument);
  std::cerr << "usage: count_instructions --list | --compiler | CASE\n";
  return 1;
}
