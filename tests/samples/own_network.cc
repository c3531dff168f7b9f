// SPDX-License-Identifier: Apache-2.0
#include "tests/samples/own_network.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace berth::integration {
namespace {

constexpr const char* kHosts = "/etc/hosts";

std::string Because(const std::string& what) { return what + ": " + std::strerror(errno); }

void WriteLine(const char* path, const std::string& line) { std::ofstream(path) << line; }

// A user other than root creates a user namespace as well, with only that user.
bool Unshare() {
  const uid_t user = getuid();
  const gid_t group = getgid();
  const int namespaces = CLONE_NEWNET | CLONE_NEWNS;
  if (user == 0) return unshare(namespaces) == 0;
  if (unshare(namespaces | CLONE_NEWUSER) != 0) return false;
  WriteLine("/proc/self/setgroups", "deny");
  WriteLine("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
  WriteLine("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
  return true;
}

ifreq RequestFor(const char* interface) {
  ifreq request{};
  std::strncpy(request.ifr_name, interface, IFNAMSIZ - 1);
  return request;
}

ifreq RequestFor(const char* interface, const char* address) {
  ifreq request = RequestFor(interface);
  sockaddr_in value{};
  value.sin_family = AF_INET;
  inet_pton(AF_INET, address, &value.sin_addr);
  std::memcpy(&request.ifr_addr, &value, sizeof value);
  return request;
}

// With a netmask on the loopback interface, all addresses of that range belong to this machine.
bool AddAddresses() {
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq up = RequestFor("lo");
  up.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
  ifreq address = RequestFor("lo:1", (std::string(kOwnNetwork) + ".0.1").c_str());
  ifreq mask = RequestFor("lo:1", "255.255.0.0");
  const bool done = ioctl(socket, SIOCSIFFLAGS, &up) == 0 &&
                    ioctl(socket, SIOCSIFADDR, &address) == 0 &&
                    ioctl(socket, SIOCSIFNETMASK, &mask) == 0;
  close(socket);
  return done;
}

}  // namespace

std::string EnterOwnNetwork(const std::filesystem::path& hosts) {
  if (!Unshare()) return Because("a network of its own");
  // Later mounts are visible only in this namespace.
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return Because("mounts");
  if (mount(hosts.c_str(), kHosts, nullptr, MS_BIND, nullptr) != 0) return Because(kHosts);
  return AddAddresses() ? "" : Because("addresses");
}

}  // namespace berth::integration
