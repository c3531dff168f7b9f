// SPDX-License-Identifier: Apache-2.0
#include "crds/allowances.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/metric_source.h"
#include "api/outbound_address.h"
#include "base/json/document.h"
#include "base/json/field_path.h"
#include "base/json/json.h"
#include "base/strings.h"

namespace berth::crds {
namespace {

using Entries = std::vector<std::string>;

bool Covers(const Entries& entries, std::string_view text) {
  return std::ranges::any_of(entries, [text](std::string_view entry) {
    if (!entry.ends_with('*')) return entry == text;
    return text.starts_with(entry.substr(0, entry.size() - 1));
  });
}

// "a:5000/b:tag@sha256:x" becomes "a:5000/b@sha256:x": a tag is ignored if there is a digest.
std::string WithoutIdleTag(const std::string& image) {
  const size_t digest = image.find('@');
  if (digest == image.npos) return image;
  const std::string name = image.substr(0, digest);
  const size_t tag = name.rfind(':');
  if (tag == name.npos || name.find('/', tag) != name.npos) return image;
  return name.substr(0, tag) + image.substr(digest);
}

constexpr AllowanceList kImages = {
    "--allowed-images", &Allowances::images, "IMAGE",
    "Images that profiles may use besides the default images of --scheduler-image\n"
    "and --kube-scheduler-image; comma-separated, like all --allowed-* flags; a\n"
    "trailing * matches any suffix"};
constexpr AllowanceList kSecrets = {
    "--allowed-secrets", &Allowances::secrets, "NAME",
    "Secrets for environment variables of schedulers, besides berth-PROFILE-*;\n"
    "NAME@HOST:PORT: a Secret that may be sent to this address"};
constexpr AllowanceList kConfigMaps = {
    "--allowed-configmaps", &Allowances::config_maps, "NAME",
    "ConfigMaps for environment variables of schedulers, besides berth-PROFILE-*"};
constexpr AllowanceList kNamespaces = {
    "--allowed-namespaces", &Allowances::namespaces, "NAMESPACE",
    "Namespaces that schedulers may run in, besides that of --namespace"};
constexpr AllowanceList kAnnotations = {"--allowed-annotations", &Allowances::annotations, "KEY",
                                        "Annotation keys that profiles may set on scheduler pods"};
constexpr AllowanceList kLabels = {"--allowed-labels", &Allowances::labels, "KEY",
                                   "Label keys that profiles may set on scheduler pods"};
constexpr AllowanceList kClusterRoles = {
    "--allowed-cluster-roles", &Allowances::cluster_roles, "NAME",
    "ClusterRoles that profiles may bind their scheduler to; the operator needs\n"
    "`bind` on them (deploy/README.md)"};
constexpr AllowanceList kPriorityClasses = {
    "--allowed-priority-classes", &Allowances::priority_classes, "NAME",
    "PriorityClasses that profiles may set on scheduler pods, besides\n"
    "system-cluster-critical"};
constexpr AllowanceList kAddresses = {
    "--allowed-addresses", &Allowances::addresses, "HOST:PORT",
    "HTTPS services that schedulers may call, besides the Services of the\n"
    "allowed namespaces"};

constexpr AllowanceList kAdditions = {
    "--allowed-additions", &Allowances::additions, "KIND.PATH",
    "Fields that other clients may add to the objects of schedulers, with everything\n"
    "below them; all others are removed. List entries have their keys:\n"
    "Deployment.spec.template.spec.containers[name=proxy]"};

constexpr AllowanceList kReservedNames = {
    "--reserved-names", &Allowances::reserved_names, "NAME",
    "Names of other schedulers, which profiles may not use as name or alias; replaces\n"
    "the default; empty: no name is reserved"};

constexpr AllowanceList kLists[] = {kImages,      kSecrets,   kConfigMaps,   kNamespaces,
                                    kAnnotations, kLabels,    kClusterRoles, kPriorityClasses,
                                    kAddresses,   kAdditions, kReservedNames};

constexpr std::string_view kKindsOfAdditions[] = {
    "ClusterRoleBinding",  "ConfigMap", "Deployment",  "NetworkPolicy",
    "PodDisruptionBudget", "Role",      "RoleBinding", "Service",
    "ServiceAccount"};

// Rejections collects the uses that the allowances do not cover.
class Rejections {
 public:
  explicit Rejections(const Allowances& allowances) : allowances_(allowances) {}

  // Adds a rejection if no entry of the list matches.
  void Check(std::string_view reason, std::string_view path, std::string_view value,
             const AllowanceList& list) {
    if (!Covers(allowances_.*list.entries, value)) Add(reason, path, value, list);
  }

  // `otherwise` describes what is allowed besides the entries; may be empty.
  void Add(std::string_view reason, std::string_view path, std::string_view value,
           const AllowanceList& list, std::string_view otherwise = "") {
    Add(reason, path, value, allowances_.*list.entries, list.flag, otherwise);
  }

  void Add(std::string_view reason, std::string_view path, std::string_view value,
           const Entries& allowed, std::string_view flag, std::string_view otherwise = "") {
    Entries all = allowed;
    if (!otherwise.empty()) all.insert(all.begin(), std::string(otherwise));
    Add(Reject(reason, path, json::Quoted(value),
               fmt::format("is not allowed here; allowed: {} (see {} of the operator)",
                           all.empty() ? "none" : Join(all, ", "), flag)));
  }

  void Add(std::string_view reason, const api::FieldError& error) {
    api::FieldError bare = error;
    bare.value.clear();
    Add({reason, error.ToString(), error.path, error.value, bare.Body()});
  }

  void Add(Rejection rejection) { list_.push_back(std::move(rejection)); }

  std::vector<Rejection> Take() { return std::move(list_); }

 private:
  const Allowances& allowances_;
  std::vector<Rejection> list_;
};

void CheckNames(const SchedulerProfile& profile, const Allowances& allowances,
                Rejections& rejections) {
  const Entries& reserved = allowances.reserved_names;
  const auto check = [&](const std::string& path, const std::string& name) {
    if (!Covers(reserved, name)) return;
    rejections.Add("NameNotAllowed",
                   api::FieldError::Invalid(
                       path, name,
                       fmt::format("is reserved for another scheduler, which would place the same "
                                   "pods; use another name, or set {} of the operator without it "
                                   "(reserved: {})",
                                   kReservedNames.flag, Join(reserved, ", "))));
  };
  check("metadata.name", profile.metadata.name);
  for (size_t i = 0; i < profile.spec.aliases.size(); ++i) {
    check(api::Index("spec.aliases", i), profile.spec.aliases[i]);
  }
}

void CheckPrograms(const SchedulerProfileSpec& spec, const Allowances& allowances,
                   Rejections& rejections) {
  const auto check = [&](const std::string& path, const std::string& image) {
    if (Covers(allowances.images, image)) return;
    if (Covers(allowances.images, WithoutIdleTag(image))) return;
    rejections.Add("ImageNotAllowed", path + ".image", image, kImages);
  };
  if (!spec.engine.image.empty()) check("spec.engine", spec.engine.image);
  for (const Sidecar& sidecar : spec.deployment.sidecars) {
    check(SidecarPath(sidecar), sidecar.image);
  }
  const std::vector<std::string>& roles = spec.engine.cluster_roles;
  for (size_t i = 0; i < roles.size(); ++i) {
    rejections.Check("ClusterRoleNotAllowed", api::Index("spec.engine.clusterRoles", i), roles[i],
                     kClusterRoles);
  }
}

void CheckVariables(const std::vector<api::EnvVar>& env, const std::string& path,
                    std::string_view profile, const Allowances& allowances,
                    Rejections& rejections) {
  const std::string own = fmt::format("{}{}-", kObjectPrefix, profile);
  for (const api::EnvVar& variable : env) {
    if (!variable.value_from) continue;
    const auto check = [&](const auto& source, const char* field, const AllowanceList& list,
                           const char* reason) {
      if (!source || source->name.starts_with(own)) return;
      if (Covers(allowances.*list.entries, source->name)) return;
      rejections.Add(reason,
                     fmt::format("{}.valueFrom.{}.name",
                                 json::ListEntryPath(path, "name", variable.name), field),
                     source->name, list, own + "*");
    };
    check(variable.value_from->secret_key_ref, "secretKeyRef", kSecrets, "SecretNotAllowed");
    check(variable.value_from->config_map_key_ref, "configMapKeyRef", kConfigMaps,
          "ConfigMapNotAllowed");
  }
}

void CheckVariables(const SchedulerProfile& profile, const Allowances& allowances,
                    Rejections& rejections) {
  const DeploymentSpec& deployment = profile.spec.deployment;
  const auto check = [&](const std::vector<api::EnvVar>& env, const std::string& path) {
    CheckVariables(env, path + ".env", profile.metadata.name, allowances, rejections);
  };
  check(deployment.env, "spec.deployment");
  for (const Sidecar& sidecar : deployment.sidecars) check(sidecar.env, SidecarPath(sidecar));
}

void CheckKeys(const api::StringMap& map, const char* path, const AllowanceList& list,
               const char* reason, Rejections& rejections) {
  for (const auto& [key, value] : map) {
    rejections.Check(reason, json::MapEntryPath(path, key), key, list);
  }
}

// Request is the request of a pod for one resource.
struct Request {
  std::string path;  // of the first container's
  Quantity amount;
  size_t containers = 0;
};

// Adds the requests of a container. A missing request defaults to the limit. Source: kubernetes
// pkg/apis/core/v1/defaults.go, SetDefaults_Pod.
void AddRequests(const api::ResourceRequirements& resources, const std::string& path,
                 std::map<std::string, Request>& requests) {
  const auto add = [&](const std::string& name, const Quantity& amount, const char* field) {
    Request& request = requests[name];
    if (request.containers++ == 0) {
      request.path = json::MapEntryPath(api::Child(path, field), name);
      request.amount = amount;
    } else {
      request.amount += amount;
    }
  };
  for (const auto& [name, amount] : resources.requests) add(name, amount, "requests");
  for (const auto& [name, amount] : resources.limits) {
    if (!resources.requests.contains(name)) add(name, amount, "limits");
  }
}

void CheckRoom(const DeploymentSpec& deployment, const Allowances& allowances,
               Rejections& rejections) {
  Entries allowed;
  for (const auto& [name, most] : allowances.requests) {
    allowed.push_back(name + "=" + most.ToString());
  }
  // The requests of a pod are the sum over its containers.
  std::map<std::string, Request> requests;
  AddRequests(deployment.resources, "spec.deployment.resources", requests);
  for (const Sidecar& sidecar : deployment.sidecars) {
    AddRequests(sidecar.resources, SidecarPath(sidecar) + ".resources", requests);
  }
  for (const auto& [name, request] : requests) {
    const auto most = allowances.requests.find(name);
    if (most != allowances.requests.end() && request.amount <= most->second) continue;
    rejections.Add(Reject(
        "ResourcesNotAllowed", request.path, json::Quoted(request.amount.ToString()),
        fmt::format("{}is not allowed here; allowed: {} (see --max-requests of the operator)",
                    request.containers > 1 ? "of all containers " : "",
                    allowed.empty() ? "none" : Join(allowed, ", "))));
  }
}

void CheckPods(const SchedulerProfileSpec& spec, const Allowances& allowances,
               Rejections& rejections) {
  const DeploymentSpec& deployment = spec.deployment;
  rejections.Check("NamespaceNotAllowed", "spec.namespace", spec.namespace_, kNamespaces);
  CheckKeys(deployment.pod_labels, "spec.deployment.podLabels", kLabels, "LabelNotAllowed",
            rejections);
  CheckKeys(deployment.pod_annotations, "spec.deployment.podAnnotations", kAnnotations,
            "AnnotationNotAllowed", rejections);
  const std::string& priority = deployment.priority_class_name;
  if (!priority.empty()) {
    rejections.Check("PriorityClassNotAllowed", "spec.deployment.priorityClassName", priority,
                     kPriorityClasses);
  }
  CheckRoom(deployment, allowances, rejections);
}

// OutboundCall is a destination of requests from a profile, and the Secret they carry.
struct OutboundCall {
  api::OutboundAddress address;
  bool is_sidecar = false;
  std::string url, url_path;
  std::string secret, secret_path;  // may be empty
};

bool MayBeListed(const api::OutboundAddress& address) {
  return address.is_https || api::ServiceOf(address).has_value();
}

bool IsListed(const api::OutboundAddress& address, const Allowances& allowances) {
  const auto& listed = allowances.addresses;
  return MayBeListed(address) && std::ranges::find(listed, address.ToString()) != listed.end();
}

// Returns the Service of an address that is allowed for its namespace.
std::optional<api::ServiceReference> AllowedService(const api::OutboundAddress& address,
                                                    const Allowances& allowances) {
  const auto service = api::ServiceOf(address);
  if (!service || !AllowsNamespace(allowances, service->namespace_)) return std::nullopt;
  return service;
}

Rejection NotAllowed(const OutboundCall& call, const Allowances& allowances) {
  const Entries& listed = allowances.addresses;
  const Entries& namespaces = allowances.namespaces;
  const std::string detail = fmt::format(
      "is not allowed here; allowed: Services in namespaces {}, such as {}, and addresses in {} of "
      "the operator ({}); to allow this one, {}add {} to that flag",
      Join(namespaces, ", "),
      fmt::format("http://NAME.{}.svc:8080", namespaces.empty() ? "NAMESPACE" : namespaces.front()),
      kAddresses.flag, listed.empty() ? "none" : Join(listed, ", "),
      MayBeListed(call.address) ? "" : "use https:// and ", call.address.ToString());
  return Reject("AddressNotAllowed", call.url_path, json::Quoted(call.url), detail);
}

void CheckCall(const OutboundCall& call, const Allowances& allowances, Rejections& rejections) {
  if (!call.is_sidecar && !AllowedService(call.address, allowances) &&
      !IsListed(call.address, allowances)) {
    rejections.Add(NotAllowed(call, allowances));
  }
  const std::string pair = call.secret + "@" + call.address.ToString();
  const auto& secrets = allowances.secrets;
  if (call.secret.empty() || std::ranges::find(secrets, pair) != secrets.end()) return;
  Entries pairs;
  std::ranges::copy_if(secrets, std::back_inserter(pairs),
                       [](std::string_view entry) { return entry.find('@') != entry.npos; });
  rejections.Add("SecretNotAllowed", call.secret_path, pair, pairs, kSecrets.flag);
}

// Adds the calls of extenders. Rejects those with a forbidden address or file.
void AddExtenderCalls(const SchedulerProfileSpec& spec, std::vector<OutboundCall>& calls,
                      Rejections& rejections) {
  const api::SidecarPorts sidecars = SidecarPortsOf(spec.deployment.sidecars);
  for (const Extender& extender : spec.extenders) {
    const std::string path =
        json::ListEntryPath("spec.extenders", "urlPrefix", extender.url_prefix);
    const ExtenderTls* tls = extender.tls_config ? &*extender.tls_config : nullptr;
    const auto errors = api::CheckOutbound(extender, tls, sidecars, path);
    for (const api::FieldError& error : errors) {
      const bool is_file = error.path.ends_with("File");
      rejections.Add(is_file ? "FileNotAllowed" : "AddressNotAllowed", error);
    }
    if (!errors.empty()) continue;
    const api::OutboundAddress address = *api::ReadOutboundAddress(extender.url_prefix);
    calls.push_back({.address = address,
                     .is_sidecar = api::IsSidecar(address, sidecars),
                     .url = extender.url_prefix,
                     .url_path = path + ".urlPrefix",
                     .secret = tls != nullptr ? tls->secret_name : "",
                     .secret_path = path + ".tlsConfig.secretName"});
  }
}

// Adds the calls of metric sources. Rejects those with a forbidden address.
void AddMetricCalls(const SchedulerProfileSpec& spec, std::vector<OutboundCall>& calls,
                    Rejections& rejections) {
  for (const auto& [source, args] : api::MetricSourcesOf(spec.plugin_config)) {
    const std::string path = api::Child("spec", args);
    const auto errors = api::CheckOutbound(source, path);
    for (const api::FieldError& error : errors) rejections.Add("AddressNotAllowed", error);
    if (!errors.empty()) continue;
    calls.push_back({.address = *api::ReadOutboundAddress(source.Url()),
                     .url = source.Url(),
                     .url_path = path + ".address",
                     .secret = source.secret_name,
                     .secret_path = path + ".secretName"});
  }
}

// Returns the calls with valid addresses.
std::vector<OutboundCall> CallsOf(const SchedulerProfileSpec& spec, Rejections& rejections) {
  std::vector<OutboundCall> calls;
  AddExtenderCalls(spec, calls, rejections);
  AddMetricCalls(spec, calls, rejections);
  return calls;
}

bool IsAddition(std::string_view entry) {
  const size_t dot = entry.find('.');
  return dot != entry.npos && dot + 1 < entry.size() &&
         std::ranges::find(kKindsOfAdditions, entry.substr(0, dot)) !=
             std::end(kKindsOfAdditions) &&
         !entry.substr(dot + 1).starts_with("metadata");
}

Failure WrongEntry(std::string_view flag, std::string_view entry, std::string_view form) {
  return ConfigError(fmt::format("{}: found {}, expected {}", flag, Quote(entry), form));
}

// Reports whether the text is an address in the form used for comparison.
bool IsAddress(std::string_view text) {
  const auto address = api::ReadHostAndPort(text);
  return address && address->ToString() == text;
}

}  // namespace

api::ResourceList Allowances::DefaultRequests() {
  return {{"cpu", Quantity::FromValue(4)},
          {"ephemeral-storage", Quantity::FromValue(int64_t{1} << 30, Quantity::Format::kBinarySi)},
          {"memory", Quantity::FromValue(int64_t{8} << 30, Quantity::Format::kBinarySi)}};
}

std::vector<std::string> Allowances::DefaultReservedNames() {
  return {"gke.io/optimize-utilization-scheduler",
          "godel-scheduler",
          "hami-scheduler",
          "kai-scheduler",
          "katalyst-scheduler",
          "koord-scheduler",
          "kube-scheduler",
          "runai-scheduler",
          "stork",
          "topo-aware-scheduler",
          "volcano",
          "yunikorn"};
}

std::span<const AllowanceList> AllowanceLists() { return kLists; }

std::span<const std::string_view> KindsOfAdditions() { return kKindsOfAdditions; }

Result<void> CheckAllowances(const Allowances& allowances) {
  for (const AllowanceList& list : kLists) {
    for (const std::string_view entry : allowances.*list.entries) {
      if (!entry.empty() && entry.find('*') >= entry.size() - 1) continue;
      return WrongEntry(list.flag, entry, "a name, or a prefix followed by *");
    }
  }
  for (const std::string_view entry : allowances.addresses) {
    if (IsAddress(entry)) continue;
    return WrongEntry(kAddresses.flag, entry, "HOST:PORT in lower case");
  }
  for (const std::string_view entry : allowances.secrets) {
    const size_t at = entry.find('@');
    if (at == entry.npos || (at > 0 && IsAddress(entry.substr(at + 1)))) continue;
    return WrongEntry(kSecrets.flag, entry, "NAME, NAME* or NAME@HOST:PORT in lower case");
  }
  for (const std::string_view entry : allowances.additions) {
    if (IsAddition(entry)) continue;
    const std::string kind(entry.substr(0, entry.find('.')));
    const auto nearest = NearestName(kind, kKindsOfAdditions);
    return WrongEntry(kAdditions.flag, entry,
                      fmt::format("KIND.PATH outside of metadata, which is free, with KIND one of "
                                  "{}{}",
                                  fmt::join(kKindsOfAdditions, ", "),
                                  nearest && *nearest != kind ? "; nearest: " + *nearest : ""));
  }
  return {};
}

Rejection Reject(std::string_view reason, std::string_view path, std::string_view value,
                 std::string_view detail) {
  const std::string shown = json::ShownText(value);
  return {reason, fmt::format("{}: {}{}{}", path, shown, shown.empty() ? "" : " ", detail),
          std::string(path), std::string(value), std::string(detail)};
}

bool AllowsNamespace(const Allowances& allowances, std::string_view ns) {
  return Covers(allowances.namespaces, ns);
}

std::vector<Rejection> BeyondAllowances(const SchedulerProfile& profile,
                                        const Allowances& allowances) {
  Rejections rejections(allowances);
  CheckNames(profile, allowances, rejections);
  CheckPrograms(profile.spec, allowances, rejections);
  CheckVariables(profile, allowances, rejections);
  CheckPods(profile.spec, allowances, rejections);
  for (const OutboundCall& call : CallsOf(profile.spec, rejections)) {
    CheckCall(call, allowances, rejections);
  }
  return rejections.Take();
}

std::vector<ServiceCall> ServiceCalls(const SchedulerProfile& profile,
                                      const Allowances& allowances) {
  Rejections unused(allowances);
  std::vector<ServiceCall> services;
  for (const OutboundCall& call : CallsOf(profile.spec, unused)) {
    if (IsListed(call.address, allowances)) continue;
    const auto service = AllowedService(call.address, allowances);
    if (service) services.push_back({call.url_path, call.url, call.address.ToString(), *service});
  }
  return services;
}

Rejection RejectService(const ServiceCall& call, std::string_view why) {
  return Reject("AddressNotAllowed", call.path, json::Quoted(call.url),
                fmt::format("is not allowed here: Service {} {}; use a Service with a selector, or "
                            "add {} to {} of the operator",
                            call.service.ToString(), why, call.address, kAddresses.flag));
}

}  // namespace berth::crds
