// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tests/integration/harness/process.h"
#include "tests/support/documents/typed_command.h"

// Documents with commands that a test runs, comparing the output with the document.
namespace berth::integration {

// Compares the output with the document line by line and returns the first difference; empty if
// they match. A "..." line in the document matches any number of lines. Repeated blanks count as
// one. Values that change between runs are equal: ages, times, addresses, hashes, uids and the
// suffixes of pod names.
std::string Disagreement(const std::vector<std::string>& shown, const std::string& printed);

// Reports whether a command is read-only and may be repeated: it only uses kubectl get, describe,
// wait, events, logs or rollout status; or it begins with curl.
bool OnlyLooks(const std::string& line);

// Runs the commands of a block, each until it succeeds with the expected output. Read-only commands
// are retried for `patience`, all other commands run once. The first failing command is a fatal
// failure of the test.
void TypeBlock(const std::vector<TypedCommand>& block,
               const std::function<ProcessOutcome(const std::string& line)>& type,
               std::chrono::seconds patience = std::chrono::seconds(30));

}  // namespace berth::integration
