// SPDX-License-Identifier: Apache-2.0
#include "controllers/kube_scheduler_release.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/scheduler_config.h"
#include "base/json/field_path.h"
#include "base/json/json.h"

namespace berth::controllers {
namespace {

using api::KubernetesVersion;

constexpr std::array<std::string_view, 8> kReleases = {
    "1.30.14", "1.31.13", "1.32.9", "1.33.13", "1.34.4", "1.35.4", "1.36.3", "1.37.2",
};

// Addition is a plugin or extension point added to configurations in kube-scheduler 1.MINOR since
// the oldest supported release. An addition behind a feature gate counts from the release that
// enables the gate by default, since a profile sets no gates.
struct Addition {
  std::string_view plugin;  // empty: every plugin at the point
  std::string_view point;   // empty: the plugin itself
  unsigned minor;
};

// Source: kube-scheduler pkg/scheduler/framework/plugins/registry.go and the interfaces that the
// plugins implement; k8s.io/kube-scheduler config/v1/types.go, Plugins.
constexpr Addition kAdditions[] = {
    {"", "placementGenerate", 36},
    {"", "placementScore", 36},
    {"", "podGroupPostFilter", 37},
    {"DeferredPodScheduling", "", 37},
    {"GangScheduling", "", 35},
    {"NodeDeclaredFeatures", "", 35},
    {"PodGroupPodsCount", "", 36},
    {"TopologyPlacementGenerator", "", 36},
    {"DefaultPreemption", "preEnqueue", 32},
    {"DynamicResources", "score", 35},
    {"NodeName", "preFilter", 37},
    {"NodeUnschedulable", "preFilter", 37},
    {"TaintToleration", "preFilter", 37},
};

// AddedArguments are the arguments that were added to plugins with existing arguments.
struct AddedArguments {
  json::Raw binding_timeout;
  static auto Fields() {
    return json::Object(json::Field("bindingTimeout", &AddedArguments::binding_timeout));
  }
};

// ArgumentAddition is an added field of a plugin's arguments, or the arguments as a whole. A
// kube-scheduler that knows no arguments of a plugin ignores them; one that knows others exits.
struct ArgumentAddition {
  std::string_view plugin;
  unsigned minor;
  std::string_view field;  // empty: the arguments as a whole
  json::Raw AddedArguments::*value = nullptr;
};

// Source: k8s.io/kube-scheduler config/v1/types_pluginargs.go; config/v1/types.go,
// PluginConfig.decodeNestedObjects; pkg/features/kube_features.go, DRADeviceBindingConditions.
constexpr ArgumentAddition kArgumentAdditions[] = {
    {"DynamicResources", 34, ""},
    {"DynamicResources", 36, "bindingTimeout", &AddedArguments::binding_timeout},
};

std::string ImageOf(std::string_view release) {
  return fmt::format("registry.k8s.io/kube-scheduler:v{}", release);
}

// Parses the tag of an image; nullopt if it is not a release of Kubernetes.
std::optional<KubernetesVersion> ReleaseOf(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const size_t name = image.rfind('/') == image.npos ? 0 : image.rfind('/');
  const size_t tag = image.find(':', name);
  if (tag == image.npos) return std::nullopt;
  const auto version = api::ParseKubernetesVersion(image.substr(tag + 1));
  const bool is_release = version && version->major == api::kOldestKubernetes.major;
  return is_release ? version : std::nullopt;
}

crds::Rejection NotIn(KubernetesVersion scheduler, const std::string& path, std::string_view what,
                      unsigned minor) {
  return crds::Reject("PluginNotServed", path, "",
                      fmt::format("kube-scheduler {} has no {}; the first that has it is 1.{}; "
                                  "remove it from the profile",
                                  scheduler.ToString(), what, minor));
}

void CheckPlugins(const api::Plugins& plugins, KubernetesVersion scheduler,
                  std::vector<crds::Rejection>& rejections) {
  for (const api::PluginPoint& point : api::kPluginPoints) {
    const api::PluginSet& set = plugins.*point.set;
    for (const Addition& addition : kAdditions) {
      if (addition.minor <= scheduler.minor) continue;
      if (!addition.point.empty() && addition.point != point.name) continue;
      const std::string path = fmt::format("spec.plugins.{}", point.name);
      if (addition.plugin.empty()) {
        if (set == api::PluginSet()) continue;
        rejections.push_back(NotIn(scheduler, path, "such extension point", addition.minor));
        break;
      }
      for (const api::Plugin& enabled : set.enabled) {
        if (enabled.name != addition.plugin) continue;
        const std::string what = addition.point.empty()
                                     ? fmt::format("plugin {}", enabled.name)
                                     : fmt::format("{} of {}", point.name, enabled.name);
        rejections.push_back(NotIn(scheduler,
                                   json::ListEntryPath(path + ".enabled", "name", enabled.name),
                                   what, addition.minor));
      }
    }
  }
}

void CheckArguments(const std::vector<api::PluginConfig>& configs, KubernetesVersion scheduler,
                    KubeSchedulerChoice& choice) {
  for (const api::PluginConfig& config : configs) {
    for (const ArgumentAddition& addition : kArgumentAdditions) {
      if (addition.minor <= scheduler.minor || addition.plugin != config.name) continue;
      const std::string path =
          json::ListEntryPath("spec.pluginConfig", "name", config.name) + ".args";
      if (addition.field.empty()) {
        choice.warnings.push_back(
            {path, fmt::format("the arguments have no effect: kube-scheduler {} has none of this "
                               "plugin; the first that has them is 1.{}",
                               scheduler.ToString(), addition.minor)});
        break;
      }
      const auto arguments = json::Decode<AddedArguments>(config.args.text);
      if (arguments && !((*arguments).*addition.value).text.empty()) {
        choice.rejections.push_back(NotIn(scheduler, fmt::format("{}.{}", path, addition.field),
                                          "such argument", addition.minor));
      }
    }
  }
}

// Returns the rejection of a profile when an API server has no default image.
crds::Rejection NoDefault(std::optional<KubernetesVersion> server) {
  constexpr std::string_view kFix =
      "set spec.engine.image, or --kube-scheduler-image of the operator, to a kube-scheduler that "
      "is not newer than the API server and at most one minor older";
  const std::string why =
      server ? fmt::format(
                   "there is no default kube-scheduler for an API server {}, only for {} to "
                   "{}",
                   server->ToString(), api::kOldestKubernetes.ToString(),
                   api::kNewestKubernetes.ToString())
             : "the API server's version is not known";
  return crds::Reject("NoKubeSchedulerImage", "spec.engine.image", "",
                      fmt::format("{}; {}", why, kFix));
}

}  // namespace

std::vector<std::string_view> KubeSchedulerReleases() {
  return {kReleases.begin(), kReleases.end()};
}

std::vector<std::string> KubeSchedulerImages() {
  std::vector<std::string> images;
  for (const std::string_view release : kReleases) images.push_back(ImageOf(release));
  return images;
}

std::optional<std::string> KubeSchedulerImageFor(KubernetesVersion server) {
  for (const std::string_view release : kReleases) {
    if (api::ParseKubernetesVersion(release) == server) return ImageOf(release);
  }
  return std::nullopt;
}

KubeSchedulerChoice ChooseKubeScheduler(const crds::SchedulerProfileSpec& spec,
                                        const std::string& flag_image,
                                        std::optional<KubernetesVersion> server) {
  if (!spec.engine.IsKubeScheduler()) return {};
  KubeSchedulerChoice choice{.image = flag_image};
  const std::string& own = spec.engine.image;
  if (choice.image.empty() && server) choice.image = KubeSchedulerImageFor(*server).value_or("");
  const std::string& image = own.empty() ? choice.image : own;
  if (image.empty()) {
    choice.rejections.push_back(NoDefault(server));
    return choice;
  }
  const std::optional<KubernetesVersion> release = ReleaseOf(image);
  if (release && server && *release > *server) {
    choice.warnings.push_back(
        {own.empty() ? "--kube-scheduler-image" : "spec.engine.image",
         fmt::format(
             "kube-scheduler {} of {} is newer than the API server, {}; Kubernetes supports "
             "the same minor and the one before",
             release->ToString(), image, server->ToString())});
  }
  // If its tag is not a release, the image may be one minor older than the API server.
  constexpr KubernetesVersion kFirstWithReadyz{1, 31};
  constexpr KubernetesVersion kAllWithReadyz{1, 32};
  if (release ? *release < kFirstWithReadyz : server && *server < kAllWithReadyz) {
    choice.health_paths = {.live = "/healthz", .ready = "/healthz"};
  }
  // Plugins of an image that the profile names are not verified.
  if (own.empty() && release) {
    CheckPlugins(spec.plugins, *release, choice.rejections);
    CheckArguments(spec.plugin_config, *release, choice);
  }
  return choice;
}

}  // namespace berth::controllers
