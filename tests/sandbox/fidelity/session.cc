// SPDX-License-Identifier: Apache-2.0
#include "tests/sandbox/fidelity/session.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "tests/integration/harness/wait.h"
#include "tests/sandbox/fidelity/select.h"

namespace berth::fidelity {
namespace {

constexpr std::chrono::seconds kGrantLimit{10};

http::Request Message(const std::string& method, const std::string& path, const Json& body) {
  http::Request request{.method = method, .target = path};
  request.headers.Set("Accept", "application/json");
  request.headers.Set("User-Agent", "fidelity");
  if (!body.is_null()) {
    request.headers.Set("Content-Type", "application/json");
    request.body = body.dump();
  }
  return request;
}

Json ParsedRules(const std::vector<json::Raw>& rules) {
  Json parsed = Json::array();
  for (const json::Raw& rule : rules) parsed.push_back(Json::parse(rule.text));
  return parsed;
}

// Returns the first permission of a rule in the form of a SelfSubjectAccessReview.
Json AttributesOf(const Json& rule, const std::string& ns) {
  if (rule.contains("nonResourceURLs")) {
    return {{"nonResourceAttributes",
             {{"path", rule["nonResourceURLs"][0]}, {"verb", rule["verbs"][0]}}}};
  }
  const std::string resource = rule["resources"][0];
  const size_t slash = resource.find('/');
  Json attributes{{"namespace", ns},
                  {"verb", rule["verbs"][0]},
                  {"group", rule["apiGroups"][0]},
                  {"resource", resource.substr(0, slash)}};
  if (slash != std::string::npos) attributes["subresource"] = resource.substr(slash + 1);
  if (rule.contains("resourceNames")) attributes["name"] = rule["resourceNames"][0];
  return {{"resourceAttributes", attributes}};
}

}  // namespace

Session::Session(const Connection& connection, std::string ns)
    : connection_(connection), ns_(std::move(ns)) {}

Session::~Session() {
  made_.push_back("/api/v1/namespaces/" + ns_);
  std::ranges::reverse(made_);  // later objects may depend on earlier ones
  for (const std::string& path : made_) {
    (void)connection_.Send(Connection::As::kAdmin, Message("DELETE", path, {}));
  }
}

Result<Json> Session::Must(const std::string& method, const std::string& path,
                           const Json& body) const {
  BERTH_TRY(const http::Response response,
            connection_.Send(Connection::As::kAdmin, Message(method, path, body)));
  const bool exists = method == "POST" && response.code == 409;
  if (response.code >= 300 && !exists) {
    return Fail(ReasonForHttpCode(response.code),
                "prepare: " + method + " " + path + ": " + response.body);
  }
  Json made = Json::parse(response.body, nullptr, false);
  if (made.is_discarded()) {
    return Fail(Reason::kUnknown, "prepare: " + method + " " + path + ": the response is not JSON");
  }
  return made;
}

Result<void> Session::Prepare(const std::map<std::string, Account>& accounts) {
  BERTH_TRY(const Json made, Must("POST", "/api/v1/namespaces", {{"metadata", {{"name", ns_}}}}));
  BERTH_TRY(const Json account, Must("POST", "/api/v1/namespaces/" + ns_ + "/serviceaccounts",
                                     {{"metadata", {{"name", "default"}}}}));
  for (const auto& [name, rights] : accounts) BERTH_TRY_VOID(MakeAccount(name, rights));
  return {};
}

Result<void> Session::MakeAccount(const std::string& name, const Account& account) {
  const std::string path = "/api/v1/namespaces/" + ns_ + "/serviceaccounts";
  BERTH_TRY(const Json made, Must("POST", path, {{"metadata", {{"name", name}}}}));
  BERTH_TRY(const Json token,
            Must("POST", path + "/" + name + "/token", {{"spec", Json::object()}}));
  const Json text = Select(token, "status.token");
  if (!text.is_string()) return Fail(Reason::kUnknown, "prepare: " + name + " got no token");
  tokens_[name] = text;
  const std::string rbac = "/apis/rbac.authorization.k8s.io/v1/";
  BERTH_TRY_VOID(Grant(name, account.rules, "Role", rbac + "namespaces/" + ns_ + "/role"));
  BERTH_TRY_VOID(Grant(name, account.cluster_rules, "ClusterRole", rbac + "clusterrole"));
  BERTH_TRY_VOID(AwaitRights(name, account.rules, ns_));
  return AwaitRights(name, account.cluster_rules, "");
}

// Creates a role of that kind and its binding; `path` is the path of the kind without its last
// letters: ".../role" for roles and rolebindings.
Result<void> Session::Grant(const std::string& name, const std::vector<json::Raw>& rules,
                            const std::string& kind, const std::string& path) {
  if (rules.empty()) return {};
  const std::string unique = ns_ + "-" + name;
  BERTH_TRY(
      const Json role,
      Must("POST", path + "s", {{"metadata", {{"name", unique}}}, {"rules", ParsedRules(rules)}}));
  BERTH_TRY(
      const Json binding,
      Must("POST", path + "bindings",
           {{"metadata", {{"name", unique}}},
            {"roleRef",
             {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", kind}, {"name", unique}}},
            {"subjects", {{{"kind", "ServiceAccount"}, {"name", name}, {"namespace", ns_}}}}}));
  if (kind == "ClusterRole") {
    made_.push_back(path + "s/" + unique);
    made_.push_back(path + "bindings/" + unique);
  }
  return {};
}

// A permission takes effect some time after its binding is written, without any notification.
Result<void> Session::AwaitRights(const std::string& name, const std::vector<json::Raw>& rules,
                                  const std::string& ns) const {
  for (const Json& rule : ParsedRules(rules)) {
    http::Request review = Message("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                                   {{"spec", AttributesOf(rule, ns)}});
    review.headers.Set("Authorization", "Bearer " + Token(name));
    Result<http::Response> response;
    const bool ended = integration::PollUntil(kGrantLimit, [&] {
      response = connection_.Send(Connection::As::kBare, review);
      return !response ||
             Select(Json::parse(response->body, nullptr, false), "status.allowed") == true;
    });
    if (!response) return Fail(response.error());
    if (!ended) return Fail(Reason::kTimeout, "prepare: " + name + " never got " + rule.dump());
  }
  return {};
}

std::string Session::Token(const std::string& account) const {
  const auto found = tokens_.find(account);
  return found == tokens_.end() ? "" : found->second;
}

void Session::Note(const http::Request& request, const Json& answer) {
  if (answer["code"] != 201 || request.target.find("/namespaces/") != std::string::npos ||
      request.target.find("dryRun") != std::string::npos) {
    return;
  }
  const std::string name = Select(answer, "body.metadata.name").is_string()
                               ? answer["body"]["metadata"]["name"].get<std::string>()
                               : "";
  if (name.empty()) return;
  const std::string path = request.target.substr(0, request.target.find('?'));
  made_.push_back(request.method == "POST" ? path + "/" + name : path);
}

std::string UniqueNamespace() {
  static constexpr char kLetters[] = "bcdfghjklmnpqrstvwxz";
  std::random_device random;
  std::string name = "f-";
  while (name.size() < 10) name += kLetters[random() % (sizeof kLetters - 1)];
  return name;
}

}  // namespace berth::fidelity
