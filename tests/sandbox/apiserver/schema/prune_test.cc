// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/prune.h"

#include <gtest/gtest.h>

#include "sandbox/apiserver/schema/builtin.h"
#include "tests/sandbox/apiserver/schema/thing.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;
using Paths = std::vector<std::string>;

TEST(Prune, RemovesUndeclaredFieldsAndReturnsPaths) {
  const auto schema = ThingSchema();
  json thing = Thing(
      R"({"bar":{"x":1},"size":1,"items":[{"port":1},{"foo":1,"port":2}],"labels":{"any":"x"}})");
  EXPECT_EQ(Prune(*schema, &thing), (Paths{"spec.bar", "spec.items[1].foo"}));
  EXPECT_EQ(thing["spec"].dump(),
            R"({"items":[{"port":1},{"port":2}],"labels":{"any":"x"},"size":1})");
}

TEST(Prune, KeepsPreservedUnknownFields) {
  const auto schema = ThingSchema();
  json thing =
      Thing(R"({"free":{"a":{"b":[{"c":1}]}},"emb":{"apiVersion":"v1","kind":"X","more":1}})");
  const json before = thing;
  EXPECT_EQ(Prune(*schema, &thing), Paths());
  EXPECT_EQ(thing, before);
}

TEST(Prune, PrunesMetadata) {
  const auto schema = ThingSchema();
  json thing = Thing("{}");
  thing["metadata"]["labels"] = {{"a", "b"}};
  thing["metadata"]["nope"] = 1;
  EXPECT_EQ(Prune(*schema, &thing), Paths{"metadata.nope"});
}

TEST(Prune, PrunesBuiltInKinds) {
  const Schema* schema = BuiltinSchemas::Get().FindKind({"apps", "v1", "Deployment"});
  json document =
      json::parse(R"({"spec":{"foo":1,"template":{"spec":{"bar":2,"containers":[{"baz":1}]}}}})");
  const Paths paths = Prune(*schema, &document);
  EXPECT_EQ(paths,
            (Paths{"spec.foo", "spec.template.spec.bar", "spec.template.spec.containers[0].baz"}));
  EXPECT_EQ(StrictDecodingError({UnknownFieldText("a"), UnknownFieldText("b.c")}),
            "strict decoding error: unknown field \"a\", unknown field \"b.c\"");
  EXPECT_EQ(document.dump(), R"({"spec":{"template":{"spec":{"containers":[{}]}}}})");
}

}  // namespace
}  // namespace berth::apiserver
