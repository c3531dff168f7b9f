// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/case.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/yaml/yaml.h"

namespace berth::fidelity {
namespace {

constexpr std::string_view kSeparator = "\n---\n";

Result<void> CheckStep(const Step& step, const Script& script) {
  if (step.send.find(' ') == std::string::npos) {
    return ConfigError("send: \"" + step.send + "\" is not a method and a path");
  }
  if (step.as != "admin" && step.as != "anonymous" && !script.accounts.contains(step.as)) {
    return ConfigError("as: \"" + step.as + "\" is neither admin nor anonymous nor an account");
  }
  if (!step.body.text.empty() && !step.text.empty()) {
    return ConfigError("body and text exclude each other");
  }
  return {};
}

Result<void> Check(const Script& script) {
  if (script.summary.empty()) return ConfigError("summary: is missing");
  if (script.steps.empty()) return ConfigError("steps: must not be empty");
  for (size_t i = 0; i < script.steps.size(); ++i) {
    if (auto checked = CheckStep(script.steps[i], script); !checked) {
      return Fail(checked.error().With("steps[" + std::to_string(i) + "]"));
    }
  }
  return {};
}

}  // namespace

Result<Case> ParseCase(std::string_view text) {
  BERTH_TRY(std::vector<std::string> documents, yaml::DocumentsToJson(text));
  if (documents.empty() || documents.size() > 2) {
    return ConfigError("a case is one document and its recording, found " +
                       std::to_string(documents.size()) + " documents");
  }
  Case made;
  BERTH_TRY(made.script, json::Decode<Script>(documents[0], json::Mode::kStrict));
  BERTH_TRY_VOID(Check(made.script));
  if (documents.size() == 2) made.recorded = Json::parse(documents[1]);
  if (!made.recorded.is_null() && made.recorded.size() != made.script.steps.size()) {
    return ConfigError("there are " + std::to_string(made.script.steps.size()) + " steps, but " +
                       std::to_string(made.recorded.size()) + " recorded answers");
  }
  return made;
}

Result<std::vector<Case>> ReadCases(const std::filesystem::path& folder,
                                    const std::string& filter) {
  if (!std::filesystem::is_directory(folder)) {
    return ConfigError("there is no folder " + folder.string());
  }
  std::vector<Case> cases;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string name =
        entry.path().lexically_relative(folder).replace_extension().generic_string();
    if (name.find(filter) == std::string::npos) continue;
    BERTH_TRY(const std::string text, ReadFile(entry.path().string()));
    auto made = ParseCase(text);
    if (!made) return Fail(made.error().With(entry.path().string()));
    made->name = name;
    made->file = entry.path();
    cases.push_back(std::move(*made));
  }
  std::ranges::sort(cases, {}, &Case::name);
  return cases;
}

std::string WithRecording(std::string_view text, const Json& answers) {
  std::string whole(text.substr(0, text.find(kSeparator)));
  while (whole.ends_with('\n')) whole.pop_back();
  whole += kSeparator;
  return whole + yaml::FromJson(answers.dump());
}

}  // namespace berth::fidelity
