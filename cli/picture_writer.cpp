#include "cli/picture_writer.h"

#include <chrono>
#include <memory>
#include <system_error>
#include <thread>

#include "cli/print.h"
#include "engine/api_content.h"
#include "engine/base/text.h"

namespace kiln::cli {

void PictureWriter::take_up(const Job& job, int number, const RenderStatistics& statistics,
                            Clock::time_point begun) {
  finish();
  job_ = &job;
  number_ = number;
  statistics_ = statistics;
  begun_ = begun;
}

void PictureWriter::note_written(const Job& job, int number, const Written& written,
                                 const RenderStatistics& statistics, Clock::time_point begun) {
  take_up(job, number, statistics, begun);
  report(written);
}

void PictureWriter::start(const Job& job, int number, bool is_last, Picture picture,
                          Clock::time_point begun) {
  take_up(job, number, picture.statistics, begun);
  const auto policy = args_.options.threads == 1 ? std::launch::deferred : std::launch::async;
  // nothing renders on the cores beside the last picture, or ever if a GPU does it
  const bool cores_are_free = is_last || statistics_.device.rfind("cuda", 0) == 0;
  const auto kept = std::make_shared<Picture>(std::move(picture));
  const auto task = [this, &job, kept, cores_are_free] {
    return write(job, *kept, cores_are_free);
  };
  try {
    writing_ = std::async(policy, task);
  } catch (const std::system_error&) {  // no thread is to be had: in this one
    writing_ = std::async(std::launch::deferred, task);
    finish();
  }
  if (policy == std::launch::deferred) finish();
}

void PictureWriter::poll() {
  if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    finish();
}

void PictureWriter::finish() {
  if (!writing_.valid()) return;
  try {
    report(writing_.get());
  } catch (const Error& error) {
    note_failure(*job_, error.kind, error.what());
  } catch (const std::bad_alloc&) {
    note_failure(*job_, ErrorKind::device, out_of_memory(*job_));
  }
}

void PictureWriter::note_failure(const Job& job, ErrorKind kind, const std::string& message) {
  // many pictures may lack the same folder: one line, and the closing line counts them
  const std::string name = printable_whole(job.path);
  const std::string reason = message.starts_with(name) ? message.substr(name.size()) : message;
  const bool known = kind == ErrorKind::output && !reasons_said_.insert(reason).second;
  talk_.error(kind, message, known);
  outcome_.failures.push_back({job.path, kind, message});
}

void PictureWriter::note_unsaved(const Job& job, const std::exception_ptr& why) {
  std::string message;
  try {
    std::rethrow_exception(why);
  } catch (const std::exception& error) {
    message = fmt::format("{} (the picture is made, its state is not kept)", error.what());
  }
  talk_.error(ErrorKind::output, message);
  outcome_.failures.push_back({job.state, ErrorKind::output, message});
  ++outcome_.unsaved;
}

std::string PictureWriter::out_of_memory(const Job& job) {
  const bool has_many =
      job.making.options.threads > 2 * static_cast<int>(std::thread::hardware_concurrency());
  return fmt::format(
      "{}: out of memory for {} x {} pixels with supersample {}; {}a smaller --scale or "
      "--supersample needs less",
      printable_whole(job.path), job.flame.width, job.flame.height, job.flame.supersample,
      has_many ? "fewer --threads, " : "");
}

Written PictureWriter::write(const Job& job, Picture& picture, bool cores_are_free) const {
  const auto start = Clock::now();
  describe(job.flame, job.making.options, picture);
  write_picture(picture, job.path,
                args_.saving(cores_are_free ? args_.options.threads : 1, job.making.precision));
  const Image& image = picture.image;
  return {picture.hash, image.width, image.height, image.bits(), seconds_since(start)};
}

void PictureWriter::report(const Written& written) {
  talk_.finished_picture(job_->path, number_);
  if (!statistics_.warning.empty())
    talk_.warning(fmt::format("{}: {}", job_->input, statistics_.warning));
  if (!job_->making.made_before.empty() && job_->making.made_before != written.hash)
    talk_.warning(fmt::format("{}: other pixels than those of {}", job_->path, job_->input));
  if (!args_.json && job_->path != "-") {
    print("{}\n", job_->path);
    std::fflush(stdout);
  }
  const Flame& flame = job_->flame;
  outcome_.note({job_->path,
                 job_->input,
                 flame.name,
                 job_->index,
                 written.width,
                 written.height,
                 written.bits,
                 job_->making.options.seed,
                 statistics_,
                 written.hash,
                 written.encode_s,
                 seconds_since(begun_),
                 {}},
                args_.json);
}

}  // namespace kiln::cli
