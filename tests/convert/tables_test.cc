// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <gtest/gtest.h>

#include "convert/old_plugins.h"
#include "convert/policy_tables.h"
#include "tests/convert/conversion.h"

namespace berth::convert {
namespace {

// Expects that every plugin in a table is available.
void ExpectIsThere(std::string_view plugin) {
  const crds::PluginView* view = Catalogue().Find(plugin);
  ASSERT_NE(view, nullptr) << plugin;
  EXPECT_TRUE(view->served) << plugin;
}

TEST(Tables, NamePluginsThatExist) {
  for (const PredicateRow& row : PredicateRows()) {
    for (const std::string_view plugin : row.plugins) {
      if (!plugin.empty()) ExpectIsThere(plugin);
    }
    EXPECT_EQ(row.outcome == Outcome::kDropped, row.plugins[0].empty()) << row.name;
    EXPECT_TRUE(row.outcome == Outcome::kExact || !row.remark.empty()) << row.name;
  }
  for (const PriorityRow& row : PriorityRows()) {
    if (!row.plugin.empty()) ExpectIsThere(row.plugin);
    EXPECT_EQ(row.outcome == Outcome::kDropped, row.plugin.empty()) << row.name;
    EXPECT_TRUE(row.outcome == Outcome::kExact || !row.remark.empty()) << row.name;
  }
  for (const OldPlugin& old : OldPlugins()) {
    if (!old.now.empty()) ExpectIsThere(old.now);
    const crds::PluginView* view = Catalogue().Find(old.name);
    EXPECT_EQ(view, nullptr) << old.name << " still exists";
  }
  for (const DefaultChange& change : DefaultChanges()) ExpectIsThere(change.plugin);
}

TEST(Tables, SortPrioritiesByName) {
  EXPECT_TRUE(std::ranges::is_sorted(PriorityRows(), {}, &PriorityRow::name));
}

TEST(Tables, CorrectSpellingsOfNetworkTraffic) {
  for (const char* name :
       {"network_traffic", "networktraffic", "network-traffic", "NetworkTraffic"}) {
    EXPECT_EQ(ProperName(name), "NetworkTraffic");
  }
  EXPECT_EQ(ProperName("NetworkTraffics"), "NetworkTraffics");
  EXPECT_EQ(ProperName("node_affinity"), "node_affinity");
}

}  // namespace
}  // namespace berth::convert
