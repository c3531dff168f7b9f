// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/store/document_cache.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/sandbox/apiserver/store/objects.h"

namespace berth::apiserver {
namespace {

TEST(DocumentCache, DecodesAnObjectOnce) {
  DocumentCache cache;
  const ObjectPtr object = MakeObject(MakePod("ns", "a"), 7);
  const auto document = cache.Of(object);
  EXPECT_EQ(*document, nlohmann::json::parse(object->text));
  EXPECT_EQ(cache.Of(object), document);
}

TEST(DocumentCache, DistinguishesObjectsOfOneVersion) {
  DocumentCache cache;
  const ObjectPtr before = MakeObject(MakePod("ns", "a"), 7);
  const ObjectPtr after = MakeObject(MakePodOn("ns", "a", "node"), 7);
  const auto old = cache.Of(before);
  EXPECT_EQ((*cache.Of(after))["spec"]["nodeName"], "node");
  EXPECT_EQ(*cache.Of(before), *old);
}

}  // namespace
}  // namespace berth::apiserver
