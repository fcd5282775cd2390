// SPDX-License-Identifier: MIT
#include "engine/io/picture/picture_file.h"

#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln {

void check_limits(const std::string& name, std::uint64_t width, std::uint64_t height,
                  std::uint64_t bytes_a_pixel, const ImageLimits& limits) {
  const auto side = static_cast<std::uint64_t>(limits.side);
  if (width > side || height > side)
    fail(ErrorKind::input, "{}: {} x {} pixels; {} has at most {} a side", name, width, height,
         limits.what, side);
  if (width * height > limits.bytes / bytes_a_pixel)
    fail(ErrorKind::input, "{}: {} x {} pixels need {} of memory, the limit is {}; {}", name, width,
         height, byte_size(width * height * bytes_a_pixel), byte_size(limits.bytes), limits.remedy);
}

namespace {

class KeptRows : public PictureRows {
 public:
  KeptRows(const Image& first_rows, int height, FileTexts texts,
           std::function<void(const Image&, const FileTexts&)> write)
      : whole_(first_rows), texts_(std::move(texts)), write_(std::move(write)) {
    whole_.height = height;
    if (whole_.bits() == 8)
      whole_.pixels8().clear();
    else
      whole_.pixels16().clear();
  }
  void add(const Image& rows) override {
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    if (whole_.bits() == 8)
      append(whole_.pixels8(), rows.pixels8());
    else
      append(whole_.pixels16(), rows.pixels16());
  }
  void finish(const std::string& last_text) override {
    texts_.back().value = last_text;
    write_(whole_, texts_);
  }

 private:
  Image whole_;
  FileTexts texts_;
  const std::function<void(const Image&, const FileTexts&)> write_;
};

/// PNG's keywords (PNG specification, 11.3.3.1), and what XMP calls them.
struct Credit {
  const char* key;
  std::string Credits::*text;
  const char *before, *after;
};
constexpr Credit all_credits[] = {
    {"Title", &Credits::title, "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">",
     "</rdf:li></rdf:Alt></dc:title>"},
    {"Author", &Credits::author, "<dc:creator><rdf:Seq><rdf:li>",
     "</rdf:li></rdf:Seq></dc:creator>"},
    {"Copyright", &Credits::copyright, "<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">",
     "</rdf:li></rdf:Alt></dc:rights>"},
    {"Source", &Credits::source, "<dc:source>", "</dc:source>"}};

std::string escaped_text(std::string_view text) {
  std::string xml;
  for (const char c : text)
    c == '&' ? xml += "&amp;" : c == '<' ? xml += "&lt;" : c == '>' ? xml += "&gt;" : xml += c;
  return xml;
}

}  // namespace

void check_credit(std::string_view name, const std::string& text) {
  constexpr std::size_t most = 4000;
  if (text.size() > most || printable(text, most) != text)
    fail(ErrorKind::usage, "{} {}: must be one line of at most {} bytes, in UTF-8", name,
         printable_whole(text), most);
}

Credits credits_in(const PictureTexts& texts) {
  Credits credits;
  for (const Credit& credit : all_credits)
    if (const auto found = texts.find(credit.key); found != texts.end())
      credits.*credit.text = found->second;
  return credits;
}

std::string xmp_of(const FileTexts& texts) {
  std::string said;
  for (const Credit& credit : all_credits)
    for (const FileText& text : texts)
      if (text.key == credit.key) said += credit.before + escaped_text(text.value) + credit.after;
  if (said.empty()) return "";
  return "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
         "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
         "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
         "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">" +
         said + "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end=\"r\"?>";
}

std::unique_ptr<PictureRows> kept_rows(const Image& first_rows, int height, FileTexts texts,
                                       std::function<void(const Image&, const FileTexts&)> write) {
  return std::make_unique<KeptRows>(first_rows, height, std::move(texts), std::move(write));
}

FileTexts picture_texts(const std::string& genome, const std::string& record,
                        const Credits& credits) {
  FileTexts texts;
  if (!genome.empty()) texts.push_back({std::string(genome_key), genome, true});
  texts.push_back({"Software", "kiln " KILN_VERSION, false});
  for (const Credit& credit : all_credits)
    if (!(credits.*credit.text).empty()) texts.push_back({credit.key, credits.*credit.text, false});
  if (!record.empty()) texts.push_back({std::string(record_key), record, false});
  return texts;
}

}  // namespace kiln
