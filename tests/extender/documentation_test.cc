// SPDX-License-Identifier: Apache-2.0
// Runs the commands of docs/extenders.md and compares their output with the page.
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/strings.h"
#include "extender/front.h"
#include "http/client/transport.h"
#include "scheduler/plugins/registry.h"
#include "tests/support/documents/typed_command.h"

namespace berth::extender {
namespace {

TEST(ExtenderDocumentation, CommandOutputMatchesPage) {
  const auto page = ReadFile("docs/extenders.md");
  ASSERT_TRUE(page) << page.error().message();
  const SystemClock clock;
  const scheduler::Registry registry = scheduler::MakeRegistry();
  MetricsRegistry metrics;
  std::map<std::string, std::string> files;
  std::unique_ptr<Service> service;
  std::unique_ptr<Front> front;
  int asked = 0;
  for (const TypedCommand& typed : AllCommandsOf(*page)) {
    const std::string& command = typed.line;
    const auto words = Split(command, ' ');
    if (words[0] == "cat") {
      files[std::string(words[1])] = typed.Text();
    } else if (command == "berth extender --config extender.yaml &") {
      const auto config = LoadConfiguration(files.at("extender.yaml"), "extender.yaml");
      ASSERT_TRUE(config) << config.error().message();
      auto made = Service::Create(*config, "extender.yaml", {registry, metrics, clock, nullptr});
      ASSERT_TRUE(made) << made.error().message();
      service = std::move(*made);
      service->Start();
      front = Front::Start(*service, {.pages = [](const http::Request&) {
                return http::Response{.code = 404};
              }}).value();
    } else {
      const std::string curl = "curl -s -d @", at = " http://127.0.0.1:10262";
      ASSERT_TRUE(command.starts_with(curl)) << command;
      const size_t url = command.find(at);
      const auto transport = http::CreateTransport({.url = front->url()});
      const auto answer =
          (*transport)
              ->Call({.method = "POST",
                      .target = command.substr(url + at.size()),
                      .body = files.at(command.substr(curl.size(), url - curl.size()))});
      ASSERT_TRUE(answer) << answer.error().message();
      EXPECT_EQ(answer->body + "\n", typed.Text()) << command;
      ++asked;
    }
  }
  EXPECT_EQ(asked, 4);
}

}  // namespace
}  // namespace berth::extender
