// SPDX-License-Identifier: Apache-2.0
#include "api/extender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/go_text.h"

namespace berth::api {
namespace {

using json::DecodeGo;
using json::EncodeGo;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(ExtenderArgs, EncodesLikeUpstream) {
  EXPECT_EQ(EncodeGo(ExtenderArgs{.pod = {R"({"spec": {}})"}, .node_names = {{"b", "a"}}}),
            R"({"Pod":{"spec": {}},"Nodes":null,"NodeNames":["b","a"]})");
  EXPECT_EQ(EncodeGo(ExtenderArgs{
                .pod = {"{}"},
                .nodes = ExtenderNodeList{.metadata = {"{}"}, .items = {{"{\"x\":1}"}, {"{}"}}}}),
            R"({"Pod":{},"Nodes":{"metadata":{},"items":[{"x":1},{}]},"NodeNames":null})");
  EXPECT_EQ(EncodeGo(ExtenderArgs{}), R"({"Pod":null,"Nodes":null,"NodeNames":null})");
}

TEST(ExtenderPreemptionArgs, EncodesLikeUpstream) {
  EXPECT_EQ(EncodeGo(ExtenderPreemptionArgs{
                .pod = {"{}"},
                .node_name_to_victims = {{{"n", {.pods = {{"{}"}}, .num_pdb_violations = 2}}}}}),
            R"({"Pod":{},"NodeNameToVictims":{"n":{"Pods":[{}],"NumPDBViolations":2}},)"
            R"("NodeNameToMetaVictims":null})");
  EXPECT_EQ(EncodeGo(ExtenderPreemptionArgs{
                .pod = {"{}"}, .node_name_to_meta_victims = {{{"n", {.pods = {{"u1"}}}}}}}),
            R"({"Pod":{},"NodeNameToVictims":null,)"
            R"("NodeNameToMetaVictims":{"n":{"Pods":[{"UID":"u1"}],"NumPDBViolations":0}}})");
  EXPECT_EQ(EncodeGo(ExtenderPreemptionArgs{.pod = {"{}"}, .node_name_to_meta_victims = {{}}}),
            R"({"Pod":{},"NodeNameToVictims":null,"NodeNameToMetaVictims":{}})");
}

TEST(ExtenderBindingArgs, EncodesLikeUpstream) {
  EXPECT_EQ(EncodeGo(ExtenderBindingArgs{"p", "ns", "u", "n"}),
            R"({"PodName":"p","PodNamespace":"ns","PodUID":"u","Node":"n"})");
}

TEST(ExtenderAnswers, EncodeLikeUpstream) {
  EXPECT_EQ(EncodeGo(ExtenderFilterResult{.node_names = {{"a"}}, .failed_nodes = {{"b", "no"}}}),
            R"({"Nodes":null,"NodeNames":["a"],"FailedNodes":{"b":"no"},)"
            R"("FailedAndUnresolvableNodes":null,"Error":""})");
  EXPECT_EQ(EncodeGo(HostPriorityList{{"a", 10}, {"b", -1}}),
            R"([{"Host":"a","Score":10},{"Host":"b","Score":-1}])");
  EXPECT_EQ(EncodeGo(ExtenderBindingResult{"a \"quoted\" error"}),
            R"({"Error":"a \"quoted\" error"})");
  EXPECT_EQ(EncodeGo(ExtenderPreemptionResult{{{"n", {.pods = {{"u"}}}}}}),
            R"({"NodeNameToMetaVictims":{"n":{"Pods":[{"UID":"u"}],"NumPDBViolations":0}}})");
}

TEST(ExtenderFilterResult, DecodesFieldNamesInAnyLetterCase) {
  for (
      const char* const text : {
          R"({"NodeNames":["a"],"FailedNodes":{"B":"x"},"FailedAndUnresolvableNodes":{"c":"y"},"Error":"e"})",
          R"({"nodenames":["a"],"failednodes":{"B":"x"},"failedandunresolvablenodes":{"c":"y"},"error":"e"})",
          R"({"nodeNames":["a"],"failedNodes":{"B":"x"},"failedAndUnresolvableNodes":{"c":"y"},"error":"e"})",
          R"({"NODENAMES":["a"],"FAILEDNODES":{"B":"x"},"FAILEDANDUNRESOLVABLENODES":{"c":"y"},"ERROR":"e"})",
      }) {
    const auto result = DecodeGo<ExtenderFilterResult>(text);
    ASSERT_TRUE(result) << text << ": " << result.error().message();
    ASSERT_TRUE(result->node_names) << text;
    EXPECT_THAT(*result->node_names, ElementsAre("a"));
    EXPECT_THAT(result->failed_nodes, ElementsAre(Pair("B", "x"))) << "map keys are case sensitive";
    EXPECT_THAT(result->failed_and_unresolvable_nodes, ElementsAre(Pair("c", "y")));
    EXPECT_EQ(result->error, "e");
  }
}

TEST(ExtenderFilterResult, DistinguishesAbsentFromEmpty) {
  EXPECT_FALSE(DecodeGo<ExtenderFilterResult>(R"({"NodeNames":null})")->node_names);
  EXPECT_FALSE(DecodeGo<ExtenderFilterResult>("{}")->node_names);
  EXPECT_TRUE(DecodeGo<ExtenderFilterResult>(R"({"NodeNames":[]})")->node_names);
  EXPECT_TRUE(DecodeGo<ExtenderFilterResult>(R"({"Nodes":{"items":null}})")->nodes);
}

TEST(ExtenderArgs, PassesObjectsThroughUnchanged) {
  const auto args = DecodeGo<ExtenderArgs>(
      R"({"pod": {"Spec":{"x": 1.50}}, "nodes": {"ITEMS": [{"a": [1, 2]}, null]}})");
  ASSERT_TRUE(args) << args.error().message();
  EXPECT_EQ(args->pod.text, R"({"Spec":{"x": 1.50}})");
  ASSERT_EQ(args->nodes->items.size(), 2u);
  EXPECT_EQ(args->nodes->items[0].text, R"({"a": [1, 2]})");
  EXPECT_EQ(args->nodes->items[1].text, "");
}

TEST(HostPriorityList, RejectsFractions) {
  EXPECT_EQ(*DecodeGo<HostPriorityList>(R"([{"host":"a","score":7},{"Host":"b"},null])"),
            (HostPriorityList{{"a", 7}, {"b", 0}, {"", 0}}));
  for (const char* const number :
       {"1e309", "NaN", "1.5", "7.0", "1e1", "\"7\"", "9223372036854775808", "Infinity", "{}"}) {
    EXPECT_FALSE(
        DecodeGo<HostPriorityList>(std::string(R"([{"Host":"a","Score":)") + number + "}]"))
        << number;
  }
}

TEST(DecodeGo, ReadsOnlyTheFirstValue) {
  EXPECT_EQ(DecodeGo<ExtenderBindingResult>("{\"Error\":\"a\"}\n{\"Error\":\"b\"}\n")->error, "a");
}

TEST(DecodeGo, TreatsNullAsNoChange) {
  EXPECT_EQ(*DecodeGo<ExtenderFilterResult>(" null\n"), ExtenderFilterResult{});
  EXPECT_TRUE(DecodeGo<HostPriorityList>("null")->empty());
}

TEST(DecodeGo, ReplacesInvalidUtf8) {
  EXPECT_EQ(DecodeGo<ExtenderBindingResult>("{\"Error\":\"a\xff\"}")->error, "a\xef\xbf\xbd");
}

TEST(DecodeGo, ErrorNamesTheField) {
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "malformed JSON"},
           {"{", "malformed JSON"},
           {"[]", "expected an object, found a list"},
           {"true", "expected an object"},
           {R"({"NodeNames":"a"})", "NodeNames: expected a list, found a string"},
           {R"({"nodeNames":[1]})", "NodeNames[0]: expected a string, found a number"},
           {R"({"FailedNodes":[]})", "FailedNodes: expected an object, found a list"},
           {R"({"Error":{}})", "Error: expected a string, found an object"}}) {
    const auto result = DecodeGo<ExtenderFilterResult>(text);
    ASSERT_FALSE(result) << text;
    EXPECT_THAT(result.error().message(), HasSubstr(message)) << text;
  }
}

}  // namespace
}  // namespace berth::api
