// SPDX-License-Identifier: Apache-2.0
#include "convert/workload.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "api/apps.h"
#include "base/bool_text.h"
#include "base/strings.h"
#include "convert/unknown_fields.h"

namespace berth::convert {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"Deployment", "StatefulSet", "DaemonSet",
                                                    "Pod"};

// Flags that only a scheduler has.
constexpr std::array<std::string_view, 4> kSchedulerFlags = {
    "policy-config-file", "policy-configmap", "scheduler-name", "algorithm-provider"};

// Boolean flags that need no value, so the next word is not their value.
constexpr std::array<std::string_view, 14> kSwitches = {"add-dir-header",
                                                        "alsologtostderr",
                                                        "authentication-skip-lookup",
                                                        "authentication-tolerate-lookup-failure",
                                                        "contention-profiling",
                                                        "leader-elect",
                                                        "logtostderr",
                                                        "one-output",
                                                        "permit-address-sharing",
                                                        "permit-port-sharing",
                                                        "profiling",
                                                        "skip-headers",
                                                        "skip-log-headers",
                                                        "use-legacy-policy-config"};

// Returns "true" or "false" for the value of a boolean flag, and other texts unchanged. Source:
// github.com/spf13/pflag bool.go.
std::string SwitchValue(std::string_view text) {
  const std::optional<bool> parsed = ParseBool(text);
  if (!parsed) return std::string(text);
  return *parsed ? "true" : "false";
}

bool IsSwitch(std::string_view flag) {
  return std::ranges::find(kSwitches, flag) != kSwitches.end();
}

// Workloads with a pod template; they are read alike.
struct Templated {
  api::ObjectMeta metadata;
  api::DeploymentSpec spec;
  static auto Fields() {
    return json::Object(json::Field("metadata", &Templated::metadata),
                        json::Field("spec", &Templated::spec));
  }
};

struct SecondarySpec {
  std::string scheduler_config;
  std::string scheduler_image;
  std::string log_level;
  static auto Fields() {
    return json::Object(json::Field("schedulerConfig", &SecondarySpec::scheduler_config),
                        json::Field("schedulerImage", &SecondarySpec::scheduler_image),
                        json::Field("logLevel", &SecondarySpec::log_level));
  }
};

struct Secondary {
  api::ObjectMeta metadata;
  SecondarySpec spec;
  static auto Fields() {
    return json::Object(json::Field("metadata", &Secondary::metadata),
                        json::Field("spec", &Secondary::spec));
  }
};

// Splits a line of a shell: quotes keep white space, a backslash keeps or joins.
std::vector<std::string> ShellWords(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      if (line[++i] != '\n') word += line[i];
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return words;
}

// Returns the words of a container's command line. Splits the single argument of a shell.
std::vector<std::string> WordsOf(const api::Container& container) {
  std::vector<std::string> words;
  for (const auto* list : {&container.command, &container.args}) {
    for (const std::string& word : *list) {
      if (word.find(" -") == word.npos && word.find('\n') == word.npos) {
        words.push_back(word);
      } else {
        std::ranges::move(ShellWords(word), std::back_inserter(words));
      }
    }
  }
  return words;
}

void ReadCommand(const api::Container& container, Workload& workload) {
  workload.program.clear();
  workload.flags.clear();
  const std::vector<std::string> words = WordsOf(container);
  for (size_t i = 0; i < words.size(); ++i) {
    std::string_view word = words[i];
    if (word == "-c" || word == "exec" || word.ends_with("/sh") || word == "sh") continue;
    if (!word.starts_with('-')) {
      if (workload.flags.empty()) workload.program.push_back(words[i]);
      continue;
    }
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    const size_t equals = word.find('=');
    std::string name(word.substr(0, std::min(equals, word.size())));
    std::ranges::replace(name, '_', '-');
    std::string value(equals == word.npos ? "" : word.substr(equals + 1));
    if (IsSwitch(name)) {
      value = equals == word.npos ? "true" : SwitchValue(value);
    } else if (equals == word.npos && i + 1 < words.size() && !words[i + 1].starts_with('-')) {
      value = words[++i];
    }
    workload.flags[name] = std::move(value);
  }
}

bool IsScheduler(const api::Container& container, const Workload& workload) {
  const auto names_one = [](std::string_view text) {
    return text.find("scheduler") != std::string_view::npos;
  };
  if (std::ranges::any_of(kSchedulerFlags, [&](std::string_view flag) {
        return workload.flags.contains(std::string(flag));
      })) {
    return true;
  }
  if (std::ranges::any_of(workload.program,
                          [](std::string_view word) { return word.ends_with("kube-scheduler"); })) {
    return true;
  }
  return workload.flags.contains("config") &&
         (names_one(container.name) || names_one(container.image) ||
          std::ranges::any_of(workload.program, names_one));
}

bool FindScheduler(Workload& workload) {
  const std::vector<api::Container>& containers = workload.pod.spec.containers;
  for (size_t i = 0; i < containers.size(); ++i) {
    ReadCommand(containers[i], workload);
    workload.container = i;
    workload.is_scheduler = IsScheduler(containers[i], workload);
    if (workload.is_scheduler) return true;
  }
  for (size_t i = 0; i < containers.size(); ++i) {
    ReadCommand(containers[i], workload);
    workload.container = i;
    if (workload.flags.contains("config")) return true;
  }
  return false;
}

// Returns the rest of `path` below `folder`, which has no slash at its end, or nullopt if it is
// elsewhere.
std::optional<std::string> Below(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder) || path.size() <= folder.size() || path[folder.size()] != '/') {
    return std::nullopt;
  }
  return std::string(path.substr(folder.size() + 1));
}

// Mounted is a file of a volume.
struct Mounted {
  std::string volume;
  std::string file;
};

// Returns the file at a path of the container. A mount hides the files of a volume mounted above
// it, so the longest mount path decides.
std::optional<Mounted> FindMount(const api::Container& container, std::string_view path) {
  std::optional<Mounted> found;
  size_t longest = 0;
  for (const api::VolumeMount& mount : container.volume_mounts) {
    std::string_view folder = mount.mount_path;
    while (folder.ends_with('/')) folder.remove_suffix(1);
    const bool is_file = !mount.sub_path.empty() && path == mount.mount_path;
    const auto file = is_file ? mount.sub_path : Below(path, folder);
    if (!file || (found && folder.size() <= longest)) continue;
    found = {mount.name, *file};
    longest = folder.size();
  }
  return found;
}

}  // namespace

std::optional<std::string> Workload::Flag(const std::string& name) const {
  const auto found = flags.find(name);
  if (found == flags.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

Result<void> Workload::CheckSwitches() const {
  for (const auto& [name, value] : flags) {
    if (!IsSwitch(name) || value == "true" || value == "false") continue;
    return ConfigError("--" + name + ": expected true or false, found " + json::Quoted(value));
  }
  return {};
}

std::vector<ConfigKey> Workload::SourcesOf(std::string_view path) const {
  if (const auto file = files.find(path); file != files.end()) return {file->second};
  std::vector<ConfigKey> keys;
  const auto add = [&](const auto& config_map, const std::string& file) {
    std::string key = file;
    for (const api::KeyToPath& item : config_map.items) {
      if (item.path == file) key = item.key;
    }
    keys.push_back({{metadata.namespace_, config_map.name}, std::move(key)});
  };
  const std::optional<Mounted> mounted = FindMount(scheduler(), path);
  if (!mounted) return {};
  const auto volume = std::ranges::find(pod.spec.volumes, mounted->volume, &api::Volume::name);
  if (volume == pod.spec.volumes.end()) return {};
  if (volume->config_map) add(*volume->config_map, mounted->file);
  if (!volume->projected) return keys;
  for (const api::VolumeProjection& projection : volume->projected->sources) {
    if (projection.config_map) add(*projection.config_map, mounted->file);
  }
  return keys;
}

bool IsWorkloadKind(std::string_view kind) {
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

Result<std::optional<Workload>> ReadWorkload(const std::string& kind, const std::string& document) {
  Workload workload;
  if (kind == "Pod") {
    BERTH_TRY(api::Pod pod, json::Decode<api::Pod>(document));
    workload.metadata = pod.metadata;
    workload.pod = {pod.metadata, std::move(pod.spec)};
  } else {
    BERTH_TRY(Templated object, json::Decode<Templated>(document));
    workload.metadata = std::move(object.metadata);
    workload.replicas = object.spec.replicas;
    workload.pod = std::move(object.spec.template_);
  }
  workload.title = kind + " " + api::KeyOf(workload.metadata);
  if (!FindScheduler(workload)) return std::nullopt;
  return workload;
}

Result<Workload> ReadSecondaryScheduler(const std::string& document, const Reporter& reporter) {
  BERTH_TRY(Secondary object, json::Decode<Secondary>(document));
  const SecondarySpec& spec = object.spec;
  Workload workload;
  workload.title = std::string(kSecondaryScheduler) + " " + api::KeyOf(object.metadata);
  for (const std::string& field : UnknownFields(document, json::TypeOf<Secondary>())) {
    if (!field.starts_with("spec.")) continue;
    reporter.In(workload.title + ": ").Dropped(field, "it configures the old operator");
  }
  workload.metadata = std::move(object.metadata);
  workload.is_scheduler = true;
  workload.pod.spec.containers.push_back({.name = "scheduler", .image = spec.scheduler_image});
  const std::string path = "/etc/kubernetes/config.yaml";
  workload.flags["config"] = path;
  workload.files[path] = {{workload.metadata.namespace_, spec.scheduler_config}, "config.yaml"};
  static constexpr std::pair<std::string_view, std::string_view> kLevels[] = {
      {"Normal", "2"}, {"Debug", "4"}, {"Trace", "6"}, {"TraceAll", "8"}};
  for (const auto& [level, verbosity] : kLevels) {
    if (spec.log_level == level) workload.flags["v"] = verbosity;
  }
  return workload;
}

}  // namespace berth::convert
