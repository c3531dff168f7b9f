// SPDX-License-Identifier: Apache-2.0
#include "api/pod.h"
#include "base/check.h"
#include "base/json/json.h"
#include "base/strings.h"
#include "client/watch_stream.h"
#include "http/client/line_queue.h"
#include "tests/fuzz/targets.h"

namespace berth::fuzz {
namespace {

constexpr size_t kMaxLine = 2048;
constexpr size_t kMaxBuffered = 4096;

// Returns the lines that a queue produces from a body in pieces of that size.
std::vector<std::string> LinesInPieces(std::string_view body, size_t piece) {
  http::LineQueue queue(kMaxLine, kMaxBuffered);
  std::vector<std::string> lines;
  bool paused = false;
  const auto read = [&] {
    auto line = queue.Next();
    if (line && *line) lines.push_back(std::move(**line));
    return line && *line;
  };
  while (!body.empty()) {
    const std::string_view part = body.substr(0, piece);
    body.remove_prefix(part.size());
    paused = !queue.Append(part, [&paused] { paused = false; });
    while (paused && read()) {
    }
    BERTH_CHECK(!paused, "the producer stays paused");
  }
  queue.End({});
  while (read()) {
  }
  return lines;
}

void CheckFrame(std::string_view line) {
  const auto event = client::ParseWatchFrame(line);
  if (!event) {
    BERTH_CHECK(!event.error().message().empty(), "an error without a message");
    return;
  }
  const auto pod = json::Decode<api::Pod>(event->object);
  if (pod)
    BERTH_CHECK(json::Decode<api::Pod>(json::Encode(*pod)).has_value(),
                "an encoded pod "
                "does not decode");
}

}  // namespace

// The first byte is the size of the pieces of the body.
void WatchFrames(std::string_view input) {
  if (input.empty()) return;
  const size_t piece = static_cast<unsigned char>(input.front()) + size_t{1};
  const std::string_view body = input.substr(1);
  const std::vector<std::string> lines = LinesInPieces(body, piece);
  BERTH_CHECK(lines == LinesInPieces(body, kMaxLine), "the lines depend on the pieces");
  for (const std::string& line : lines) {
    BERTH_CHECK(line.find('\n') == line.npos, "a line contains a line end");
    CheckFrame(line);
  }
}

}  // namespace berth::fuzz
