#include "cli/rows_writer.h"

#include "engine/base/clock.h"
#include "engine/io/genome_writer.h"
#include "engine/io/output_target.h"
#include "engine/io/picture_format.h"
#include "engine/io/png_writer.h"

namespace kiln::cli {

namespace {

/// The record of a job's picture.
std::string record_of(const Job& job, int bits, const RenderStatistics& statistics,
                      const std::string& hash) {
  RenderOptions options = job.making.options;
  options.bits = bits;
  return render_record(job.flame, options, statistics, hash);
}

}  // namespace

bool takes_rows(const std::string& path) {
  return named_descriptor(path) < 0 && !is_device_or_pipe(path);
}

void RowsWriter::add(const RowsOfPicture& part) {
  const auto start = Clock::now();
  const Image& rows = part.rows;
  if (!file_) {
    written_ = {{}, rows.width, part.height, rows.bits(), 0};
    hash_ = std::make_unique<PixelHash>(rows.width, part.height, rows.bits());
    RenderStatistics expected;
    expected.samples = part.samples;
    const std::string hash_to_come(64, '0');
    const std::string record = record_of(job_, rows.bits(), expected, hash_to_come);
    file_ = format_for(rows).write_rows(job_.path, rows, part.height,
                                        picture_texts(genome_xml(job_.flame), record),
                                        args_.saving(args_.options.threads, job_.making.precision));
  }
  hash_->add(rows);
  file_->add(rows);
  written_.encode_s += seconds_since(start);
}

Written RowsWriter::finish(const RenderStatistics& statistics) {
  const auto start = Clock::now();
  written_.hash = hash_->hex();
  file_->finish(record_of(job_, written_.bits, statistics, written_.hash));
  written_.encode_s += seconds_since(start);
  return written_;
}

}  // namespace kiln::cli
