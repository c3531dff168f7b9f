// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tests/integration/harness/process.h"
#include "tests/support/documents/typed_command.h"

// Documents whose commands are typed by a test, and their output compared with what is shown.
namespace berth::integration {

// Disagreement compares what was printed with what the document shows, line by line, and gives the
// first difference; empty: none. A shown line "..." stands for any number of lines. Blanks in a row
// count as one, and what differs from run to run counts as equal: ages, times, addresses, hashes,
// uids and the suffixes of pods' names.
std::string Disagreement(const std::vector<std::string>& shown, const std::string& printed);

// OnlyLooks says whether a line changes nothing and may be typed again: all it asks of kubectl is to
// get, describe, wait, or tell events, logs or the status of a rollout; or it begins with curl.
bool OnlyLooks(const std::string& line);

// TypeBlock types the commands of a block, each until it succeeds and prints what is shown. Those that
// only look have `patience` for that, all others one attempt. The first that does not is a fatal
// failure of the test.
void TypeBlock(const std::vector<TypedCommand>& block,
               const std::function<ProcessOutcome(const std::string& line)>& type,
               std::chrono::seconds patience = std::chrono::seconds(30));

}  // namespace berth::integration
