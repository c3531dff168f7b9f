// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "api/pod.h"
#include "client/api_request.h"
#include "client/status.h"
#include "client/watch_stream.h"
#include "tests/client/stub_client.h"

namespace berth::client {
namespace {

TEST(ApiRequest, ListEncodesPageSelectorsAndVersion) {
  const ApiRequest first = ListRequest(api::Pod::kResource, "a",
                                       {.label_selector = "app in (x,y)",
                                        .field_selector = "spec.nodeName=",
                                        .resource_version = "7",
                                        .match = VersionMatch::kNotOlderThan});
  EXPECT_EQ(first.target,
            "/api/v1/namespaces/a/pods?labelSelector=app%20in%20%28x%2Cy%29&fieldSelector=spec."
            "nodeName%3D&limit=500&resourceVersion=7&resourceVersionMatch=NotOlderThan");
  const ApiRequest next =
      ListRequest(api::Pod::kResource, "", {.continue_token = "to/ken", .resource_version = "7"});
  EXPECT_EQ(next.target, "/api/v1/pods?limit=500&continue=to%2Fken")
      << "no version with a continue token";
}

TEST(ApiRequest, WatchesAllowBookmarks) {
  EXPECT_EQ(
      WatchRequest(api::Pod::kResource, "", {.resource_version = "9", .timeout_seconds = 300})
          .target,
      "/api/v1/pods?watch=true&allowWatchBookmarks=true&resourceVersion=9&timeoutSeconds=300");
}

TEST(ApiRequest, WritesSetMethodTargetAndContentType) {
  const ApiRequest apply = PatchRequest(
      api::Pod::kResource, "a", "p", "{}",
      {.type = PatchType::kApply, .field_manager = "berth operator", .force = true}, "status");
  EXPECT_EQ(apply.method, "PATCH");
  EXPECT_EQ(apply.target,
            "/api/v1/namespaces/a/pods/p/status?fieldManager=berth%20operator&force=true");
  EXPECT_EQ(apply.content_type, "application/apply-patch+yaml");
  const ApiRequest bind = CreateRequest(api::Pod::kResource, "a", "{}", "p", "binding");
  EXPECT_EQ(bind.method + bind.target, "POST/api/v1/namespaces/a/pods/p/binding");
  EXPECT_EQ(bind.retry, Retry::kRejectedOnly);
  const ApiRequest remove = DeleteRequest(
      api::Pod::kResource, "a", "p",
      {.preconditions = api::Preconditions{.uid = "u"}, .propagation_policy = "Background"});
  EXPECT_NE(remove.body.find(R"("preconditions":{"uid":"u"},"propagationPolicy":"Background")"),
            std::string::npos)
      << remove.body;
}

TEST(Status, DecodesReasonMessageAndRetryAfter) {
  const Error error = ErrorOf(
      {.code = 429,
       .headers = {{"Retry-After", "3"}},
       .body = StatusJson(429, "TooManyRequests", "too many requests, please try again later")});
  EXPECT_EQ(error.reason(), Reason::kTooManyRequests);
  EXPECT_EQ(error.message(), "too many requests, please try again later");
  EXPECT_EQ(error.http_code(), 429);
  EXPECT_EQ(error.retry_after(), std::chrono::seconds(3));
}

TEST(Status, DistinguishesConflictFromAlreadyExists) {
  EXPECT_EQ(ErrorOf({.code = 409, .body = StatusJson(409, "AlreadyExists", "x")}).reason(),
            Reason::kAlreadyExists);
  EXPECT_EQ(ErrorOf({.code = 409, .body = StatusJson(409, "Conflict", "x")}).reason(),
            Reason::kConflict);
}

TEST(Status, UsesHttpCodeWithoutStatus) {
  const Error error =
      ErrorOf({.code = 503, .headers = {{"Retry-After", "soon"}}, .body = "<html>"});
  EXPECT_EQ(error.reason(), Reason::kServiceUnavailable);
  EXPECT_EQ(error.message(), "the server answered 503: <html>");
  EXPECT_EQ(error.retry_after(), std::nullopt);
}

TEST(WatchFrame, DecodesEveryType) {
  EXPECT_EQ(ParseWatchFrame(Frame("ADDED", PodJson("p", "1")))->type, EventType::kAdded);
  EXPECT_EQ(ParseWatchFrame(Frame("MODIFIED", "{}"))->type, EventType::kModified);
  EXPECT_EQ(ParseWatchFrame(Frame("DELETED", "{}"))->type, EventType::kDeleted);
  EXPECT_EQ(ParseWatchFrame(Frame("BOOKMARK", "{}"))->type, std::nullopt);
  EXPECT_EQ(ParseWatchFrame(Frame("ERROR", StatusJson(410, "Expired", "too old"))).error().reason(),
            Reason::kExpired);
  EXPECT_NE(ParseWatchFrame(Frame("OTHER", "{}")).error().message().find("\"OTHER\""),
            std::string::npos);
  EXPECT_FALSE(ParseWatchFrame("no json"));
}

TEST(WarningHeader, ReturnsQuotedTexts) {
  EXPECT_EQ(WarningTexts(R"(299 - "one", 299 - "t\"wo\\")"),
            (std::vector<std::string>{"one", "t\"wo\\"}));
  EXPECT_TRUE(WarningTexts("nothing quoted").empty());
}

}  // namespace
}  // namespace berth::client
