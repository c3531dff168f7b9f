// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "api/kubernetes_version.h"
#include "base/strings.h"
#include "base/yaml/yaml.h"
#include "controllers/plan.h"
#include "operator/commands/command.h"
#include "operator/commands/documents.h"
#include "operator/commands/output.h"
#include "scheduler/plugins/registry.h"

namespace berth::operator_ {
namespace {

constexpr const char* kRenderHelp =
    "Print the rendered objects of SchedulerProfiles.\n\n"
    "The objects are printed in the order in which the operator applies them. As YAML they equal\n"
    "the operator's first apply byte for byte. They have owner references only if the profile\n"
    "was read from the cluster and has a uid. If a profile is not valid, nothing is printed but\n"
    "the errors. The command needs no cluster.";

// Returns the reason why the plan has no objects.
std::string WhyNothing(const controllers::Verdict& verdict) {
  if (verdict.invalid) return verdict.invalid->message;
  if (verdict.rejected) return verdict.rejected->message;
  return "nothing to render";
}

constexpr std::string_view kName = "name";

struct RenderFlags {
  DocumentFlags documents;
  std::string output{kYaml};
};

// Returns the object as kubectl names it: "deployment.apps/berth-a".
std::string NameText(const controllers::RenderedObject& rendered) {
  const api::ResourceInfo& resource = rendered.object.resource();
  return ToLower(resource.kind) + (resource.group.empty() ? "" : ".") +
         std::string(resource.group) + "/" + rendered.object.metadata().name + "\n";
}

// Output collects the objects in one format.
class Output {
 public:
  explicit Output(std::string_view format) : format_(format) {}

  void Add(const controllers::RenderedObject& rendered) {
    if (format_ == kName) {
      text_ += NameText(rendered);
    } else if (format_ == kJson) {
      items_.push_back(rendered.object.Json());
    } else {
      text_ += "---\n" + yaml::FromJson(rendered.object.Json());
    }
  }

  // JSON is one List, like the output of kubectl.
  std::string Text() const {
    if (format_ != kJson) return text_;
    return FormattedJson(R"({"apiVersion":"v1","kind":"List","items":[)" + Join(items_, ",") + "]}",
                         kJson);
  }

 private:
  std::string_view format_;
  std::string text_;
  std::vector<std::string> items_;
};

// Prints the errors of all documents. Returns whether there are any.
bool PrintErrors(const ProfileDocuments& read, std::ostream& err) {
  bool has_errors = false;
  for (const ProfileDocument& document : read.documents) {
    for (const Finding& error : document.errors) {
      err << error.text << "\n";
      has_errors = true;
    }
  }
  return has_errors;
}

// Renders a profile alone: the operator adds everything that depends on other profiles or on the
// scheduler's report.
Result<int> Render(const RenderFlags& flags, Program& program) {
  BERTH_TRY(const controllers::PlanOptions options, PlanOptionsOf(flags.documents.installation));
  const controllers::PluginCatalogue catalogue(scheduler::MakeRegistry());
  const controllers::Observed observed{.api_server_version = api::kReferenceKubernetes};
  const ProfileDocuments read = ReadProfiles(flags.documents, program.in);
  if (PrintErrors(read, program.err)) return kExitFailure;
  // Printed only if nothing failed, because `kubectl apply` may read it.
  Output output(flags.output);
  for (const ProfileDocument& document : read.documents) {
    const std::string source = document.place.ToString();
    const controllers::Plan plan =
        controllers::PlanObjects(*document.profile, observed, catalogue, options);
    if (plan.apply.empty()) return ConfigError(source + ": " + WhyNothing(plan.verdict));
    for (const controllers::RenderedObject& object : plan.apply) output.Add(object);
    for (const api::FieldWarning& warning : plan.warnings) {
      program.err << "warning: " << source << ": " << warning.ToString() << "\n";
    }
  }
  program.err << SkippedText(read);
  program.out << output.Text();
  return kExitSuccess;
}

}  // namespace

Command RenderCommand(Program& program) {
  auto flags = std::make_shared<RenderFlags>();
  CommandLine line{.name = "render", .help = kRenderHelp, .flags = FlagsOf(flags->documents)};
  line.flags.push_back({.name = "-o,--output",
                        .target = &flags->output,
                        .help =
                            "Output format; json: one List, like kubectl's; name: one line for\n"
                            "each object, such as deployment.apps/berth-bin-packing",
                        .type = "FORMAT",
                        .one_of = {std::string(kYaml), std::string(kJson), std::string(kName)}});
  line.footer = "Examples:\n  " + program.name + " render -f profile.yaml\n  " + program.name +
                " render -f profile.yaml -o name\n  kubectl get sprof bin-packing -o yaml | " +
                program.name + " render -f -";
  return {.line = std::move(line), .run = [flags, &program] { return Render(*flags, program); }};
}

}  // namespace berth::operator_
