// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/schema/strict_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "sandbox/apiserver/schema/builtin.h"

namespace berth::apiserver {
namespace {

using Findings = std::vector<std::string>;

const Schema* PodSchema() { return BuiltinSchemas::Get().FindKind({"", "v1", "Pod"}); }

TEST(StrictFindings, ComeInTheOrderOfTheText) {
  EXPECT_EQ(StrictFindings(PodSchema(), R"({
      "metadata": {"name": "a", "name": "a", "labels": {"a": "b", "a": "c"}},
      "spec": {"containers": [{"name": "c"}, {"name": "d", "name": "e", "imag": "x"}],
               "containers": [], "foo": 1},
      "bar": 1, "spec": {}})"),
            (Findings{"duplicate field \"metadata.name\"", "duplicate field \"metadata.labels.a\"",
                      "duplicate field \"spec.containers[1].name\"",
                      "unknown field \"spec.containers[1].imag\"",
                      "duplicate field \"spec.containers\"", "unknown field \"spec.foo\"",
                      "unknown field \"bar\"", "duplicate field \"spec\""}));
}

TEST(StrictFindings, TellEachOnceAndDoNotLookIntoWhatIsUnknown) {
  EXPECT_EQ(StrictFindings(PodSchema(), R"({"x": {"a": 1, "a": 2}, "x": 3, "metadata": {}})"),
            Findings{"unknown field \"x\""});
}

TEST(StrictFindings, FieldsAreSpelledAsTheyAre) {
  EXPECT_EQ(StrictFindings(PodSchema(), R"({"Kind": "Pod"})"), Findings{"unknown field \"Kind\""});
}

TEST(StrictFindings, MapsKnowEveryField) {
  EXPECT_EQ(StrictFindings(nullptr, R"({"a": [{"b": 1, "b": 2}], "c": {"d": 1}, "c": 1})"),
            (Findings{"duplicate field \"a[0].b\"", "duplicate field \"c\""}));
  EXPECT_EQ(StrictFindings(nullptr, R"([1, {"a": null}, "x"])"), Findings());
}

TEST(KnowsAllFields, SaysWhetherThereIsAnythingToFind) {
  for (const char* text :
       {R"({})", R"({"kind": "Pod"})", R"({"Kind": "Pod"})", R"({"x": {"a": 1}})",
        R"({"metadata": {"labels": {"any": "x"}, "managedFields": [{"fieldsV1": {"f:x": {}}}]}})",
        R"({"spec": {"containers": [{"name": "c"}, {"imag": "x"}]}})",
        R"({"spec": {"nodeSelector": {"a": "b"}, "containers": "none"}})",
        R"({"spec": {"foo": 1}})"})
    EXPECT_EQ(KnowsAllFields(*PodSchema(), nlohmann::json::parse(text)),
              StrictFindings(PodSchema(), text).empty())
        << text;
}

}  // namespace
}  // namespace berth::apiserver
