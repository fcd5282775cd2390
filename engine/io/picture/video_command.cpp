// SPDX-License-Identifier: MIT
#include "engine/io/picture/video_command.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <sstream>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/picture/ffmpeg.h"

namespace kiln {
namespace {

constexpr const char* h264 =
    "-c:v libx264 -preset medium -crf 16 -pix_fmt yuv420p -movflags +faststart";
constexpr const char* aac = "-c:a aac -b:a 256k";
constexpr const char* animated_webp =
    "-c:v libwebp_anim -pix_fmt bgra -quality 90 -compression_level 4 -loop 0";

// HDR10 is HEVC of 10 bits; pages take AV1. How bright the film is, is known when it is made: until then its
// place has two numbers that nothing else has (write_light). The mastering display has the colors of sRGB:
// there are no others.
constexpr const char* hevc_pq =
    "-c:v libx265 -preset medium -crf 18 -pix_fmt yuv420p10le -x265-params "
    "log-level=error:hdr10=1:hdr10-opt=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
    "max-cll=42435,46925:master-display=G(15000,30000)B(7500,3000)R(32000,16500)WP(15635,16450)"
    "L({0}0000,1)";
constexpr const char* av1_pq =
    "-c:v libsvtav1 -preset 6 -crf 24 -pix_fmt yuv420p10le -svtav1-params "
    "enable-hdr=1:content-light=42435,46925:mastering-display=G(0.3,0.6)B(0.15,0.06)R(0.64,0.33)"
    "WP(0.3127,0.329)L({0},0.0001)";
constexpr const char* prores_pq =
    "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le -movflags write_colr "
    "-bsf:v prores_metadata=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc";

// H.264 with 8 bits is what everything plays; 10 bits show no bands, so mkv and mov have them. ProRes
// has its own place for what colors mean, which ffmpeg leaves at "unspecified" unless a filter of
constexpr VideoFormat film_kinds[] = {
    {".mp4", "MP4", "H.264", "video/mp4", "mp4", h264, nullptr, aac, true, false, hevc_pq, true,
     ".m4v"},
    {".mkv", "MKV", "HEVC, 10 bits", nullptr, "matroska",
     "-c:v libx265 -preset medium -crf 18 -pix_fmt yuv420p10le -x265-params log-level=error",
     nullptr, "-c:a flac", true, false, hevc_pq, false},
    {".mov", "MOV", "ProRes", nullptr, "mov",
     "-c:v prores_ks -profile:v hq -pix_fmt yuv422p10le -movflags write_colr "
     "-bsf:v prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709",
     "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le -movflags write_colr "
     "-bsf:v prores_metadata=color_primaries=bt709:color_trc=bt709:colorspace=bt709",
     "-c:a pcm_s24le", true, false, prores_pq},
    {".webm", "WebM", "VP9", "video/webm", "webm",
     "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -pix_fmt yuv420p",
     "-c:v libvpx-vp9 -crf 24 -b:v 0 -row-mt 1 -pix_fmt yuva420p", "-c:a libopus -b:a 192k", true,
     false, av1_pq, false},
    {".avi", "AVI", "FFV1, lossless", nullptr, "avi", "-c:v ffv1 -level 3 -pix_fmt gbrp16le",
     nullptr, "-c:a pcm_s16le", false, false},
    {".gif", "GIF", "256 colors", "image/gif", "gif", "-c:v gif -loop 0", "-c:v gif -loop 0",
     nullptr, false, true, nullptr, false},
    {".webp", "WebP", "animated WebP", "image/webp", "webp", animated_webp, animated_webp, nullptr,
     false, true, nullptr, false},
    {".apng", "APNG", "animated PNG, lossless", "image/apng", "apng",
     "-c:v apng -pix_fmt rgb24 -pred mixed -plays 0",
     "-c:v apng -pix_fmt rgba -pred mixed -plays 0", nullptr, false, true},
    {".y4m", "Y4M", "uncompressed, for pipes", nullptr, "yuv4mpegpipe",
     "-c:v wrapped_avframe -pix_fmt yuv444p", nullptr, nullptr, false, false, nullptr, false},
    {".raw", "Raw", "bare pixels, for pipes", nullptr, "rawvideo", "-c:v rawvideo -pix_fmt rgb24",
     "-c:v rawvideo -pix_fmt rgba", nullptr, false, true, nullptr, false},
};

/// Options of ffmpeg by their names, those of kiln and those of whoever calls it.
using Options = std::vector<std::pair<std::string, std::string>>;

/// One name for all that ffmpeg has for an option.
std::string plain_name(const std::string& option) {
  constexpr std::pair<const char*, const char*> names[] = {
      {"-vcodec", "-c:v"},  {"-codec:v", "-c:v"},
      {"-c:v:0", "-c:v"},   {"-codec", "-c:v"},
      {"-c", "-c:v"},       {"-vb", "-b:v"},
      {"-b:v:0", "-b:v"},   {"-profile", "-profile:v"},
      {"-acodec", "-c:a"},  {"-codec:a", "-c:a"},
      {"-ab", "-b:a"},      {"-vtag", "-tag:v"},
      {"-q:v", "-quality"}, {"-qscale:v", "-quality"}};
  for (const auto& [other, name] : names)
    if (option == other) return name;
  return option;
}

/// The value that an option has among these words: the last; empty where it is not there.
std::string value_of(const std::vector<std::string>& words, const std::string& option) {
  for (std::size_t i = words.size(); i-- > 1;)
    if (plain_name(words[i - 1]) == option) return words[i];
  return "";
}

/// "-c:v libx264 -crf 16", of kiln's own, in pairs.
Options pairs_in(const std::string& text) {
  const std::vector<std::string> words = words_in(text);
  Options pairs;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) pairs.emplace_back(words[i], words[i + 1]);
  return pairs;
}

void append_words(std::vector<std::string>& list, const std::string& words) {
  for (std::string& word : words_in(words)) list.push_back(std::move(word));
}

const char* own_codec(const VideoFormat& format, const VideoSettings& settings) {
  if (settings.hdr_peak > 0) return format.hdr;
  return settings.transparent ? format.alpha_codec : format.codec;
}

bool is_rgb(const std::string& pixels) {
  for (const char* begin : {"rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "pal8", "x2rgb"})
    if (pixels.starts_with(begin)) return true;
  return false;
}

bool has_alpha_channel(const std::string& pixels) {
  for (const char* begin : {"yuva", "rgba", "bgra", "gbrap", "argb", "abgr"})
    if (pixels.starts_with(begin)) return true;
  return false;
}

/// The kinds of pixels that an encoder takes; none where ffmpeg does not say.
std::vector<std::string> pixels_of(const std::string& program, const std::string& encoder) {
  const ProgramSaid said = said_by({program, "-hide_banner", "-h", "encoder=" + encoder});
  constexpr std::string_view head = "Supported pixel formats:";
  const std::size_t at = said.words.find(head);
  if (at == std::string::npos) return {};
  const std::size_t from = at + head.size();
  return words_in(said.words.substr(from, said.words.find('\n', from) - from));
}

/// The kind of pixels for an encoder of one's own: kiln's, if it takes them; DNxHR has one for each profile.
std::string pixels_for(const std::string& program, const std::vector<std::string>& words,
                       const std::string& own, bool alpha) {
  const std::string encoder = value_of(words, "-c:v"), profile = value_of(words, "-profile:v");
  if (encoder == "dnxhd") {
    if (profile == "dnxhr_444") return "yuv444p10le";
    return profile == "dnxhr_hqx" ? "yuv422p10le" : "yuv422p";
  }
  const std::vector<std::string> taken = pixels_of(program, encoder);
  if (taken.empty()) return "";  // let ffmpeg choose
  if (std::find(taken.begin(), taken.end(), own) != taken.end()) return own;
  const auto with_alpha = std::find_if(taken.begin(), taken.end(), has_alpha_channel);
  return alpha && with_alpha != taken.end() ? *with_alpha : taken.front();
}

/// Takes the filters out of options of ffmpeg, which has one chain for a stream.
std::string take_filter(std::vector<std::string>& options) {
  std::string filter;
  for (std::size_t i = 0; i + 1 < options.size();) {
    if (options[i] != "-vf" && options[i] != "-filter:v" && options[i] != "-filter:v:0") {
      ++i;
      continue;
    }
    filter = options[i + 1];
    options.erase(options.begin() + std::ptrdiff_t(i), options.begin() + std::ptrdiff_t(i) + 2);
  }
  return filter;
}

/// The filters from kiln's pixels to the codec's, `own` among them: before a GIF's colors are chosen.
std::string filters_of(const VideoFormat& format, const VideoSettings& settings, bool rgb,
                       const std::string& own) {
  std::string filters;
  const auto add = [&](const std::string& filter) {
    if (!filter.empty()) filters += (filters.empty() ? "" : ",") + filter;
  };
  const VideoFit& fit = settings.fit;
  if (fit.width > 0) add(fmt::format("scale={}:{}:flags=area", fit.width, fit.height));
  if (std::string_view(format.muxer) == "gif") {
    add(own);
    add(
        fmt::format("format=bgra,split[a][b];[a]palettegen=reserve_transparent={}:max_colors={}"
                    "[colors];[b][colors]paletteuse=dither={}",
                    settings.transparent ? 1 : 0, fit.colors,
                    fit.is_coarse ? "bayer:bayer_scale=3" : "sierra2_4a"));
    return filters;
  }
  if (!rgb) {
    if (format.even) add("pad=w=ceil(iw/2)*2:h=ceil(ih/2)*2");
    add(fmt::format(
        "scale=out_color_matrix={}:out_range=tv:flags=bicubic+accurate_rnd+full_chroma_int",
        settings.hdr_peak > 0 ? "bt2020" : "bt709"));
  }
  add(own);
  return filters.empty() ? "null" : filters;
}

/// The sound's codec; of another one kiln's rate says nothing.
void append_sound(std::vector<std::string>& command, const VideoFormat& format,
                  const VideoSettings& settings) {
  if (settings.audio.empty()) return;
  if (settings.audio_start_s > 0)
    command.insert(command.end(), {"-ss", fmt::format("{:.6f}", settings.audio_start_s)});
  command.insert(command.end(), {"-i", "file:" + settings.audio});
  append_words(command, "-map 0:v -map 1:a:0 -af apad -shortest");  // silence up to the last frame
  const std::vector<std::string> given = words_in(settings.options);
  if (value_of(given, "-c:a").empty()) append_words(command, format.audio);
}

/// Appends kiln's options that whoever calls it does not name; where they name another codec, none that are its own.
void append_own(std::vector<std::string>& command, const Options& own,
                const std::vector<std::string>& given) {
  const bool other_codec = !value_of(given, "-c:v").empty();
  for (const auto& [name, value] : own) {
    const bool of_file = name == "-movflags" || name == "-loop" || name == "-plays" ||
                         name == "-c:a" || name == "-b:a";
    if ((other_codec && !of_file) || !value_of(given, plain_name(name)).empty()) continue;
    command.insert(command.end(), {name, value});
  }
}

/// The filters, the codec, and what the stream says of its colors.
void append_codec(std::vector<std::string>& command, const VideoFormat& format,
                  const VideoSettings& settings, const std::string& program) {
  std::vector<std::string> given = words_in(settings.options);
  const std::string own_filter = take_filter(given);
  const std::string text = settings.hdr_peak > 0
                               ? fmt::format(fmt::runtime(format.hdr), int(settings.hdr_peak))
                               : std::string(own_codec(format, settings));
  Options own = pairs_in(text);
  std::vector<std::string> all =
      words_in(settings.fit.options);  // of --max-bytes: in place of kiln's
  all.insert(all.end(), given.begin(), given.end());
  std::string pixels = value_of(words_in(text), "-pix_fmt");
  const bool other_codec = !value_of(all, "-c:v").empty();
  if (const std::string asked = value_of(all, "-pix_fmt"); !asked.empty())
    pixels = asked;
  else if (other_codec)
    pixels = pixels_for(program, all, pixels, settings.transparent);
  const bool rgb = format.rgb || (other_codec && is_rgb(pixels));
  command.insert(command.end(), {"-vf", filters_of(format, settings, rgb, own_filter)});
  append_own(command, own, all);
  if (other_codec && !pixels.empty() && value_of(all, "-pix_fmt").empty())
    command.insert(command.end(), {"-pix_fmt", pixels});
  const bool hdr = settings.hdr_peak > 0;
  Options says;
  if (hdr && format.muxer == std::string_view("mp4")) says.emplace_back("-tag:v", "hvc1");
  if (!rgb) {
    says.emplace_back("-colorspace", hdr ? "bt2020nc" : "bt709");
    says.emplace_back("-color_primaries", hdr ? "bt2020" : "bt709");
    says.emplace_back("-color_trc", hdr ? "smpte2084" : "bt709");
  }
  for (const auto& [name, value] : says)
    if (value_of(all, name).empty()) command.insert(command.end(), {name, value});
  for (const auto& [name, words] : {std::pair{"title=", settings.credits.title},
                                    {"artist=", settings.credits.author},
                                    {"copyright=", settings.credits.copyright}})
    if (!words.empty()) command.insert(command.end(), {"-metadata", name + words});
  command.insert(command.end(), all.begin(), all.end());
}

}  // namespace

const VideoFormat& format_of(const VideoSettings& settings) {
  const std::string ending = ending_of(settings.path), name = printable_whole(settings.path);
  const VideoFormat* const format = video_format_with(ending);
  if (!format) {
    std::string all;
    for (const VideoFormat& one : film_kinds)
      all += fmt::format("{}{} ({})", all.empty() ? "" : ", ", one.ending, one.says);
    fail(ErrorKind::usage,
         "--video {}: the ending says which kind of film it is, and must be one of {}", name, all);
  }
  if (settings.transparent && !format->has_alpha())
    fail(ErrorKind::usage,
         "--video {}: {} has no transparency; use one of {}, or leave out --transparent", name,
         ending, video_endings(&VideoFormat::has_alpha));
  if (settings.hdr_peak > 0 && settings.transparent)
    fail(ErrorKind::usage, "--hdr pq: is of light over a background; leave --transparent out");
  if (settings.hdr_peak > 0 && !format->hdr)
    fail(ErrorKind::usage, "--hdr pq: {} has no HDR; use .mp4 or .mkv (HDR10), .webm or .mov",
         name);
  if (!settings.audio.empty() && !format->has_sound())
    fail(ErrorKind::usage, "--video {}: {} has no sound; use one of {}", name, ending,
         video_endings(&VideoFormat::has_sound));
  return *format;
}

/// The exact rate behind a name of a television rate; another name stays as it is.
std::string meant_rate(const std::string& fps) {
  constexpr std::pair<std::string_view, const char*> names[] = {
      {"23.976", "24000/1001"}, {"23.98", "24000/1001"}, {"29.97", "30000/1001"},
      {"47.952", "48000/1001"}, {"59.94", "60000/1001"}, {"119.88", "120000/1001"}};
  for (const auto& [name, rate] : names)
    if (fps == name) return rate;
  return fps;
}

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool is_word = false, is_outside = false;  // the quotes are around the word, and no part of it
  for (const char c : text) {
    if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
      if (is_word) words.push_back(std::exchange(word, {}));
      is_word = false;
      continue;
    }
    const bool opens = quote == 0 && (c == '\'' || c == '"'), closes = quote != 0 && c == quote;
    if (opens) is_outside = !is_word;
    is_word = true;
    if (opens) quote = c;
    if (closes) quote = 0;
    if (!(opens || closes) || !is_outside) word += c;
  }
  if (is_word) words.push_back(word);
  return words;
}

std::vector<std::string> ffmpeg_command(const VideoSettings& settings, const std::string& program,
                                        const std::string& file) {
  const VideoFormat& format = format_of(settings);
  std::vector<std::string> command{program};
  append_words(command, "-hide_banner -loglevel error -nostdin -y -f rawvideo -pixel_format");
  if (format.rgb) {
    command.push_back(settings.transparent ? "rgba" : "rgb24");
  } else {
    command.push_back(settings.transparent ? "rgba64" : "rgb48");
    command.back() += __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "le" : "be";
  }
  append_words(command, fmt::format("-video_size {}x{} -framerate {} -i pipe:0", settings.width,
                                    settings.height, meant_rate(settings.fps)));
  append_sound(command, format, settings);
  append_codec(command, format, settings, program);
  command.insert(command.end(), {"-f", format.muxer, file});
  return command;
}

void check_encoder(const VideoSettings& settings, const std::string& program) {
  std::string encoder = value_of(words_in(settings.options), "-c:v");
  if (encoder == "copy")
    fail(ErrorKind::usage,
         "--video-options \"-c:v copy\": frames are pictures, which an encoder makes a film of; "
         "name "
         "one");
  if (encoder.empty())
    encoder = value_of(words_in(own_codec(format_of(settings), settings)), "-c:v");
  const ProgramSaid said = said_by({program, "-hide_banner", "-h", "encoder=" + encoder});
  if ((said.words + said.complaints).find("is not recognized") == std::string::npos) return;
  fail(
      ErrorKind::output,
      "--video {}: this ffmpeg was built without the encoder {}: install one that has it (Debian's "
      "has: apt install ffmpeg), or choose another ending",
      printable_whole(settings.path), encoder);
}

std::span<const VideoFormat> video_formats() { return film_kinds; }

const VideoFormat* video_format_with(std::string_view ending) {
  const auto found =
      std::find_if(std::begin(film_kinds), std::end(film_kinds), [&](const auto& format) {
        return !ending.empty() && (ending == format.ending || ending == format.or_ending);
      });
  return found == std::end(film_kinds) ? nullptr : found;
}

std::string video_endings(bool (VideoFormat::*has)() const) {
  std::string endings;
  for (const VideoFormat& format : film_kinds)
    if (!has || (format.*has)())
      endings += fmt::format("{}{}", endings.empty() ? "" : " ", format.ending);
  return endings;
}

int video_bits(const std::string& path) {
  const VideoFormat* const format = video_format_with(ending_of(path));
  return format && format->rgb ? 8 : 16;
}

}  // namespace kiln
