// SPDX-License-Identifier: Apache-2.0
// The program of `make fuzz`. The first argument selects the target, the others are libFuzzer's:
// build/fuzz/fuzzer yaml -max_total_time=60 CORPUS; build/fuzz/fuzzer yaml INPUT.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.h"

namespace {

const berth::fuzz::Target* target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const auto targets = berth::fuzz::Targets();
  const auto named = std::find_if(targets.begin(), targets.end(), [&](const auto& one) {
    return *argc > 1 && one.name == (*argv)[1];
  });
  if (named == targets.end()) {
    std::fputs("usage: fuzzer TARGET [LIBFUZZER_OPTION | INPUT | CORPUS]...; targets:", stderr);
    for (const auto& one : targets) std::fprintf(stderr, " %s", std::string(one.name).c_str());
    std::fputs("\n", stderr);
    std::exit(1);
  }
  target = &*named;
  std::rotate(*argv + 1, *argv + 2, *argv + *argc);
  --*argc;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
