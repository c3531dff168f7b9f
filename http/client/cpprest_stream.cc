// SPDX-License-Identifier: Apache-2.0
#include "http/client/cpprest_stream.h"

#include "http/client/cpprest_messages.h"
#include "http/client/sink_streambuf.h"

namespace berth::http {

Result<void> CpprestStream::Start(const Request& request) {
  BERTH_TRY(auto message, ToLibrary(request, core_->options().tls.server_name));
  message.set_response_stream(BodyStream([queue = shared_->queue](std::string_view bytes) {
    pplx::task_completion_event<size_t> taken;
    const size_t size = bytes.size();
    if (queue->Append(bytes, [taken, size] { taken.set(size); })) {
      return pplx::task_from_result(size);
    }
    return pplx::create_task(taken);
  }));
  const auto fail = [core = core_, shared = shared_, request] {
    const Error error = core->ToError(shared->give_up, std::current_exception(), request);
    shared->SetHead(Fail(error));
    shared->queue->End(Fail(error));
  };
  core_->Enter();
  try {
    core_->streams()
        .request(message, shared_->give_up.token())
        .then([shared = shared_](web::http::http_response answer) {
          shared->SetHead(
              Response{.code = answer.status_code(), .headers = FromLibrary(answer.headers())});
          return answer.content_ready();
        })
        .then([core = core_, shared = shared_, fail](pplx::task<web::http::http_response> task) {
          try {
            task.get();
            shared->queue->End({});
          } catch (...) {
            fail();
          }
          core->Leave();
        });
  } catch (...) {
    fail();
    core_->Leave();
  }

  const Timer::Id deadline = core_->timer().After(
      request.timeout, [shared = shared_] { shared->give_up.Now(Cause::kDeadline); });
  auto head = shared_->WaitForHead();
  core_->timer().Cancel(deadline);
  if (!head) return Fail(std::move(head).error());
  head_ = std::move(*head);
  return {};
}

}  // namespace berth::http
