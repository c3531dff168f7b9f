// SPDX-License-Identifier: Apache-2.0
#include "sandbox/apiserver/rest/request/request_info.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(RequestInfo, ParsesResourcePaths) {
  const RequestInfo pod =
      RequestInfo::Parse("GET", "/api/v1/namespaces/ns/pods/a%20b/log?x=1+2&y=%2F");
  EXPECT_EQ(pod.verb, "get");
  EXPECT_EQ(pod.namespace_, "ns");
  EXPECT_EQ(pod.resource, "pods");
  EXPECT_EQ(pod.name, "a b");
  EXPECT_EQ(pod.subresource, "log");
  EXPECT_EQ(pod.query.Get("x"), "1 2");
  EXPECT_EQ(pod.query.Get("y"), "/");
  const RequestInfo group = RequestInfo::Parse("DELETE", "/apis/apps/v1/deployments");
  EXPECT_EQ(group.group, "apps");
  EXPECT_EQ(group.verb, "deletecollection");
}

TEST(RequestInfo, NamespacePathNamesTheNamespace) {
  const RequestInfo info = RequestInfo::Parse("PUT", "/api/v1/namespaces/x/finalize");
  EXPECT_EQ(info.resource, "namespaces");
  EXPECT_EQ(info.name, "x");
  EXPECT_EQ(info.subresource, "finalize");
  EXPECT_EQ(info.namespace_, "x");
}

TEST(RequestInfo, DistinguishesListFromWatchAndReadsNameSelector) {
  EXPECT_EQ(RequestInfo::Parse("GET", "/api/v1/pods").verb, "list");
  EXPECT_EQ(RequestInfo::Parse("GET", "/api/v1/pods?watch=true").verb, "watch");
  EXPECT_EQ(RequestInfo::Parse("GET", "/api/v1/pods?watch=0").verb, "list");
  EXPECT_EQ(RequestInfo::Parse("GET", "/api/v1/watch/pods").verb, "watch");
  EXPECT_EQ(RequestInfo::Parse("GET", "/api/v1/pods?fieldSelector=metadata.name%3Da").name, "a");
  EXPECT_FALSE(RequestInfo::Parse("GET", "/apis/apps").is_resource);
  EXPECT_EQ(RequestInfo::Parse("POST", "/version").verb, "post");
}

}  // namespace
}  // namespace berth::apiserver
