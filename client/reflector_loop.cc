// SPDX-License-Identifier: Apache-2.0
#include "client/reflector_loop.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json/json.h"
#include "base/log.h"
#include "base/random.h"

namespace berth::client {
namespace {

constexpr int kMinWatchSeconds = 300;  // the server ends a watch after this to twice this time
constexpr std::chrono::seconds kTooShort{1};

ReflectorOptions WithRandom(ReflectorOptions options) {
  if (!options.random) options.random = UniformRandom();
  return options;
}

bool IsTooOld(const Error& error) {
  return error.Is(Reason::kExpired) || error.Is(Reason::kGone) || error.http_code() == 410;
}

// Reports whether the server waited in vain for a version newer than its own: a version of another
// server, or from before a restore.
bool IsTooNew(const Error& error) {
  return error.message().find("Too large resource version") != std::string::npos;
}

// Reports whether the server does not support initial events or these parameters.
bool IsRejection(const Error& error) {
  return error.http_code() == 400 || error.http_code() == 422;
}

// Returns the version of the bookmark behind the initial events; "" for any other bookmark.
std::string VersionOfEnd(const std::string& bookmark) {
  auto header = json::Decode<api::ObjectHeader>(bookmark);
  if (!header) return "";
  const auto mark = header->metadata.annotations.find(std::string(kInitialEventsEnd));
  const bool is_end = mark != header->metadata.annotations.end() && mark->second == "true";
  return is_end ? std::move(header->metadata.resource_version) : "";
}

bool IsNotServed(const Error& error) { return error.http_code() == 404; }

std::vector<api::ResourceInfo> VersionsOf(const api::ResourceInfo& resource,
                                          std::span<const std::string_view> old_versions) {
  std::vector<api::ResourceInfo> versions{resource};
  for (const std::string_view version : old_versions) {
    versions.push_back(resource);
    versions.back().version = version;
  }
  return versions;
}

// Reports whether this loop logs the error. The client logs an unreachable API server once for all
// resources. A busy or starting server is retried, and a version that is too old only needs a new
// list.
bool IsOurNews(const std::optional<Error>& error) {
  if (!error || IsTooOld(*error)) return false;
  return !error->Is(Reason::kUnavailable) && !error->Is(Reason::kTimeout) &&
         !error->Is(Reason::kTooManyRequests);
}

}  // namespace

ReflectorLoop::ReflectorLoop(Client& client, const api::ResourceInfo& resource,
                             ReflectorOptions options, const Clock& clock, ObjectSink& sink)
    : client_(client),
      versions_(VersionsOf(resource, options.old_versions)),
      options_(WithRandom(std::move(options))),
      clock_(clock),
      sink_(sink) {
  status_.resource = resource.plural;
}

ReflectorLoop::~ReflectorLoop() { Stop(); }

void ReflectorLoop::Start() {
  thread_ = std::jthread([this](std::stop_token stop) { Run(std::move(stop)); });
}

void ReflectorLoop::Stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

ReflectorStatus ReflectorLoop::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

void ReflectorLoop::ListAgain() {
  std::stop_source under_way{std::nostopstate};
  {
    std::lock_guard lock(mutex_);
    ++lists_asked_;
    under_way = end_step_;
  }
  under_way.request_stop();
}

bool ReflectorLoop::HasListedAgain() const {
  std::lock_guard lock(mutex_);
  return status_.lists_answered == lists_asked_;
}

void ReflectorLoop::Run(std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  while (!stop.stop_requested()) {
    const Result<void> step = Step(stop);
    turn_.reset();
    if (step || stop.stop_requested() || WasAskedToList()) continue;
    const bool is_absent = IsNotServed(step.error());
    if (is_absent && TryNextVersion()) continue;
    const Milliseconds wait = is_absent && options_.may_be_absent ? RecordAbsent(step.error())
                                                                  : RecordFailure(step.error());
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, wait, [] { return false; });
  }
}

// Runs one list or watch until it is done, the loop is stopped, or ListAgain is called.
Result<void> ReflectorLoop::Step(const std::stop_token& stop) {
  std::stop_source end;
  const std::stop_callback stopped(stop, [&end] { end.request_stop(); });
  BeginStep(end);
  if (!relist_) return Watch(end.get_token());
  if (delivered_first_) turn_.emplace(client_.list_turns(), end.get_token());
  return streams_lists_ ? Watch(end.get_token()) : ListPages(end.get_token());
}

void ReflectorLoop::BeginStep(std::stop_source end) {
  std::lock_guard lock(mutex_);
  end_step_ = std::move(end);
  answers_ = lists_asked_;
  relist_ = relist_ || status_.lists_answered != answers_;
}

// Reports whether a list was requested since the step began; the request may have ended the step.
bool ReflectorLoop::WasAskedToList() const {
  std::lock_guard lock(mutex_);
  return lists_asked_ != answers_;
}

std::string ReflectorLoop::FieldSelector() const {
  if (options_.name.empty()) return options_.field_selector;
  const std::string by_name = "metadata.name=" + options_.name;
  return options_.field_selector.empty() ? by_name : by_name + "," + options_.field_selector;
}

Result<void> ReflectorLoop::ListPages(std::stop_token stop) {
  ListOptions list{.label_selector = options_.label_selector, .field_selector = FieldSelector()};
  if (!needs_newest_ && !version_.empty()) {
    list.resource_version = version_;
    list.match = VersionMatch::kNotOlderThan;
  }
  sink_.ListBegins();
  auto version =
      client_.ListEach(resource(), options_.ns, list,
                       [this](const std::string& object) { TakeListed(EventType::kAdded, object); },
                       {.stop = std::move(stop)});
  if (!version) {
    ChooseNext(version.error());
    return Fail(std::move(version).error());
  }
  RecordListed(std::move(*version));
  return {};
}

void ReflectorLoop::TakeListed(EventType type, const std::string& object) {
  needs_newest_ = true;  // until the list ends
  RecordServed();
  sink_.Change(type, object);
}

void ReflectorLoop::RecordListed(std::string version) {
  RecordContact();
  RecordServed();
  EndList(std::move(version));
}

void ReflectorLoop::EndList(std::string version) {
  version_ = std::move(version);
  relist_ = false;
  needs_newest_ = false;
  {
    std::lock_guard lock(mutex_);
    status_.lists_answered = answers_;
  }
  sink_.ListEnds();
  turn_.reset();
  if (std::exchange(delivered_first_, true)) return;
  sink_.Synced();
  std::lock_guard lock(mutex_);
  status_.synced = true;
}

Result<void> ReflectorLoop::Watch(std::stop_token stop) {
  const SteadyTime begun = clock_.Now();
  const int seconds = kMinWatchSeconds + static_cast<int>(Random() * kMinWatchSeconds);
  auto stream = client_.Watch(resource(), options_.ns,
                              {.label_selector = options_.label_selector,
                               .field_selector = FieldSelector(),
                               .resource_version = relist_ && needs_newest_ ? "" : version_,
                               .send_initial_events = relist_,
                               .timeout_seconds = seconds},
                              std::move(stop));
  if (!stream && relist_ && IsRejection(stream.error())) {
    streams_lists_ = false;
    return {};
  }
  auto ended = stream ? Follow(**stream) : Result<void>(Fail(std::move(stream).error()));
  if (!ended) {
    ChooseNext(ended.error());
    return ended;
  }
  if (clock_.Now() - begun < kTooShort) {
    return Fail(Reason::kUnavailable, "the watch ended right after it began");
  }
  return {};
}

Result<void> ReflectorLoop::Follow(WatchStream& stream) {
  if (relist_) BERTH_TRY_VOID(TakeInitialEvents(stream));
  return TakeChanges(stream);
}

Result<void> ReflectorLoop::TakeInitialEvents(WatchStream& stream) {
  sink_.ListBegins();
  while (true) {
    BERTH_TRY(const std::optional<WatchEvent> event, stream.Next());
    if (event && event->type) {
      TakeListed(*event->type, event->object);
      continue;
    }
    std::string version = event ? VersionOfEnd(event->object) : "";
    if (version.empty())
      return Fail(Reason::kInternalError,
                  "the bookmark at the end of the initial events is missing");
    RecordListed(std::move(version));
    return {};
  }
}

Result<void> ReflectorLoop::TakeChanges(WatchStream& stream) {
  while (true) {
    BERTH_TRY(const std::optional<WatchEvent> event, stream.Next());
    RecordContact();
    if (!event) return {};
    std::string version = event->type ? sink_.Change(*event->type, event->object) : "";
    if (version.empty()) {
      if (auto header = json::Decode<api::ObjectHeader>(event->object)) {
        version = std::move(header->metadata.resource_version);
      }
    }
    if (!version.empty()) version_ = std::move(version);
  }
}

void ReflectorLoop::ChooseNext(const Error& error) {
  const bool too_old = IsTooOld(error);
  const bool too_new = IsTooNew(error);
  const bool unreadable = IsUnreadable(error);
  if (relist_) {
    const bool silent = error.Is(Reason::kTimeout) && error.http_code() == 0;
    if (unreadable || silent) streams_lists_ = false;
    needs_newest_ = needs_newest_ || too_old;
  }
  needs_newest_ = needs_newest_ || too_new;
  relist_ = relist_ || too_old || too_new || unreadable;
}

bool ReflectorLoop::TryNextVersion() {
  const bool is_last = ++unserved_versions_ == versions_.size();
  if (is_last) unserved_versions_ = 0;
  version_in_use_ = is_last ? 0 : (version_in_use_ + 1) % versions_.size();
  relist_ = relist_ || !is_last;
  return !is_last;
}

ReflectorLoop::Milliseconds ReflectorLoop::RecordAbsent(const Error& error) {
  RecordContact();
  if (!status().absent || !HasListedAgain()) {
    SetAbsent(true);
    sink_.ListBegins();
    EndList("");
  }
  relist_ = true;
  return NextBackoff(error);
}

void ReflectorLoop::RecordServed() {
  SetAbsent(false);
  if (versions_.size() == 1 || version_named_ == version_in_use_) return;
  version_named_ = version_in_use_;
  log::Info("Reading the resource in this version",
            {{"resource", resource().plural}, {"version", resource().ApiVersion()}});
}

void ReflectorLoop::SetAbsent(bool absent) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(status_.absent, absent) == absent) return;
  }
  log::Info(absent ? "The API server does not serve the resource, treating it as empty"
                   : "The API server serves the resource now",
            {{"resource", resource().plural}, {"group", resource().group}});
}

void ReflectorLoop::RecordContact() {
  failures_ = 0;
  unready_answers_ = 0;
  unserved_versions_ = 0;
  forbidden_since_.reset();
  bool recovered = false;
  {
    std::lock_guard lock(mutex_);
    recovered = status_.failing && IsOurNews(status_.last_error);
    status_.last_contact = clock_.Now();
    status_.last_error.reset();
    status_.failing = false;
  }
  if (recovered) log::Info("Read the resource again", {{"resource", resource().plural}});
}

ReflectorLoop::Milliseconds ReflectorLoop::RecordFailure(const Error& error) {
  ++failures_;
  const bool granting = WithinForbiddenGrace(error);
  const bool in_grace = granting || WithinStartGrace(error);
  const bool failing = !in_grace && (failures_ > 1 || error.Is(Reason::kForbidden));
  bool begins = false;
  {
    std::lock_guard lock(mutex_);
    const bool was_said = status_.failing && IsOurNews(status_.last_error);
    if (!in_grace) status_.last_error = error;
    begins = failing && !was_said && IsOurNews(error);
    if (failing) status_.failing = true;
  }
  if (begins) {
    log::Warn("Could not read the resource, retrying",
              {{"resource", resource().plural}, {"namespace", options_.ns}, {"err", error}});
  }
  return granting ? options_.forbidden_retry : NextBackoff(error);
}

// Permissions may be granted shortly after the process starts, and a server that has just started
// may not have loaded them yet.
bool ReflectorLoop::WithinForbiddenGrace(const Error& error) {
  if (!error.Is(Reason::kForbidden)) return false;
  if (!forbidden_since_) forbidden_since_ = clock_.Now();
  return clock_.Now() - *forbidden_since_ < options_.forbidden_grace;
}

// A server that has just started answers before it serves everything. Log only if this persists.
bool ReflectorLoop::WithinStartGrace(const Error& error) {
  constexpr int kPatience = 5;  // answers in a row
  unready_answers_ = error.Is(Reason::kServiceUnavailable) ? unready_answers_ + 1 : 0;
  return unready_answers_ > 0 && unready_answers_ < kPatience;
}

ReflectorLoop::Milliseconds ReflectorLoop::NextBackoff(const Error& error) {
  const SteadyTime now = clock_.Now();
  const bool begin_anew =
      backoff_ == Milliseconds::zero() || now - last_failure_ > options_.healthy_after;
  backoff_ = begin_anew ? options_.first_backoff : std::min(backoff_ * 2, options_.max_backoff);
  last_failure_ = now;
  const auto jittered = std::chrono::duration_cast<Milliseconds>(backoff_ * (1 + Random()));
  const auto wait = IsNotServed(error) ? std::min(jittered, options_.max_absent_backoff) : jittered;
  return std::max(wait, error.retry_after().value_or(Milliseconds::zero()));
}

double ReflectorLoop::Random() { return options_.random(); }

}  // namespace berth::client
