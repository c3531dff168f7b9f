// SPDX-License-Identifier: Apache-2.0
#pragma once

// The templates of descriptor.h; include that header. Code that does not depend on the plugin's
// type is in descriptor.cc.

namespace berth::scheduler {
namespace internal {

bool IsAbsent(const json::Raw& args);
Result<void> DecodeArgs(const json::Raw& raw, std::string_view plugin, const json::Type& type,
                        void* value);
std::vector<api::FieldError> DecodeError(const json::Raw& raw, const Error& error);
Result<void> RejectArgs(const json::Raw& raw, std::string_view plugin);
Failure InvalidArgs(std::span<const api::FieldError> errors);

template <class T>
concept HasArgs = requires {
  typename T::Args;
};

template <class T>
concept ReadsByArgs = HasArgs<T> && requires(const typename T::Args& args) {
  { T::Reads(args) } -> std::same_as<ObjectKindSet>;
};

template <class Args>
concept Warns = requires(const Args& args) {
  { args.Warnings() } -> std::same_as<std::vector<api::FieldWarning>>;
};

template <class T>
PointSet PointsOf() {
  PointSet points;
  const auto add = [&points]<class Base>(ExtensionPoint point, const Base*) {
    if constexpr (std::is_base_of_v<Base, T>) points.Add(point);
  };
  add(ExtensionPoint::kPreFilter, static_cast<const PreFilterPlugin*>(nullptr));
  add(ExtensionPoint::kFilter, static_cast<const FilterPlugin*>(nullptr));
  add(ExtensionPoint::kPostFilter, static_cast<const PostFilterPlugin*>(nullptr));
  add(ExtensionPoint::kReserve, static_cast<const ReservePlugin*>(nullptr));
  add(ExtensionPoint::kPreScore, static_cast<const PreScorePlugin*>(nullptr));
  add(ExtensionPoint::kScore, static_cast<const ScorePlugin*>(nullptr));
  add(ExtensionPoint::kPreBind, static_cast<const PreBindPlugin*>(nullptr));
  add(ExtensionPoint::kBind, static_cast<const BindPlugin*>(nullptr));
  add(ExtensionPoint::kPostBind, static_cast<const PostBindPlugin*>(nullptr));
  add(ExtensionPoint::kPermit, static_cast<const PermitPlugin*>(nullptr));
  add(ExtensionPoint::kPermit, static_cast<const GangPlugin*>(nullptr));
  add(ExtensionPoint::kPreEnqueue, static_cast<const PreEnqueuePlugin*>(nullptr));
  add(ExtensionPoint::kQueueSort, static_cast<const QueueSortPlugin*>(nullptr));
  return points;
}

// Call the constructor that the plugin has, with or without a PluginHandle.
template <class T>
std::unique_ptr<Plugin> MakeWithArgs(typename T::Args args, const PluginHandle& handle) {
  if constexpr (std::is_constructible_v<T, typename T::Args, const PluginHandle&>) {
    return std::make_unique<T>(std::move(args), handle);
  } else {
    return std::make_unique<T>(std::move(args));
  }
}

template <class T>
std::unique_ptr<Plugin> MakeWithoutArgs(const PluginHandle& handle) {
  if constexpr (std::is_constructible_v<T, const PluginHandle&>) {
    return std::make_unique<T>(handle);
  } else {
    return std::make_unique<T>();
  }
}

}  // namespace internal

template <class Args>
Result<Args> ArgsOf(const json::Raw& raw, std::string_view plugin) {
  Result<Args> args{};
  if (auto decoded = internal::DecodeArgs(raw, plugin, json::TypeOf<Args>(), &*args); !decoded) {
    return Fail(std::move(decoded).error());
  }
  return args;
}

template <class T>
PluginDescriptor Describe(PluginDescriptor descriptor) {
  static_assert(std::is_base_of_v<Plugin, T>);
  const std::string_view name = descriptor.name;
  descriptor.points = internal::PointsOf<T>();
  if constexpr (internal::HasArgs<T>) {
    using Args = typename T::Args;
    descriptor.args = &json::TypeOf<Args>();
    descriptor.check = [name](const json::Raw& raw) -> std::vector<api::FieldError> {
      const auto args = ArgsOf<Args>(raw, name);
      return args ? args->Validate() : internal::DecodeError(raw, args.error());
    };
    descriptor.create = [name](const json::Raw& raw,
                               const PluginHandle& handle) -> Result<std::unique_ptr<Plugin>> {
      BERTH_TRY(auto args, ArgsOf<Args>(raw, name));
      if (const auto errors = args.Validate(); !errors.empty()) {
        return internal::InvalidArgs(errors);
      }
      return internal::MakeWithArgs<T>(std::move(args), handle);
    };
    if constexpr (internal::Warns<Args>) {
      descriptor.warn = [name](const json::Raw& raw) {
        const auto args = ArgsOf<Args>(raw, name);
        return args ? args->Warnings() : std::vector<api::FieldWarning>();
      };
    }
    if constexpr (internal::ReadsByArgs<T>) {
      descriptor.reads_with = [name, all = descriptor.reads](const json::Raw& raw) {
        const auto args = ArgsOf<Args>(raw, name);
        return args ? T::Reads(*args) & all : all;
      };
    }
  } else {
    descriptor.check = [name](const json::Raw& raw) -> std::vector<api::FieldError> {
      const auto rejected = internal::RejectArgs(raw, name);
      if (rejected) return {};
      return internal::DecodeError(raw, rejected.error());
    };
    descriptor.create = [name](const json::Raw& raw,
                               const PluginHandle& handle) -> Result<std::unique_ptr<Plugin>> {
      BERTH_TRY_VOID(internal::RejectArgs(raw, name));
      return internal::MakeWithoutArgs<T>(handle);
    };
  }
  return descriptor;
}

}  // namespace berth::scheduler
