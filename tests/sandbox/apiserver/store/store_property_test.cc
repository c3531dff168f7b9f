// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "sandbox/apiserver/store/store.h"
#include "tests/sandbox/apiserver/store/objects.h"

// After random writes, the store must return the correct state for every version, and every watcher
// must have seen the same.
namespace berth::apiserver {
namespace {

using Json = nlohmann::json;
using State = std::map<std::string, std::string>;  // key to text

constexpr int kWrites = 400;

State StateOf(const std::vector<ObjectPtr>& objects) {
  State state;
  for (const ObjectPtr& object : objects) state[KeyOf(object->metadata)] = object->text;
  return state;
}

// Mirror follows a watch like a client.
class Mirror {
 public:
  Mirror(Collection& pods, const std::string& node, State start, const std::string& version)
      : state_(std::move(start)) {
    const auto representation = std::make_shared<PlainRepresentation>("v1", "Pod");
    watcher_ = std::move(*pods.Watch(
        {.selection = {.fields = *FieldSelector::Parse("spec.nodeName=" + node, pods.fields())},
         .resource_version = version,
         .representation = representation}));
    watcher_->OnReady([this] { Pull(); });
    Pull();
  }

  const State& state() const { return state_; }

 private:
  void Pull() {
    while (const Frame frame = watcher_->Next()) {
      const Json event = Json::parse(*frame);
      const Json& metadata = event["object"]["metadata"];
      const std::string key =
          KeyOf(metadata["namespace"].get<std::string>(), metadata["name"].get<std::string>());
      const auto version = std::stoull(metadata["resourceVersion"].get<std::string>());
      EXPECT_GT(version, last_) << "versions only grow";
      last_ = version;
      const bool known = state_.contains(key);
      EXPECT_EQ(event["type"] == "ADDED", !known) << *frame;
      if (event["type"] == "DELETED") {
        state_.erase(key);
      } else {
        // In the store's encoding, so that texts compare equal.
        state_[key] = frame->substr(frame->find("\"object\":") + 9);
        state_[key].resize(state_[key].size() - 2);
      }
    }
  }

  State state_;
  uint64_t last_ = 0;
  std::unique_ptr<Watcher> watcher_;
};

class StoreProperty : public ::testing::TestWithParam<int> {
 protected:
  // Makes one random write, which may be rejected.
  void Write() {
    const std::string name_space = "ns-" + std::to_string(random_() % 3);
    const std::string name = "pod-" + std::to_string(random_() % 12);
    const std::string node = random_() % 2 == 0 ? "" : "n" + std::to_string(random_() % 2);
    if (pods_.Create(MakePodOn(name_space, name, node))) return;
    if (random_() % 3 == 0) {
      ASSERT_TRUE(pods_.Delete(name_space, name));
    } else {
      ASSERT_TRUE(pods_.Update(MakePodOn(name_space, name, node)));
    }
  }
  State ListAt(uint64_t version, int64_t limit) {
    ListOptions options{.limit = limit, .match = VersionMatch::kExact};
    options.resource_version = std::to_string(version);
    std::vector<ObjectPtr> all;
    do {
      const ListResult page = pods_.List(options);
      EXPECT_TRUE(page);
      if (!page) break;
      all.insert(all.end(), page->items.begin(), page->items.end());
      options = {.limit = limit, .continue_ = page->continue_};
    } while (!options.continue_.empty());
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return KeyOf(a->metadata) < KeyOf(b->metadata);
    }));
    return StateOf(all);
  }
  State OnNode(const State& state, const std::string& node) {
    State chosen;
    for (const auto& [key, text] : state) {
      if (Json::parse(text)["spec"]["nodeName"] == node) chosen.emplace(key, text);
    }
    return chosen;
  }

  std::mt19937 random_{static_cast<unsigned>(GetParam())};
  Store store_;
  Collection& pods_ = store_.Add("pods", kPodFields);
};

TEST_P(StoreProperty, EveryVersionReturnsItsState) {
  std::map<uint64_t, State> states;
  for (int i = 0; i < kWrites; ++i) {
    Write();
    states[store_.version()] = StateOf(pods_.List({})->items);
  }
  for (const auto& [version, state] : states) {
    EXPECT_EQ(ListAt(version, 0), state) << version;
    EXPECT_EQ(ListAt(version, 5), state) << version;
    const auto one = pods_.GetAt("ns-1", "pod-3", version);
    EXPECT_EQ(one.has_value(), state.contains("ns-1/pod-3"));
    if (one) {
      EXPECT_EQ((*one)->text, state.at("ns-1/pod-3"));
    }
  }
}

TEST_P(StoreProperty, WatchersSeeTheCurrentState) {
  std::map<uint64_t, State> states;
  Mirror live(pods_, "n1", {}, std::to_string(store_.version()));
  for (int i = 0; i < kWrites; ++i) {
    Write();
    states[store_.version()] = StateOf(pods_.List({})->items);
    EXPECT_EQ(live.state(), OnNode(states[store_.version()], "n1"));
  }
  const State now = OnNode(StateOf(pods_.List({})->items), "n1");
  for (const auto& [version, state] : states) {
    const Mirror late(pods_, "n1", OnNode(state, "n1"), std::to_string(version));
    EXPECT_EQ(late.state(), now) << version;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, StoreProperty, ::testing::Range(1, 6));

}  // namespace
}  // namespace berth::apiserver
