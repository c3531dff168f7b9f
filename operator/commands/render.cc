// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "api/kubernetes_version.h"
#include "base/yaml/yaml.h"
#include "controllers/plan.h"
#include "operator/commands/command.h"
#include "operator/commands/documents.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr const char* kRenderHelp =
    "Print the rendered objects of SchedulerProfiles.\n\n"
    "The output is YAML, in the order in which the operator applies the objects. It equals the\n"
    "operator's first apply byte for byte. The objects have owner references only if the\n"
    "profile was read from the cluster and has a uid. The command needs no cluster.";

// Returns the reason why the plan has no objects.
std::string WhyNothing(const controllers::Verdict& verdict) {
  if (verdict.invalid) return verdict.invalid->message;
  if (verdict.rejected) return verdict.rejected->message;
  return "nothing to render";
}

// Renders a profile alone: the operator adds everything that depends on other profiles or on the
// scheduler's report.
Result<int> Render(const DocumentFlags& flags, Program& program) {
  BERTH_TRY(const controllers::PlanOptions options, PlanOptionsOf(flags.installation));
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  const controllers::Observed observed{.api_server_version = api::kFollowedKubernetes};
  std::string text;  // printed only if nothing failed, because `kubectl apply` may read it
  for (const ProfilesOfFile& documents : ReadProfiles(flags, program.in)) {
    if (!documents) return Fail(documents.error());
    for (const ProfileDocument& document : *documents) {
      const controllers::Plan plan =
          controllers::PlanObjects(document.profile, observed, catalogue, options);
      if (plan.apply.empty()) {
        return ConfigError(document.source + ": " + WhyNothing(plan.verdict));
      }
      for (const controllers::RenderedObject& object : plan.apply) {
        text += "---\n" + yaml::FromJson(object.object.Json());
      }
      for (const std::string& warning : plan.warnings) {
        program.err << "warning: " << document.source << ": " << warning << "\n";
      }
    }
  }
  program.out << text;
  return kExitSuccess;
}

}  // namespace

Command RenderCommand(Program& program) {
  auto flags = std::make_shared<DocumentFlags>();
  CommandLine line{.name = "render", .help = kRenderHelp, .flags = FlagsOf(*flags)};
  line.footer = "Examples:\n  " + program.name + " render -f profile.yaml\n  kubectl get sprof " +
                "bin-packing -o yaml | " + program.name + " render -f -";
  return {.line = std::move(line), .run = [flags, &program] { return Render(*flags, program); }};
}

}  // namespace berth::operator_
