// SPDX-License-Identifier: Apache-2.0
#include "engine/extender/object_texts.h"

#include <gtest/gtest.h>

namespace berth::engine {
namespace {

TEST(ObjectText, LeavesOutOnlyKindAndManagedFields) {
  EXPECT_EQ(*ObjectText(R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"p","managedFields":)"
                        R"([{"a":1}],"labels":{"kind":"x"}},"spec":{"kind":"y", "n": 1.50},)"
                        R"("newer":[{"managedFields":[]}]})"),
            R"({"metadata":{"labels":{"kind":"x"},"name":"p"},"newer":[{"managedFields":[]}],)"
            R"("spec":{"kind":"y", "n": 1.50}})");
  EXPECT_EQ(*ObjectText(R"({"metadata": {"name": "p"}})"), R"({"metadata":{"name": "p"}})");
  EXPECT_EQ(*ObjectText(R"({"spec":{}})"), R"({"spec":{}})");
  EXPECT_FALSE(ObjectText("[]"));
  EXPECT_FALSE(ObjectText("{"));
}

TEST(ObjectTexts, KeepsTheNewestVersion) {
  ObjectTexts texts;
  EXPECT_EQ(texts.Find("a"), nullptr);
  texts.Put("a", "1");
  const auto before = texts.Find("a");
  texts.Put("a", "2");
  EXPECT_EQ(*before, "1");
  EXPECT_EQ(*texts.Find("a"), "2");
  texts.Put("b", "3");
  texts.Remove("a");
  EXPECT_EQ(texts.Find("a"), nullptr);
  EXPECT_EQ(texts.size(), 1u);
  texts.Clear();
  EXPECT_EQ(texts.size(), 0u);
}

}  // namespace
}  // namespace berth::engine
