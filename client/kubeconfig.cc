// SPDX-License-Identifier: Apache-2.0
#include "client/kubeconfig.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/base64.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "client/kubeconfig_file.h"

namespace berth::client {
namespace {

namespace fs = std::filesystem;

// Entry is a named piece of configuration and its file, which relative paths refer to.
template <class T>
struct Entry {
  T value;
  fs::path file;

  std::string Absolute(const std::string& path) const {
    return path.empty() ? "" : (file.parent_path() / path).lexically_normal().string();
  }
};

template <class T>
Entry(T, fs::path) -> Entry<T>;

template <class T>
using Entries = std::map<std::string, Entry<T>>;

struct Merged {
  std::string current_context;
  Entries<KubeCluster> clusters;
  Entries<KubeUser> users;
  Entries<KubeContext> contexts;
};

void Merge(const KubeconfigFile& file, const fs::path& path, Merged& all) {
  if (all.current_context.empty()) all.current_context = file.current_context;
  for (const auto& [name, cluster] : file.clusters)
    all.clusters.emplace(name, Entry{cluster, path});
  for (const auto& [name, user] : file.users) all.users.emplace(name, Entry{user, path});
  for (const auto& [name, context] : file.contexts)
    all.contexts.emplace(name, Entry{context, path});
}

template <class T>
std::vector<std::string> Names(const Entries<T>& entries) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries) names.push_back(name);
  return names;
}

// Looks up the entry that `field` names; the error lists the existing names.
template <class T>
Result<Entry<T>> Find(const Entries<T>& entries, const std::string& name, const std::string& field,
                      const std::string& list) {
  if (const auto found = entries.find(name); found != entries.end()) return found->second;
  const std::vector<std::string> names = Names(entries);
  const std::string known =
      names.empty() ? "; there are none" : "; there are: " + Join(names, ", ");
  return ConfigError(field + ": \"" + name + "\" is not in " + list +
                     NearestHint(NearestName(name, names), known));
}

// Inline PEM data in base64 takes precedence over the file.
Result<http::Pem> PemOf(const std::string& data, const std::string& file,
                        const std::string& data_field) {
  if (data.empty()) return http::Pem{.file = file};
  auto decoded = DecodeBase64(data, Whitespace::kSkipped);
  if (!decoded) return Fail(decoded.error().With(data_field));
  return http::Pem{.data = std::move(*decoded)};
}

Failure NotSupported(const std::string& field, const std::string& instead) {
  return ConfigError(field + ": not supported by this version; " + instead);
}

Result<void> UseCluster(const Entry<KubeCluster>& entry, const std::string& name,
                        ClientConfig& config) {
  const KubeCluster& cluster = entry.value;
  const std::string field = "clusters[" + name + "].cluster.";
  if (cluster.server.empty()) return ConfigError(field + "server: is missing");
  if (!cluster.proxy_url.empty()) {
    return NotSupported(field + "proxy-url", "reach the API server without a proxy");
  }
  config.server = cluster.server;
  config.tls.server_name = cluster.tls_server_name;
  config.tls.insecure_skip_verify = cluster.insecure_skip_tls_verify;
  BERTH_TRY(config.tls.ca,
            PemOf(cluster.certificate_authority_data, entry.Absolute(cluster.certificate_authority),
                  field + "certificate-authority-data"));
  if (cluster.insecure_skip_tls_verify && !config.tls.ca.empty()) {
    return ConfigError(field +
                       "insecure-skip-tls-verify: is true although a certificate-authority is "
                       "given; remove one of the two");
  }
  return {};
}

Result<void> RejectUnsupported(const KubeUser& user, const std::string& field) {
  constexpr const char* kInstead = "allowed: client-certificate, token, tokenFile";
  if (!user.exec.text.empty()) return NotSupported(field + "exec", kInstead);
  if (!user.auth_provider.text.empty()) return NotSupported(field + "auth-provider", kInstead);
  if (!user.username.empty()) return NotSupported(field + "username", kInstead);
  if (!user.as_user_extra.text.empty()) {
    return NotSupported(field + "as-user-extra", "allowed: as, as-uid, one of as-groups");
  }
  if (user.as_groups.size() > 1) {
    return NotSupported(field + "as-groups: more than one", "allowed: one group");
  }
  return {};
}

Result<void> UseUser(const Entry<KubeUser>& entry, const std::string& name, ClientConfig& config) {
  const KubeUser& user = entry.value;
  const std::string field = "users[" + name + "].user.";
  BERTH_TRY_VOID(RejectUnsupported(user, field));
  BERTH_TRY(config.tls.certificate,
            PemOf(user.client_certificate_data, entry.Absolute(user.client_certificate),
                  field + "client-certificate-data"));
  BERTH_TRY(config.tls.key, PemOf(user.client_key_data, entry.Absolute(user.client_key),
                                  field + "client-key-data"));
  if (config.tls.certificate.empty() != config.tls.key.empty()) {
    const bool lacks_key = config.tls.key.empty();
    return ConfigError(field + (lacks_key ? "client-certificate" : "client-key") +
                       ": is given without " + (lacks_key ? "client-key" : "client-certificate"));
  }
  config.token = user.token;
  config.token_file = entry.Absolute(user.token_file);
  if (!user.as.empty()) config.impersonation.Set("Impersonate-User", user.as);
  if (!user.as_uid.empty()) config.impersonation.Set("Impersonate-Uid", user.as_uid);
  for (const std::string& group : user.as_groups) {
    config.impersonation.Set("Impersonate-Group", group);
  }
  return {};
}

Result<ClientConfig> Resolve(const Merged& all, const std::string& wanted_context) {
  const bool chosen = !wanted_context.empty();
  const std::string& context_name = chosen ? wanted_context : all.current_context;
  if (context_name.empty()) {
    return ConfigError("current-context: is empty; contexts: " + Join(Names(all.contexts), ", "));
  }
  BERTH_TRY(const auto context,
            Find(all.contexts, context_name, chosen ? "--context" : "current-context", "contexts"));
  const std::string field = "contexts[" + context_name + "].context.";
  BERTH_TRY(const auto cluster,
            Find(all.clusters, context.value.cluster, field + "cluster", "clusters"));
  ClientConfig config;
  BERTH_TRY_VOID(UseCluster(cluster, context.value.cluster, config));
  if (!context.value.user.empty()) {
    BERTH_TRY(const auto user, Find(all.users, context.value.user, field + "user", "users"));
    BERTH_TRY_VOID(UseUser(user, context.value.user, config));
  }
  config.default_namespace =
      context.value.namespace_.empty() ? "default" : context.value.namespace_;
  return config;
}

std::vector<fs::path> SplitList(const std::string& list) {
  std::vector<fs::path> files;
  for (const std::string_view part : Split(list, ':')) {
    const fs::path file(part);
    if (!part.empty() && std::find(files.begin(), files.end(), file) == files.end()) {
      files.push_back(file);
    }
  }
  return files;
}

std::string JoinPaths(const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(file.string());
  return Join(names, ":");
}

}  // namespace

Environment ProcessEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

Result<KubeconfigFile> ReadKubeconfigFile(const fs::path& path) {
  BERTH_TRY(const std::string text, ReadFile(path.string()));
  const std::string where = "kubeconfig " + path.string();
  auto json_text = yaml::ToJson(text);
  if (!json_text) return Fail(json_text.error().With(where));
  if (*json_text == "null") return KubeconfigFile{};
  auto file = json::Decode<KubeconfigFile>(*json_text);
  if (!file) return Fail(file.error().With(where));
  if (!file->kind.empty() && file->kind != "Config") {
    return ConfigError(where + ": kind: is \"" + file->kind + "\"; allowed: Config");
  }
  return file;
}

Result<ClientConfig> LoadKubeconfig(const std::vector<fs::path>& files,
                                    const std::string& context) {
  Merged all;
  bool found = false;
  for (const fs::path& path : files) {
    auto file = ReadKubeconfigFile(path);
    if (!file && file.error().Is(Reason::kNotFound)) continue;
    if (!file) return Fail(std::move(file).error());
    found = true;
    Merge(*file, path, all);
  }
  const std::string source = "kubeconfig " + JoinPaths(files);
  if (!found) return ConfigError(source + ": no such file");
  auto config = Resolve(all, context);
  if (!config) return Fail(config.error().With(source));
  config->source = source;
  return config;
}

Result<ClientConfig> LoadClientConfig(const ConfigRequest& request) {
  if (!request.kubeconfig.empty()) return LoadKubeconfig({request.kubeconfig}, request.context);
  if (const auto list = request.environment("KUBECONFIG")) {
    return LoadKubeconfig(SplitList(*list), request.context);
  }
  if (request.environment("KUBERNETES_SERVICE_HOST")) return LoadInCluster(request.environment);
  const auto home = request.environment("HOME");
  const fs::path standard = fs::path(home.value_or("/")) / ".kube" / "config";
  if (!fs::exists(standard)) {
    return ConfigError(
        "no way to an API server: --kubeconfig and KUBECONFIG are not set, this is not a pod "
        "(KUBERNETES_SERVICE_HOST is not set), and there is no " +
        standard.string());
  }
  return LoadKubeconfig({standard}, request.context);
}

}  // namespace berth::client
