// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json/json.h"

// The text of one kubeconfig file, field by field.
namespace berth::client {

struct KubeCluster {
  std::string server;
  std::string certificate_authority;
  std::string certificate_authority_data;
  bool insecure_skip_tls_verify = false;
  std::string tls_server_name;
  std::string proxy_url;

  static auto Fields() {
    return json::Object(
        json::Field("server", &KubeCluster::server),
        json::Field("certificate-authority", &KubeCluster::certificate_authority),
        json::Field("certificate-authority-data", &KubeCluster::certificate_authority_data),
        json::Field("insecure-skip-tls-verify", &KubeCluster::insecure_skip_tls_verify),
        json::Field("tls-server-name", &KubeCluster::tls_server_name),
        json::Field("proxy-url", &KubeCluster::proxy_url));
  }
};

struct KubeUser {
  std::string client_certificate;
  std::string client_certificate_data;
  std::string client_key;
  std::string client_key_data;
  std::string token;
  std::string token_file;
  std::string username;
  std::string as;
  std::string as_uid;
  std::vector<std::string> as_groups;
  json::Raw as_user_extra;
  json::Raw auth_provider;
  json::Raw exec;

  static auto Fields() {
    return json::Object(
        json::Field("client-certificate", &KubeUser::client_certificate),
        json::Field("client-certificate-data", &KubeUser::client_certificate_data),
        json::Field("client-key", &KubeUser::client_key),
        json::Field("client-key-data", &KubeUser::client_key_data),
        json::Field("token", &KubeUser::token), json::Field("tokenFile", &KubeUser::token_file),
        json::Field("username", &KubeUser::username), json::Field("as", &KubeUser::as),
        json::Field("as-uid", &KubeUser::as_uid), json::Field("as-groups", &KubeUser::as_groups),
        json::Field("as-user-extra", &KubeUser::as_user_extra),
        json::Field("auth-provider", &KubeUser::auth_provider),
        json::Field("exec", &KubeUser::exec));
  }
};

struct KubeContext {
  std::string cluster;
  std::string user;
  std::string namespace_;

  static auto Fields() {
    return json::Object(json::Field("cluster", &KubeContext::cluster),
                        json::Field("user", &KubeContext::user),
                        json::Field("namespace", &KubeContext::namespace_));
  }
};

struct NamedCluster {
  std::string name;
  KubeCluster cluster;
  static auto Fields() {
    return json::Object(json::Field("name", &NamedCluster::name),
                        json::Field("cluster", &NamedCluster::cluster));
  }
};

struct NamedUser {
  std::string name;
  KubeUser user;
  static auto Fields() {
    return json::Object(json::Field("name", &NamedUser::name),
                        json::Field("user", &NamedUser::user));
  }
};

struct NamedContext {
  std::string name;
  KubeContext context;
  static auto Fields() {
    return json::Object(json::Field("name", &NamedContext::name),
                        json::Field("context", &NamedContext::context));
  }
};

struct KubeconfigFile {
  std::string api_version;
  std::string kind;
  std::string current_context;
  std::vector<NamedCluster> clusters;
  std::vector<NamedUser> users;
  std::vector<NamedContext> contexts;

  static auto Fields() {
    return json::Object(json::Field("apiVersion", &KubeconfigFile::api_version),
                        json::Field("kind", &KubeconfigFile::kind),
                        json::Field("current-context", &KubeconfigFile::current_context),
                        json::Field("clusters", &KubeconfigFile::clusters),
                        json::Field("users", &KubeconfigFile::users),
                        json::Field("contexts", &KubeconfigFile::contexts));
  }
};

// Reads one file. Errors name the file; kNotFound if it does not exist.
Result<KubeconfigFile> ReadKubeconfigFile(const std::filesystem::path& path);

}  // namespace berth::client
