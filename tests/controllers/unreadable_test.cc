// SPDX-License-Identifier: Apache-2.0
// Tests a stored profile that this version cannot decode.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/apiextensions.h"
#include "api/conditions.h"
#include "controllers/client_port.h"
#include "controllers/profile_controller.h"
#include "crds/manifest.h"
#include "crds/names.h"
#include "tests/controllers/kstatus.h"
#include "tests/controllers/profiles.h"
#include "tests/support/apiserver/in_memory_server.h"
#include "tests/support/http/stub_server.h"

namespace berth::controllers {
namespace {

using http::Eventually;
using testing::HasSubstr;
using Document = nlohmann::json;

void DropRules(Document& schema) {
  if (schema.is_object()) schema.erase("x-kubernetes-validations");
  for (Document& below : schema) {
    if (below.is_structured()) DropRules(below);
  }
}

// Runs the operator's controller on a server with a less strict CRD than ours.
class UnreadableTest : public testing::Test {
 protected:
  UnreadableTest() {
    Document definition = Document::parse(json::Encode(crds::SchedulerProfileDefinition()));
    DropRules(definition["spec"]);
    Create(api::CustomResourceDefinition::kResource, "", definition);
    Create(api::Namespace::kResource, "",
           {{"apiVersion", "v1"},
            {"kind", "Namespace"},
            {"metadata", {{"name", crds::kDefaultNamespace}}}});
    controller_.Watch();
    controller_.Work();
  }

  void Create(const api::ResourceInfo& resource, const std::string& ns, const Document& object) {
    const auto created = client_.Call(client::CreateRequest(resource, ns, object.dump()));
    EXPECT_TRUE(created) << created.error().message();
  }
  void CreateProfile(const Document& spec) {
    Create(crds::SchedulerProfile::kResource, "",
           {{"apiVersion", "berth.dev/v1alpha1"},
            {"kind", "SchedulerProfile"},
            {"metadata", {{"name", "a"}}},
            {"spec", spec}});
  }
  void PatchSpec(const Document& spec) {
    EXPECT_TRUE(client_.Call(client::PatchRequest(crds::SchedulerProfile::kResource, "", "a",
                                                  Document{{"spec", spec}}.dump(), {})));
  }
  Document Profile() {
    const auto text = client_.Call(client::GetRequest(crds::SchedulerProfile::kResource, "", "a"));
    return text ? Document::parse(*text) : Document();
  }
  // Returns the condition of the newest generation: "False/Unreadable: why".
  std::string Condition(const std::string& type) {
    const Document profile = Profile();
    for (const Document& condition : profile.value("/status/conditions"_json_pointer, Document())) {
      if (condition["type"] != type) continue;
      if (condition["observedGeneration"] != profile["metadata"]["generation"]) return "older";
      return condition["status"].get<std::string>() + "/" + condition["reason"].get<std::string>() +
             ": " + condition["message"].get<std::string>();
    }
    return "none";
  }
  bool EventuallyIs(const std::string& type, const std::string& begins) {
    return Eventually([&] { return Condition(type).starts_with(begins); });
  }
  std::string RenderedConfig() {
    const auto live = client_.Get<api::ConfigMap>(crds::kDefaultNamespace, "berth-a");
    return live ? live->data.at("scheduler-config.yaml") : "";
  }

  const Document unreadable_ = {
      {"percentageOfNodesToScore", 30},
      {"extenders",
       Document::array({{{"urlPrefix", "http://x"}, {"httpTimeout", "99999999999999999999h"}}})}};

  apiserver::InMemoryServer memory_;
  client::Client& client_ = memory_.client();
  client::EventRecorder recorder_{client::SendWith(client_), {}, memory_.clock()};
  ClientPort port_{client_, recorder_, [] { return true; }};
  MetricsRegistry metrics_;
  ProfileController controller_{client_,       port_,           ShippedCatalogue(),
                                TestOptions(), memory_.clock(), metrics_};
};

TEST_F(UnreadableTest, NewProfileReportsUnreadableField) {
  CreateProfile(unreadable_);
  EXPECT_TRUE(EventuallyIs("Valid", "False/Unreadable"));
  EXPECT_THAT(Condition("Valid"), HasSubstr("spec.extenders[0].httpTimeout"));
  EXPECT_TRUE(EventuallyIs("Stalled", "True/Unreadable"));
  EXPECT_EQ(RenderedConfig(), "");
}

TEST_F(UnreadableTest, KeepsConfigurationUntilProfileIsReadable) {
  CreateProfile({{"percentageOfNodesToScore", 20}});
  EXPECT_TRUE(Eventually([&] { return !RenderedConfig().empty(); }));
  const std::string before = RenderedConfig();
  PatchSpec(unreadable_);
  EXPECT_TRUE(EventuallyIs("Valid", "False/Unreadable"));
  EXPECT_EQ(RenderedConfig(), before);
  PatchSpec({{"extenders", nullptr}});
  EXPECT_TRUE(EventuallyIs("Valid", "True/Valid"));
  EXPECT_TRUE(Eventually(
      [&] { return RenderedConfig().find("percentageOfNodesToScore: 30") != std::string::npos; }));
}

}  // namespace
}  // namespace berth::controllers
