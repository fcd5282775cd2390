// SPDX-License-Identifier: MIT
// kiln on a desktop (packaging/desktop): what a file manager and a store of software read, by their
// own checkers where those are installed, and the line that makes a file's small picture.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "engine/io/picture/picture_format.h"
#include "tests/cli/program.h"
#include "tests/cli/settings.h"

namespace kiln {
namespace {

using namespace test;

std::string desktop_file(const std::string& name) {
  return std::string(source_dir()) + "/packaging/desktop/" + name;
}

/// What KEY= says in a file of the desktop.
std::string said_of(const std::string& name, const std::string& key) {
  std::smatch match;
  const std::string text = read_file(desktop_file(name));
  EXPECT_TRUE(std::regex_search(text, match, std::regex("\n" + key + "=([^\n]*)"))) << key;
  return match[1];
}

class Desktop : public testing::Test {
 protected:
  /// Runs the line of the thumbnailer as a file manager does: %i, %s and %o replaced, kiln in PATH.
  int thumbnail(const std::string& flame, int size, const std::string& picture) const {
    std::string line = said_of("kiln.thumbnailer", "Exec");
    for (const auto& [mark, value] : {std::pair<std::string, std::string>{"%i", "'" + flame + "'"},
                                      {"%s", std::to_string(size)},
                                      {"%o", "'" + picture + "'"}})
      line = std::regex_replace(line, std::regex(mark), value);
    std::filesystem::create_directory(folder / "bin");
    std::error_code ignored;
    std::filesystem::create_symlink(program_path(), folder / "bin/kiln", ignored);
    return std::system(
        ("cd " + folder.path() + " && PATH=\"$PWD/bin:$PATH\" " + line + " 2>said").c_str());
  }
  const ScratchFolder folder;
};

TEST_F(Desktop, FileManagersGetASmallPictureOfAFlame) {
  write_file(folder / "a flame.flam3", triangle());
  ASSERT_EQ(thumbnail("a flame.flam3", 256, "picture without an ending"), 0)
      << read_file(folder / "said");
  const Image picture = read_png(folder / "picture without an ending");
  EXPECT_EQ(picture.width, 256);
  EXPECT_EQ(picture.height, 256);
  // a tall one and one of many flames fit in as well
  write_file(folder / "many.flame",
             "<flames>" + triangle("name=\"a\"") + triangle("name=\"b\"") + "</flames>");
  ASSERT_EQ(thumbnail("many.flame", 128, "many"), 0) << read_file(folder / "said");
  EXPECT_EQ(read_png(folder / "many").height, 128);
}

TEST_F(Desktop, WhatIsNoFlameHasNone) {
  write_file(folder / "no.flame", "<html/>");
  EXPECT_NE(thumbnail("no.flame", 256, "picture"), 0);
}

TEST_F(Desktop, TheEntryOpensTheEditorForFlames) {
  EXPECT_EQ(said_of("kiln.desktop", "Exec"), "kiln view %f");
  EXPECT_EQ(said_of("kiln.desktop", "MimeType"), said_of("kiln.thumbnailer", "MimeType"));
  EXPECT_TRUE(std::filesystem::exists(desktop_file(said_of("kiln.desktop", "Icon") + ".svg")));
  if (!has_program("desktop-file-validate")) GTEST_SKIP() << "desktop-file-utils is not installed";
  EXPECT_EQ(std::system(("desktop-file-validate " + desktop_file("kiln.desktop")).c_str()), 0);
}

TEST_F(Desktop, FilesOfFlamesHaveATypeAndAnIcon) {
  const std::string text = read_file(desktop_file("kiln.xml")),
                    type = said_of("kiln.desktop", "MimeType");
  EXPECT_TRUE(contains(text, "<mime-type type=\"" + type.substr(0, type.size() - 1) + "\">"));
  std::smatch icon;
  ASSERT_TRUE(std::regex_search(text, icon, std::regex("<icon name=\"([^\"]+)\"")));
  EXPECT_TRUE(std::filesystem::exists(desktop_file(icon[1].str() + ".svg")));
  if (!has_program("update-mime-database")) GTEST_SKIP() << "shared-mime-info is not installed";
  std::filesystem::create_directories(folder / "mime/packages");
  write_file(folder / "mime/packages/kiln.xml", text);
  ASSERT_EQ(std::system(("update-mime-database " + folder.path() + "/mime").c_str()), 0);
  const std::string names = read_file(folder / "mime/globs2");
  EXPECT_TRUE(contains(names, "50:application/x-flame+xml:*.flam3\n")) << names;
  EXPECT_TRUE(contains(names, "50:application/x-flame+xml:*.flame\n")) << names;
}

TEST_F(Desktop, StoresOfSoftwareAcceptWhatIsSaidOfIt) {
  std::string text = read_file(desktop_file("kiln.metainfo.xml.in"));
  text = std::regex_replace(text, std::regex("@PROJECT_VERSION@"), KILN_VERSION);
  text = std::regex_replace(text, std::regex("@kiln_release_date@"), "2026-11-29");
  EXPECT_FALSE(contains(text, "@"));
  EXPECT_TRUE(contains(text, "<launchable type=\"desktop-id\">kiln.desktop</launchable>"));
  if (!has_program("appstreamcli")) GTEST_SKIP() << "appstream is not installed";
  write_file(folder / "kiln.metainfo.xml", text);
  EXPECT_EQ(std::system(
                ("appstreamcli validate --no-net " + folder.path() + "/kiln.metainfo.xml").c_str()),
            0);
}

}  // namespace
}  // namespace kiln
