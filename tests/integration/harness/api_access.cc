// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/harness/api_access.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace berth::integration {
namespace {

struct Resource {
  std::string group_path;
  std::string plural;
};

const Resource& ResourceOf(const std::string& kind) {
  static const std::map<std::string, Resource> kResources = {
      {"clusterrolebinding", {"/apis/rbac.authorization.k8s.io/v1", "clusterrolebindings"}},
      {"configmap", {"/api/v1", "configmaps"}},
      {"daemonset", {"/apis/apps/v1", "daemonsets"}},
      {"deployment", {"/apis/apps/v1", "deployments"}},
      {"event", {"/apis/events.k8s.io/v1", "events"}},
      {"lease", {"/apis/coordination.k8s.io/v1", "leases"}},
      {"networkpolicy", {"/apis/networking.k8s.io/v1", "networkpolicies"}},
      {"node", {"/api/v1", "nodes"}},
      {"pod", {"/api/v1", "pods"}},
      {"poddisruptionbudget", {"/apis/policy/v1", "poddisruptionbudgets"}},
      {"role", {"/apis/rbac.authorization.k8s.io/v1", "roles"}},
      {"rolebinding", {"/apis/rbac.authorization.k8s.io/v1", "rolebindings"}},
      {"service", {"/api/v1", "services"}},
      {"serviceaccount", {"/api/v1", "serviceaccounts"}},
      {"sprof", {"/apis/berth.dev/v1alpha1", "schedulerprofiles"}},
  };
  const auto found = kResources.find(kind);
  if (found == kResources.end()) throw std::invalid_argument("no path is known for kind " + kind);
  return found->second;
}

// Connection is closed with its scope.
class Connection {
 public:
  explicit Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    open_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Exchange sends all of `request` and reads until the other side closes; empty on failure.
  std::string Exchange(const std::string& request) {
    for (size_t sent = 0; open_ && sent < request.size();) {
      const ssize_t n = send(socket_, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) return "";
      sent += static_cast<size_t>(n);
    }
    std::string answer;
    char buffer[16384];
    for (ssize_t n = 1; open_ && n > 0;) {
      n = recv(socket_, buffer, sizeof buffer, 0);
      if (n > 0) answer.append(buffer, static_cast<size_t>(n));
    }
    return answer;
  }

 private:
  int socket_;
  bool open_ = false;
};

}  // namespace

// HTTP 1.0 keeps this short: the answer comes whole, in one piece, and its end is the end of the
// connection.
ApiAnswer ApiAccess::Send(const std::string& method, const std::string& path,
                          const Json& body) const {
  std::string request = method + " " + path + " HTTP/1.0\r\nHost: localhost\r\n";
  const std::string text = body.is_null() ? "" : body.dump();
  if (!text.empty()) {
    request += "Content-Type: ";
    request += method == "PATCH" ? "application/merge-patch+json" : "application/json";
    request += "\r\nContent-Length: " + std::to_string(text.size()) + "\r\n";
  }
  const std::string answer = Connection(port_).Exchange(request + "\r\n" + text);

  const size_t end_of_head = answer.find("\r\n\r\n");
  const size_t code_at = answer.find(' ');
  if (end_of_head == std::string::npos || code_at > end_of_head) return {};
  return {std::stoi(answer.substr(code_at + 1, 3)), answer.substr(end_of_head + 4)};
}

std::string ApiAccess::PathOf(const std::string& kind, const std::string& name,
                              const std::string& ns) {
  const Resource& resource = ResourceOf(kind);
  std::string path = resource.group_path;
  if (!ns.empty()) path += "/namespaces/" + ns;
  path += "/" + resource.plural;
  return name.empty() ? path : path + "/" + name;
}

}  // namespace berth::integration
