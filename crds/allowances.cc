// SPDX-License-Identifier: Apache-2.0
#include "crds/allowances.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/outbound_address.h"
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

// "a:5000/b:tag@sha256:x" is "a:5000/b@sha256:x": who fetches an image by its digest does not look
// at the tag.
std::string WithoutIdleTag(const std::string& image) {
  const size_t digest = image.find('@');
  if (digest == image.npos) return image;
  const std::string name = image.substr(0, digest);
  const size_t tag = name.rfind(':');
  if (tag == name.npos || name.find('/', tag) != name.npos) return image;
  return name.substr(0, tag) + image.substr(digest);
}

// Refusals collects what is beyond the allowances.
class Refusals {
 public:
  // `otherwise` is what is allowed beside the entries; may be empty.
  void Add(std::string_view reason, std::string_view path, std::string_view value,
           const Entries& allowed, std::string_view flag, std::string_view otherwise = "") {
    Entries all = allowed;
    if (!otherwise.empty()) all.insert(all.begin(), std::string(otherwise));
    list_.push_back(
        {reason,
         fmt::format("{}: {} is not allowed here; allowed: {} (see {} of the operator)", path,
                     json::Quoted(value), all.empty() ? "none" : Join(all, ", "), flag)});
  }

  void Add(std::string_view reason, const api::FieldError& mistake) {
    list_.push_back({reason, mistake.ToString()});
  }

  std::vector<Refusal> Take() { return std::move(list_); }

 private:
  std::vector<Refusal> list_;
};

void CheckProgram(const EngineSpec& engine, const Allowances& allowances, Refusals& refusals) {
  const bool is_allowed = engine.image.empty() || Covers(allowances.images, engine.image) ||
                          Covers(allowances.images, WithoutIdleTag(engine.image));
  if (!is_allowed) {
    refusals.Add("ImageNotAllowed", "spec.engine.image", engine.image, allowances.images,
                 "--allowed-images");
  }
  for (const std::string& role : engine.cluster_roles) {
    if (Covers(allowances.cluster_roles, role)) continue;
    refusals.Add("ClusterRoleNotAllowed", "spec.engine.clusterRoles", role,
                 allowances.cluster_roles, "--allowed-cluster-roles");
  }
}

void CheckVariables(const SchedulerProfile& profile, const Allowances& allowances,
                    Refusals& refusals) {
  const std::string own = fmt::format("{}{}-", kObjectPrefix, profile.metadata.name);
  for (const api::EnvVar& variable : profile.spec.deployment.env) {
    if (!variable.value_from) continue;
    const auto check = [&](const auto& source, const char* field, const Entries& allowed,
                           const char* reason, const char* flag) {
      if (!source || source->name.starts_with(own) || Covers(allowed, source->name)) return;
      refusals.Add(
          reason,
          fmt::format("spec.deployment.env[name={}].valueFrom.{}.name", variable.name, field),
          source->name, allowed, flag, own + "*");
    };
    check(variable.value_from->secret_key_ref, "secretKeyRef", allowances.secrets,
          "SecretNotAllowed", "--allowed-secrets");
    check(variable.value_from->config_map_key_ref, "configMapKeyRef", allowances.config_maps,
          "ConfigMapNotAllowed", "--allowed-configmaps");
  }
}

void CheckKeys(const api::StringMap& map, const char* path, const Entries& allowed,
               const char* reason, const char* flag, Refusals& refusals) {
  for (const auto& [key, value] : map) {
    if (!Covers(allowed, key)) refusals.Add(reason, path, key, allowed, flag);
  }
}

// Without a request the limit is the request. Source: kubernetes pkg/apis/core/v1/defaults.go,
// SetDefaults_Pod.
api::ResourceList RequestsOf(const api::ResourceRequirements& resources) {
  api::ResourceList requests = resources.requests;
  requests.insert(resources.limits.begin(), resources.limits.end());
  return requests;
}

void CheckRoom(const DeploymentSpec& deployment, const Allowances& allowances, Refusals& refusals) {
  Entries allowed;
  for (const auto& [name, most] : allowances.requests) {
    allowed.push_back(name + "=" + most.ToString());
  }
  for (const auto& [name, amount] : RequestsOf(deployment.resources)) {
    const auto most = allowances.requests.find(name);
    if (most != allowances.requests.end() && amount <= most->second) continue;
    refusals.Add("ResourcesNotAllowed", "spec.deployment.resources", name + "=" + amount.ToString(),
                 allowed, "--max-requests");
  }
}

void CheckPods(const SchedulerProfileSpec& spec, const Allowances& allowances, Refusals& refusals) {
  const DeploymentSpec& deployment = spec.deployment;
  if (!AllowsNamespace(allowances, spec.namespace_)) {
    refusals.Add("NamespaceNotAllowed", "spec.namespace", spec.namespace_, allowances.namespaces,
                 "--allowed-namespaces");
  }
  CheckKeys(deployment.pod_labels, "spec.deployment.podLabels", allowances.labels,
            "LabelNotAllowed", "--allowed-labels", refusals);
  CheckKeys(deployment.pod_annotations, "spec.deployment.podAnnotations", allowances.annotations,
            "AnnotationNotAllowed", "--allowed-annotations", refusals);
  const std::string& priority = deployment.priority_class_name;
  if (!priority.empty() && !Covers(allowances.priority_classes, priority)) {
    refusals.Add("PriorityClassNotAllowed", "spec.deployment.priorityClassName", priority,
                 allowances.priority_classes, "--allowed-priority-classes");
  }
  CheckRoom(deployment, allowances, refusals);
}

// Requires: CheckOutbound found nothing.
void CheckExtender(const Extender& extender, const std::string& path, const Allowances& allowances,
                   Refusals& refusals) {
  const api::OutboundAddress address = *api::ReadOutboundAddress(extender.url_prefix);
  const auto ns = api::ServiceNamespace(address);
  const bool is_service = ns && AllowsNamespace(allowances, *ns);
  const bool is_listed =
      address.is_https &&
      std::ranges::find(allowances.addresses, address.ToString()) != allowances.addresses.end();
  if (!is_service && !is_listed) {
    refusals.Add("AddressNotAllowed", path + ".urlPrefix", extender.url_prefix,
                 allowances.addresses, "--allowed-addresses",
                 "Services of the namespaces of --allowed-namespaces, and with https");
  }
  const std::string secret = extender.tls_config ? extender.tls_config->secret_name : "";
  const std::string pair = secret + "@" + address.ToString();
  if (secret.empty() || std::ranges::find(allowances.secrets, pair) != allowances.secrets.end()) {
    return;
  }
  Entries pairs;
  std::ranges::copy_if(allowances.secrets, std::back_inserter(pairs),
                       [](std::string_view entry) { return entry.find('@') != entry.npos; });
  refusals.Add("SecretNotAllowed", path + ".tlsConfig.secretName", pair, pairs,
               "--allowed-secrets");
}

void CheckExtenders(const SchedulerProfileSpec& spec, const Allowances& allowances,
                    Refusals& refusals) {
  for (size_t i = 0; i < spec.extenders.size(); ++i) {
    const Extender& extender = spec.extenders[i];
    const std::string path = api::Index("spec.extenders", i);
    const ExtenderTls* tls = extender.tls_config ? &*extender.tls_config : nullptr;
    const auto mistakes = api::CheckOutbound(extender, tls, path);
    for (const api::FieldError& mistake : mistakes) {
      const bool is_file = mistake.path.ends_with("File");
      refusals.Add(is_file ? "FileNotAllowed" : "AddressNotAllowed", mistake);
    }
    if (mistakes.empty()) CheckExtender(extender, path, allowances, refusals);
  }
}

Failure WrongEntry(std::string_view flag, std::string_view entry, std::string_view form) {
  return ConfigError(fmt::format("{}: found {}, expected {}", flag, Quote(entry), form));
}

// As it is compared.
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

Result<void> CheckAllowances(const Allowances& allowances) {
  const std::pair<const char*, const Entries*> lists[] = {
      {"--allowed-images", &allowances.images},
      {"--allowed-secrets", &allowances.secrets},
      {"--allowed-configmaps", &allowances.config_maps},
      {"--allowed-namespaces", &allowances.namespaces},
      {"--allowed-annotations", &allowances.annotations},
      {"--allowed-labels", &allowances.labels},
      {"--allowed-cluster-roles", &allowances.cluster_roles},
      {"--allowed-priority-classes", &allowances.priority_classes},
      {"--allowed-addresses", &allowances.addresses}};
  for (const auto& [flag, entries] : lists) {
    for (const std::string_view entry : *entries) {
      if (!entry.empty() && entry.find('*') >= entry.size() - 1) continue;
      return WrongEntry(flag, entry, "a name, or the beginning of names followed by *");
    }
  }
  for (const std::string_view entry : allowances.addresses) {
    if (IsAddress(entry)) continue;
    return WrongEntry("--allowed-addresses", entry, "HOST:PORT in lower case");
  }
  for (const std::string_view entry : allowances.secrets) {
    const size_t at = entry.find('@');
    if (at == entry.npos || (at > 0 && IsAddress(entry.substr(at + 1)))) continue;
    return WrongEntry("--allowed-secrets", entry, "NAME, NAME* or NAME@HOST:PORT in lower case");
  }
  return {};
}

bool AllowsNamespace(const Allowances& allowances, std::string_view ns) {
  return Covers(allowances.namespaces, ns);
}

std::vector<Refusal> BeyondAllowances(const SchedulerProfile& profile,
                                      const Allowances& allowances) {
  Refusals refusals;
  CheckProgram(profile.spec.engine, allowances, refusals);
  CheckVariables(profile, allowances, refusals);
  CheckPods(profile.spec, allowances, refusals);
  CheckExtenders(profile.spec, allowances, refusals);
  return refusals.Take();
}

}  // namespace berth::crds
