// SPDX-License-Identifier: Apache-2.0
#include "api/events.h"

#include <gtest/gtest.h>

namespace berth::api::events {
namespace {

TEST(CutNote, KeepsShortNotes) {
  EXPECT_EQ(CutNote("short"), "short");
  EXPECT_EQ(CutNote(std::string(1024, 'x')), std::string(1024, 'x'));
}

TEST(CutNote, TruncatesLongNotesWithDots) {
  EXPECT_EQ(CutNote(std::string(1025, 'x')), std::string(1020, 'x') + " ...");
}

TEST(CutNote, NeverSplitsACharacter) {
  std::string text(1019, 'x');
  text += "\xC3\xA9";  // é, over bytes 1019 and 1020
  text += std::string(100, 'y');
  EXPECT_EQ(CutNote(text), std::string(1019, 'x') + " ...");
}

}  // namespace
}  // namespace berth::api::events
