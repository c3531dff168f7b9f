// SPDX-License-Identifier: Apache-2.0
#include "base/json/decode_problems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"

namespace berth::json {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Wheel {
  int32_t size = 7;
  bool wide = false;
  static auto Fields() { return Object(Field("size", &Wheel::size), Field("wide", &Wheel::wide)); }
};

struct Car {
  std::string name = "none";
  std::vector<Wheel> wheels;
  std::optional<Wheel> spare;
  std::map<std::string, std::string> labels;
  static auto Fields() {
    return Object(Field("name", &Car::name), Field("wheels", &Car::wheels),
                  Field("spare", &Car::spare), Field("labels", &Car::labels));
  }
};

std::vector<std::string> ProblemsIn(std::string_view text, Car& car) {
  const auto problems = DecodeWithProblems(text, TypeOf<Car>(), &car);
  EXPECT_TRUE(problems.has_value());
  std::vector<std::string> texts;
  for (const DecodeProblem& problem : problems.value_or(std::vector<DecodeProblem>())) {
    texts.push_back(PathText(problem.steps) + "|" + problem.value + "|" + problem.message);
  }
  return texts;
}

TEST(DecodeWithProblems, ReportsAllMistakesAndDecodesTheRest) {
  Car car;
  EXPECT_THAT(ProblemsIn(R"({"nam": {"deep": [1, {}]}, "wheels": [{"size": "big", "wide": true}, 5,
                     {"size": 3, "size": 4, "wid": 1}], "spare": {"size": 99999999999},
                     "labels": {"a": 1, "b": "c"}, "name": "last"})",
                         car),
              ElementsAre("nam||unknown field; nearest: name",
                          R"(wheels[0].size|"big"|expected an integer, found a string)",
                          "wheels[1]|5|expected an object, found a number",
                          "wheels[2].size||the field is set twice",
                          "wheels[2].wid||unknown field; nearest: wide",
                          "spare.size||99999999999 is out of range [-2147483648, 2147483647]",
                          "labels.a|1|expected a string, found a number"));
  EXPECT_EQ(car.name, "last");
  ASSERT_EQ(car.wheels.size(), 3U);
  EXPECT_TRUE(car.wheels[0].wide);
  EXPECT_EQ(car.wheels[0].size, 7);
  EXPECT_EQ(car.wheels[2].size, 3);
  EXPECT_EQ(car.labels["b"], "c");
}

TEST(DecodeWithProblems, ReportsListsAndObjectsInPlaceOfScalars) {
  Car car;
  EXPECT_THAT(ProblemsIn(R"({"name": [1, [2]], "wheels": {"a": [1]}, "spare": [{"size": 1}],
                             "labels": "x"})",
                         car),
              ElementsAre("name||expected a string, found a list",
                          "wheels||expected a list, found an object",
                          "spare||expected an object, found a list",
                          R"(labels|"x"|expected an object, found a string)"));
}

TEST(DecodeWithProblems, HasNoneForValidDocument) {
  Car car;
  EXPECT_THAT(ProblemsIn(R"({"name": "a", "spare": null})", car), IsEmpty());
}

TEST(DecodeWithProblems, FailsForMalformedText) {
  Car car;
  for (const char* text : {R"({"name": "a", "wheels": [}})",
                           R"({"nam": 1, "wheels": [{"size": 1}})", R"({"name": "a"} x)", "5"}) {
    EXPECT_FALSE(DecodeWithProblems(text, TypeOf<Car>(), &car).has_value()) << text;
  }
}

}  // namespace
}  // namespace berth::json
