// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/kinds/kind_registry.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(KindRegistry, EveryBuiltinKindHasASchema) {
  const KindRegistry kinds;
  for (const KindRegistry::Group& group : kinds.groups()) {
    for (const KindRegistry::Version& version : group.versions) {
      for (const KindPtr& kind : version.kinds) {
        EXPECT_NE(kind->schema, nullptr) << kind->ApiVersion() << " " << kind->kind;
        EXPECT_FALSE(kind->verbs.empty());
      }
    }
  }
}

TEST(KindRegistry, CustomKindsComeAndGo) {
  KindRegistry kinds;
  auto thing = std::make_shared<KindInfo>();
  thing->group = "x.dev";
  thing->version = "v1";
  thing->kind = "Thing";
  thing->plural = "things";
  kinds.SetCustom("things.x.dev", {thing});
  EXPECT_EQ(kinds.Find("x.dev", "v1", "things"), thing);
  EXPECT_EQ(kinds.FindKind({"x.dev", "v1", "Thing"}), thing);
  kinds.RemoveCustom("things.x.dev");
  EXPECT_EQ(kinds.Find("x.dev", "v1", "things"), nullptr);
  EXPECT_EQ(kinds.FindGroup("x.dev"), nullptr);
}

TEST(KindRegistry, EventsShareTheirStorage) {
  const KindRegistry kinds;
  EXPECT_EQ(kinds.Find("", "v1", "events")->storage,
            kinds.Find("events.k8s.io", "v1", "events")->storage);
}

}  // namespace
}  // namespace berth::apiserver
