// SPDX-License-Identifier: Apache-2.0
#include "tests/cel/case_file.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/strings.h"
#include "cel/json_value.h"
#include "cel/kubernetes.h"
#include "cel/program.h"
#include "cel/schema_type.h"
#include "tests/cel/literal_text.h"

namespace berth::cel {
namespace {

void ReadFileInto(const std::string& path, std::vector<Case>& cases) {
  const auto text = ReadFile(path);
  ASSERT_TRUE(text.has_value()) << text.error().message();
  Case context;
  int number = 0;
  for (const std::string_view line : Split(*text, '\n')) {
    context.place = path + ":" + std::to_string(++number);
    if (line.starts_with("#self ")) {
      context.self = nlohmann::json::parse(line.substr(6));
    } else if (line.starts_with("#schema ")) {
      context.schema = nlohmann::json::parse(line.substr(8));
    } else if (!line.empty() && !line.starts_with("# ")) {
      const size_t arrow = line.find(" => ");
      ASSERT_NE(arrow, std::string_view::npos) << context.place << ": no \" => \" in " << line;
      context.expression = line.substr(0, arrow);
      context.expected = line.substr(arrow + 4);
      cases.push_back(context);
    }
  }
}

// Returns the issues of an Error without source lines: "1:2: message | 1:5: message".
std::string IssuesOf(const std::string& message) {
  constexpr std::string_view kPrefix = "ERROR: <input>:";
  std::string out;
  for (const std::string_view line : Split(message, '\n')) {
    if (!line.starts_with(kPrefix)) continue;
    if (!out.empty()) out += " | ";
    out += line.substr(kPrefix.size());
  }
  return out;
}

}  // namespace

std::vector<Case> ReadCases() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kCasesDirectory)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Case> cases;
  for (const std::string& path : paths) ReadFileInto(path, cases);
  return cases;
}

std::string Outcome(const Case& row) {
  const TypePtr type = row.schema.is_null() ? Basic(Kind::kDyn) : TypeOfSchema(row.schema);
  const auto program = Compile(row.expression, RuleEnvironment(type));
  if (!program) return "compile: " + IssuesOf(program.error().message());
  Activation activation;
  activation.Bind("self", ViewOf(row.self, type));
  Budget budget;
  const auto value = program->Evaluate(activation, budget);
  if (!value) return "error: " + value.error().message();
  return LiteralText(*value) + "  {" + std::to_string(budget.spent()) + "}";
}

}  // namespace berth::cel
