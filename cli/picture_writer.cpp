#include "cli/picture_writer.h"

#include <chrono>
#include <memory>
#include <system_error>

#include "cli/print.h"
#include "engine/base/text.h"
#include "engine/io/genome_writer.h"
#include "engine/io/png_writer.h"
#include "engine/model/pixel_hash.h"

namespace kiln::cli {

std::string record_of(const Job& job, int bits, const RenderStatistics& statistics,
                      const std::string& hash) {
  RenderOptions options = job.making.options;
  options.bits = bits;
  return render_record(job.flame, options, statistics, hash);
}

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

void PictureWriter::start(const Job& job, int number, bool is_last, Image image,
                          const RenderStatistics& statistics, Clock::time_point begun) {
  take_up(job, number, statistics, begun);
  const auto policy = args_.options.threads == 1 ? std::launch::deferred : std::launch::async;
  // nothing renders on the cores beside the last picture, or ever if a GPU does it
  const bool cores_are_free = is_last || statistics.device.rfind("cuda", 0) == 0;
  const auto kept = std::make_shared<const Image>(std::move(image));
  const auto task = [this, &job, statistics, kept, cores_are_free] {
    return write(job, *kept, statistics, cores_are_free);
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
  talk_.error(kind, message);
  outcome_.failures.push_back({job.path, kind, message});
}

std::string PictureWriter::out_of_memory(const Job& job) {
  return fmt::format(
      "{}: out of memory for {} x {} pixels with supersample {}; a smaller --scale or "
      "--supersample needs less",
      printable_whole(job.path), job.flame.width, job.flame.height, job.flame.supersample);
}

Written PictureWriter::write(const Job& job, const Image& image, const RenderStatistics& statistics,
                             bool cores_are_free) const {
  const auto start = Clock::now();
  const std::string hash = pixel_hash(image);
  args_.write(job.path, image,
              picture_texts(genome_xml(job.flame), record_of(job, image.bits(), statistics, hash)),
              cores_are_free ? args_.options.threads : 1, job.making.precision);
  return {hash, image.width, image.height, image.bits(), seconds_since(start)};
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
                 {},
                 flame.quality},
                args_.json);
}

}  // namespace kiln::cli
