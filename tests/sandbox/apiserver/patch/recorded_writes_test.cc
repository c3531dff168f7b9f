// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "sandbox/apiserver/patch/field_manager.h"
#include "sandbox/apiserver/schema/defaults.h"
#include "sandbox/apiserver/schema/go_form.h"
#include "sandbox/apiserver/schema/validate.h"
#include "tests/sandbox/apiserver/patch/cases.h"

namespace berth::apiserver {
namespace {

using nlohmann::json;

// Later than any recorded time.
const Time kNow = Time::FromUnixSeconds(4'000'000'000);

class RecordedWrites : public testing::TestWithParam<WriteCase> {};

// Returns the entries in a fixed order, with "now" for times that no entry had before the step.
json Comparable(json entries, const json& before) {
  if (!entries.is_array()) return json::array();
  for (json& entry : entries) {
    const auto has_time = [&](const json& other) {
      return other.value("time", "") == entry["time"];
    };
    if (entry.contains("time") && std::none_of(before.begin(), before.end(), has_time))
      entry["time"] = "now";
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

json Managed(const json& object) {
  const json entries = object.value("metadata", json::object()).value("managedFields", json());
  return entries.is_array() ? entries : json::array();
}

json WithoutManaged(json object) {
  if (object.contains("metadata")) object["metadata"].erase("managedFields");
  return object;
}

// Admission changes a pod after its fields were recorded; fields that it adds have no owner.
json WithoutAdmission(const WriteCase& test, json object) {
  if (test.type != "Pod") return object;
  for (const char* field : {"priority", "preemptionPolicy", "serviceAccount", "serviceAccountName",
                            "tolerations", "volumes"})
    object["spec"].erase(field);
  for (json& container : object["spec"]["containers"]) container.erase("volumeMounts");
  return object;
}

FieldSet ResetFor(const WriteCase& test, const json& step) {
  if (step.value("subresource", "") == "status")
    return test.type == "Thing" ? FieldSet::Of({{"metadata"}, {"spec"}}) : FieldSet::Of({{"spec"}});
  return FieldSet::Of({{"status"}});
}

class Replay {
 public:
  explicit Replay(const WriteCase& test) : test_(test), schema_(SchemaOf(test.type)) {}

  void Step(const json& step) {
    const FieldSet reset = ResetFor(test_, step);
    FieldWrite write;
    write.schema = &schema_;
    write.kind = KindOf(test_.type);
    write.manager = step["manager"];
    write.subresource = step.value("subresource", "");
    write.now = kNow;
    write.creating = live_.is_null();
    write.reset = &reset;
    if (step["do"] == "apply") {
      ApplyStep(write, step);
    } else {
      UpdateStep(write, step);
    }
    if (step["expect"].contains("object")) live_ = step["expect"]["object"];
  }

 private:
  // Tracks the stored object with the managed fields that the client sent.
  void UpdateStep(const FieldWrite& write, const json& step) {
    json updated = WithoutManaged(step["expect"]["object"]);
    if (write.creating) updated = WithoutAdmission(test_, std::move(updated));
    const json sent = step["object"].value("metadata", json::object());
    if (sent.contains("managedFields")) {
      updated["metadata"]["managedFields"] = sent["managedFields"];
    } else if (step["do"] != "update" && !live_.is_null()) {
      updated["metadata"]["managedFields"] = Managed(live_);
    }
    RecordUpdate(write, live_, &updated);
    Expect(updated, step);
  }

  void ApplyStep(const FieldWrite& write, const json& step) {
    json applied = step["object"];
    applied["apiVersion"] = write.kind.ApiVersion();
    applied["kind"] = write.kind.kind;
    applied["metadata"]["name"] = "test";
    auto outcome = ApplyServerSide(write, step.value("force", false), live_, applied);
    if (!outcome) return ExpectFailure(outcome.error(), step);
    if (step["expect"].value("/status/code"_json_pointer, 0) == 422)
      return ExpectInvalid(std::move(*outcome), step);
    Expect(*outcome, step);
    ExpectObject(*outcome, step);
  }

  void Expect(const json& object, const json& step) {
    ASSERT_TRUE(step["expect"].contains("object")) << "rejected by the real server: " << step;
    const json before = live_.is_null() ? json::array() : Managed(live_);
    EXPECT_EQ(Comparable(Managed(object), before).dump(1),
              Comparable(Managed(step["expect"]["object"]), before).dump(1));
  }

  // Kinds without defaults in code can be compared as a whole.
  void ExpectObject(json object, const json& step) {
    if (test_.type != "ConfigMap" && test_.type != "Thing" && test_.type != "Role") return;
    if (test_.type != "Thing") ToGoForm(schema_, &object);
    Default(schema_, &object);
    json wanted = WithoutManaged(step["expect"]["object"]);
    object = WithoutManaged(std::move(object));
    for (json* side : {&object, &wanted}) {
      (*side)["metadata"].erase("namespace");
      // The kind's strategy drops the status of a request for the object itself.
      if (step.value("subresource", "") != "status") side->erase("status");
    }
    EXPECT_EQ(object.dump(1), wanted.dump(1));
  }

  // An apply can produce an object that its schema rejects.
  void ExpectInvalid(json object, const json& step) {
    Default(schema_, &object);
    const std::vector<api::FieldError> errors = Validate(schema_, object);
    EXPECT_EQ("Thing.example.com \"test\" is invalid: " + api::Aggregate(errors),
              step["expect"]["status"]["message"]);
  }

  void ExpectFailure(const ApplyFailure& failure, const json& step) {
    const json wanted = step["expect"].value("status", json::object());
    EXPECT_EQ(failure.error.message(), wanted.value("message", "")) << step["expect"];
    EXPECT_EQ(ToString(failure.error.reason()),
              wanted.value("code", 0) == 500 ? "Unknown" : wanted.value("reason", ""));
    std::vector<std::string> causes, wanted_causes;
    for (const FieldConflict& conflict : failure.conflicts)
      causes.push_back(conflict.field + " " + conflict.Message());
    for (const json& cause : wanted.value("causes", json::array()))
      wanted_causes.push_back(cause["field"].get<std::string>() + " " +
                              cause["message"].get<std::string>());
    std::sort(causes.begin(), causes.end());
    std::sort(wanted_causes.begin(), wanted_causes.end());
    EXPECT_EQ(causes, wanted_causes);
  }

  const WriteCase& test_;
  const Schema& schema_;
  json live_;
};

TEST_P(RecordedWrites, ManagedFieldsMatchARealServer) {
  Replay replay(GetParam());
  int number = 0;
  for (const json& step : GetParam().steps) {
    SCOPED_TRACE(GetParam().name + ", step " + std::to_string(++number));
    replay.Step(step);
  }
}

std::string NameOf(const testing::TestParamInfo<WriteCase>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, RecordedWrites, testing::ValuesIn(LoadWriteCases()), NameOf);

}  // namespace

void PrintTo(const WriteCase& test, std::ostream* out) { *out << test.name; }

}  // namespace berth::apiserver
