// SPDX-License-Identifier: Apache-2.0
#include "client/kubeconfig.h"

#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "api/authentication.h"
#include "api/core.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/names.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "base/time.h"
#include "client/client.h"
#include "crds/names.h"
#include "operator/commands/cluster_flags.h"
#include "operator/commands/command.h"

namespace berth::operator_ {
namespace {

using std::chrono::seconds;

struct KubeconfigFlags {
  ClusterFlags cluster;
  std::string service_account;
  std::string duration = "8h";
  std::string output;
};

constexpr const char* kKubeconfigHelp =
    "Print a kubeconfig for a ServiceAccount.\n\n"
    "It is for an operator or a scheduler that runs by hand. The command requests a token\n"
    "from the API server. The token expires after --duration, or earlier if the API server\n"
    "decides so, and is not renewed: run the command again before that, and restart the\n"
    "program.\n"
    "The command finds the cluster by --kubeconfig, then KUBECONFIG, then the service account\n"
    "of the pod, then ~/.kube/config. The caller needs `create` on serviceaccounts/token.";

// Source: kubernetes pkg/apis/authentication/validation/validation.go, ValidateTokenRequest.
constexpr std::chrono::minutes kShortest{10};

struct AccountName {
  std::string ns;
  std::string name;

  std::string ToString() const { return "ServiceAccount " + ns + "/" + name; }
};

Result<AccountName> ReadAccount(const std::string& text) {
  const size_t slash = text.find('/');
  if (slash != text.npos) {
    AccountName account{.ns = text.substr(0, slash), .name = text.substr(slash + 1)};
    if (CheckDnsLabel(account.ns).empty() && CheckDnsSubdomain(account.name).empty()) {
      return account;
    }
  }
  return ConfigError("--service-account: found \"" + text +
                     "\", expected NAMESPACE/NAME, such as berth-system/berth-operator");
}

Result<seconds> ReadDuration(const std::string& text) {
  const auto duration = Duration::Parse(text);
  if (!duration) return Fail(duration.error().With("--duration"));
  if (duration->length() < kShortest) {
    return ConfigError("--duration: found \"" + text + "\", allowed: at least 10m");
  }
  return std::chrono::duration_cast<seconds>(duration->length());
}

// Lists Berth's accounts for an error message; "" if they cannot be listed.
std::string Others(client::Client& client, const AccountName& account) {
  const auto listed = client.List<api::ServiceAccount>(account.ns);
  if (!listed) return "";
  std::vector<std::string> names;
  for (const auto& other : listed->items) {
    if (other->metadata.name.starts_with(crds::kObjectPrefix))
      names.push_back(other->metadata.name);
  }
  if (names.empty()) {
    return "; that namespace has none of Berth's ServiceAccounts: deploy/install.yaml creates the "
           "operator's, "
           "a profile creates its scheduler's";
  }
  return NearestHint(NearestName(account.name, names),
                     "; Berth's ServiceAccounts: " + Join(names, ", "));
}

Result<api::TokenRequestStatus> AskForToken(client::Client& client, const AccountName& account,
                                            seconds duration) {
  const api::TokenRequest request{.spec = {.expiration_seconds = duration.count()}};
  auto answer = client.CallAs<api::TokenRequest>(client::CreateRequest(
      api::ServiceAccount::kResource, account.ns, json::Encode(request), account.name, "token"));
  if (answer) return std::move(answer->status);
  if (answer.error().Is(Reason::kNotFound)) {
    return Fail(Reason::kNotFound,
                account.ToString() + " does not exist" + Others(client, account));
  }
  return Fail(answer.error().With("token of " + account.ToString()));
}

// Inlines files, because the kubeconfig may be used on another machine.
Result<http::Pem> InText(const http::Pem& pem) {
  if (pem.file.empty() || !pem.data.empty()) return pem;
  BERTH_TRY(std::string text, ReadFile(pem.file));
  return http::Pem{.data = std::move(text)};
}

Result<void> Deliver(const client::ClientConfig& config, const std::string& output,
                     Program& program) {
  if (!output.empty()) return client::WriteKubeconfig(config, output);
  program.out << client::KubeconfigText(config);
  return {};
}

Result<int> Run(const KubeconfigFlags& flags, Program& program) {
  BERTH_TRY(const AccountName account, ReadAccount(flags.service_account));
  BERTH_TRY(const seconds duration, ReadDuration(flags.duration));
  BERTH_TRY(client::ClientConfig config, ConfigOf(flags.cluster));
  const SystemClock clock;
  BERTH_TRY(const std::unique_ptr<client::Client> client,
            client::Client::Create(config, {.component = "kubeconfig"}, clock));
  BERTH_TRY(const api::TokenRequestStatus granted, AskForToken(*client, account, duration));

  client::ClientConfig own{.server = config.server, .token = granted.token};
  own.tls.server_name = config.tls.server_name;
  own.tls.insecure_skip_verify = config.tls.insecure_skip_verify;
  BERTH_TRY(own.tls.ca, InText(config.tls.ca));
  BERTH_TRY_VOID(Deliver(own, flags.output, program));
  program.err << "the token of " << account.ToString() << " is valid until "
              << granted.expiration_timestamp.ToString() << "\n";
  return kExitSuccess;
}

}  // namespace

Command KubeconfigCommand(Program& program) {
  auto flags = std::make_shared<KubeconfigFlags>();
  CommandLine line{.name = "kubeconfig", .help = kKubeconfigHelp};
  line.flags = {{.name = "--service-account",
                 .target = &flags->service_account,
                 .help = "ServiceAccount of the kubeconfig",
                 .type = "NAMESPACE/NAME",
                 .required = true},
                {.name = "--duration",
                 .target = &flags->duration,
                 .help = "Validity of the token, at least 10m",
                 .type = "DURATION"},
                {.name = "-o,--output",
                 .target = &flags->output,
                 .help = "Write to this file, readable only by its owner, instead of\n"
                         "standard output; replaces an earlier output of this command",
                 .type = "FILE"}};
  for (Flag& flag : FlagsOf(flags->cluster)) line.flags.push_back(std::move(flag));
  line.footer = "Example:\n  " + program.name +
                " kubeconfig --service-account berth-system/berth-operator --output "
                "operator.kubeconfig";
  return {.line = std::move(line), .run = [flags, &program] { return Run(*flags, program); }};
}

}  // namespace berth::operator_
