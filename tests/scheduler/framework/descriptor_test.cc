// SPDX-License-Identifier: Apache-2.0
#include "scheduler/framework/descriptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/scheduler_config.h"
#include "tests/scheduler/testing/test_cluster.h"

namespace berth::scheduler {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TestCluster;

class Plain final : public FilterPlugin {
 public:
  static PluginDescriptor Descriptor() { return Describe<Plain>({.name = "Plain"}); }
  Verdict Filter(const CycleContext&, const NodeView&) const override { return Verdict::Fits(); }
};

class Tuned final : public PreScorePlugin, public ScorePlugin {
 public:
  struct Args {
    int32_t factor = 3;
    static auto Fields() { return json::Object(json::Field("factor", &Args::factor)); }
    std::vector<api::FieldError> Validate() const {
      if (factor > 0) return {};
      return {api::FieldError::Invalid("args.factor", factor, "must be positive")};
    }
  };
  static PluginDescriptor Descriptor() { return Describe<Tuned>({.name = "Tuned"}); }
  Tuned(Args args, const PluginHandle& handle) : args_(args), words_(handle.words) {}

  Status PreScore(CycleContext&, const FeasibleNodes&) const override { return Status::Success(); }
  int64_t Score(const CycleContext&, const NodeView&) const override { return args_.factor; }
  int32_t factor() const { return args_.factor; }
  const Vocabulary* words() const { return &words_; }

 private:
  Args args_;
  Vocabulary& words_;
};

// Reader reads Services only if its args enable it.
class Reader final : public FilterPlugin {
 public:
  struct Args {
    bool services = false;
    static auto Fields() { return json::Object(json::Field("services", &Args::services)); }
    std::vector<api::FieldError> Validate() const { return {}; }
  };
  static ObjectKindSet Reads(const Args& args) {
    return args.services ? ObjectKindSet{ObjectKind::kNamespace, ObjectKind::kService}
                         : ObjectKindSet{ObjectKind::kNamespace};
  }
  static PluginDescriptor Descriptor() {
    return Describe<Reader>(
        {.name = "Reader", .reads = {ObjectKind::kNamespace, ObjectKind::kService}});
  }
  explicit Reader(Args) {}
  Verdict Filter(const CycleContext&, const NodeView&) const override { return Verdict::Fits(); }
};

std::string CreateError(const PluginDescriptor& descriptor, std::string args) {
  TestCluster cluster;
  const auto made = descriptor.create({std::move(args)}, cluster.handle());
  return made ? "no error" : made.error().message();
}

TEST(Describe, DerivesPointsFromBaseClasses) {
  EXPECT_EQ(Plain::Descriptor().points, (PointSet{ExtensionPoint::kFilter}));
  EXPECT_EQ(Tuned::Descriptor().points,
            (PointSet{ExtensionPoint::kPreScore, ExtensionPoint::kScore}));
  EXPECT_EQ(Plain::Descriptor().args, nullptr);
  EXPECT_EQ(Tuned::Descriptor().args, &json::TypeOf<Tuned::Args>());
}

TEST(Describe, CreatesThePluginFromArgs) {
  TestCluster cluster;
  EXPECT_EQ(cluster.Plugin<Tuned>()->factor(), 3);
  EXPECT_EQ(cluster.Plugin<Tuned>(R"({"factor": 7})")->factor(), 7);
  EXPECT_EQ(cluster.Plugin<Tuned>("null")->factor(), 3);
  EXPECT_EQ(cluster.Plugin<Tuned>()->words(), &cluster.words());
  EXPECT_NE(cluster.Plugin<Plain>("{}"), nullptr);
}

TEST(Describe, ReadKindsMayDependOnArgs) {
  const PluginDescriptor reader = Reader::Descriptor();
  const ObjectKindSet namespaces = {ObjectKind::kNamespace};
  EXPECT_EQ(reader.ReadsWith({""}), namespaces);
  EXPECT_EQ(reader.ReadsWith({R"({"services": true})"}), reader.reads);
  EXPECT_EQ(reader.ReadsWith({R"({"unknown": true})"}), reader.reads)
      << "all kinds if args are invalid";
  PluginDescriptor plain = Plain::Descriptor();
  EXPECT_TRUE(plain.ReadsWith({""}).empty());
  plain.reads = namespaces;
  EXPECT_EQ(plain.ReadsWith({""}), namespaces);
}

TEST(Describe, AcceptsApiVersionAndKindInArgs) {
  TestCluster cluster;
  const auto tuned = cluster.Plugin<Tuned>(
      R"({"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "TunedArgs", "factor": 2})");
  EXPECT_EQ(tuned->factor(), 2);
  EXPECT_THAT(CreateError(Tuned::Descriptor(), R"({"kind": "PlainArgs"})"),
              HasSubstr("args for plugin Tuned were not of type "
                        "TunedArgs.kubescheduler.config.k8s.io, got "
                        "PlainArgs.kubescheduler.config.k8s.io"));
  EXPECT_THAT(CreateError(Tuned::Descriptor(), R"({"apiVersion": "v1", "kind": "TunedArgs"})"),
              HasSubstr("allowed: \"kubescheduler.config.k8s.io/v1\""));
}

TEST(Describe, RejectsUnknownArgs) {
  EXPECT_THAT(CreateError(Tuned::Descriptor(), R"({"factr": 7})"), HasSubstr("factr"));
  EXPECT_THAT(CreateError(Tuned::Descriptor(), R"({"factor": 0})"),
              HasSubstr("args.factor: Invalid value: 0: must be positive"));
  EXPECT_THAT(CreateError(Plain::Descriptor(), R"({"factor": 1})"),
              HasSubstr("plugin Plain takes no args"));
}

TEST(Describe, CheckAgreesWithCreate) {
  const PluginDescriptor tuned = Tuned::Descriptor();
  EXPECT_THAT(tuned.check({R"({"factor": 1})"}), IsEmpty());
  EXPECT_THAT(tuned.check({}), IsEmpty());
  EXPECT_EQ(tuned.check({R"({"factor": -1})"}).front().path, "args.factor");
  EXPECT_EQ(tuned.check({R"({"other": -1})"}).front().path, "args");
  EXPECT_EQ(Plain::Descriptor().check({R"({"x": 1})"}).size(), 1u);
  EXPECT_THAT(Plain::Descriptor().check({"{}"}), IsEmpty());
}

TEST(ExtensionPoint, HasConfigurationAndInterfaceNames) {
  EXPECT_EQ(ToString(ExtensionPoint::kPreFilter), "preFilter");
  EXPECT_EQ(ToString(ExtensionPoint::kQueueSort), "queueSort");
  EXPECT_EQ(ToString(ExtensionPoint::kPlacementScore), "placementScore");
  EXPECT_EQ(InterfaceOf(ExtensionPoint::kPodGroupPostFilter), "PodGroupPostFilterPlugin");
  EXPECT_EQ(InterfaceOf(ExtensionPoint::kPreBind), "PreBindPlugin");
  for (const api::PluginPoint& point : api::kPluginPoints) {
    if (point.name == "multiPoint") continue;
    bool known = false;
    for (size_t i = 0; i < kExtensionPointCount; ++i) {
      known |= ToString(static_cast<ExtensionPoint>(i)) == point.name;
    }
    EXPECT_TRUE(known) << point.name;
  }
}

}  // namespace
}  // namespace berth::scheduler
