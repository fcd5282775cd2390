// SPDX-License-Identifier: MIT
// Formulas that a page types and keeps: what is read, what is refused and where, and the folder of those of one's own.
#include <fmt/core.h>

#include <filesystem>

#include "tests/cli/view_page.h"

namespace kiln {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Page;

std::string with_formula(const std::string& formula) {
  std::string xml = test::triangle("name=\"a\"");
  return xml.insert(xml.find("<xform"), formula);
}
const std::string twirl =
    "<variation name=\"twirl\" x=\"x*cos(k*r)\" y=\"y\"><parameter name=\"k\" "
    "default=\"2\"/></variation>";
const std::string other_twirl = "<variation name=\"twirl\" x=\"y\" y=\"x\"/>";

class view_formulas : public test::ViewProgram {
 protected:
  static json check(Page& page, const std::string& name, const std::string& formula,
                    int number = 7) {
    page.send({{"type", "formula"},
               {"number", number},
               {"name", name},
               {"flame", with_formula(formula)}});
    return page.wait("formula").head;
  }
  static json keep(Page& page, const std::string& formula, bool replace = false) {
    page.send({{"type", "formulas"},
               {"keep", "twirl"},
               {"flame", with_formula(formula)},
               {"replace", replace}});
    return page.wait("formulas").head;
  }
  static json list(Page& page) {
    page.send({{"type", "formulas"}});
    return page.wait("formulas").head;
  }
  fs::path shelf() const { return desk / "kiln/formulas"; }
};

TEST_F(view_formulas, what_is_typed_is_read_as_a_file_is) {
  Page page(port, token);
  const std::string before = page.wait("flame").head["flame"];
  page.wait("formulas");
  const json good = check(page, "twirl", twirl, 3);
  EXPECT_EQ(good["number"], 3);
  EXPECT_FALSE(good.contains("text")) << good;
  const std::string scene = good["scene"];
  EXPECT_NE(scene.find("<variation name=\"twirl\""), scene.npos) << scene;

  json bad = check(page, "twirl", "<variation name=\"twirl\" let=\"s = 1\" x=\"x + sin(y\"/>", 4);
  EXPECT_EQ(bad["number"], 4);
  EXPECT_EQ(bad["name"], "twirl");
  EXPECT_EQ(bad["part"], "x");
  EXPECT_EQ(bad["column"], 10);
  EXPECT_EQ(bad["parameter"], -1);
  EXPECT_EQ(bad["text"], "\")\" of sin is missing") << "neither file nor line: they are the page's";

  bad = check(page, "twirl",
              "<variation name=\"twirl\" x=\"x\"><parameter name=\"k\"/><parameter "
              "name=\"y\"/></variation>");
  EXPECT_EQ(bad["parameter"], 1);
  EXPECT_EQ(bad["part"], "");
  bad = check(page, "swirl", "<variation name=\"swirl\" x=\"x\"/>");
  EXPECT_EQ(bad["part"], "name");
  EXPECT_EQ(bad["column"], 0);

  const json elsewhere =
      check(page, "twirl", twirl + "<xform weight=\"abc\" coefs=\"1 0 0 1 0 0\"/>");
  EXPECT_FALSE(elsewhere.contains("part")) << elsewhere;
  EXPECT_NE(elsewhere["text"].get<std::string>().find("abc"), std::string::npos);
  EXPECT_NE(check(page, "twirl", "")["text"].get<std::string>().find("no formula twirl"),
            std::string::npos);

  EXPECT_EQ(Page(port, token).wait("flame").head["flame"], before) << "reading is no edit";
}

TEST_F(view_formulas, those_of_ones_own_are_files_and_all_pages_have_them) {
  Page page(port, token), other(port, token);
  EXPECT_EQ(page.wait("formulas").head["formulas"], json::array());
  other.wait("formulas");
  const json kept = keep(page, twirl);
  ASSERT_EQ(kept["formulas"].size(), 1u);
  EXPECT_NE(kept["formulas"][0].get<std::string>().find("x*cos(k*r)"), std::string::npos);
  EXPECT_EQ(kept["folder"], shelf().string());
  EXPECT_EQ(other.wait("formulas").head["formulas"], kept["formulas"]);
  EXPECT_TRUE(fs::exists(shelf() / "README.txt"));
  const test::Outcome listed = test::run_program(
      {"variations", "--file", (shelf() / "twirl.flame").string()}, {folder.path(), "", "", {}});
  EXPECT_NE(listed.out.find("twirl twirl_k=2"), std::string::npos) << listed.out << listed.err;

  EXPECT_EQ(keep(page, twirl)["formulas"].size(), 1u) << "the same once more";
  EXPECT_EQ(keep(page, other_twirl)["other"], "twirl") << "another of that name";
  EXPECT_EQ(list(page)["formulas"], kept["formulas"]);
  const json replaced = keep(page, other_twirl, true);
  ASSERT_EQ(replaced["formulas"].size(), 1u);
  EXPECT_EQ(replaced["formulas"][0].get<std::string>().find("cos"), std::string::npos);

  page.send({{"type", "formulas"}, {"forget", "../twirl"}});
  EXPECT_NE(page.error().find("is not among yours"), std::string::npos);
  page.send({{"type", "formulas"}, {"forget", "twirl"}});
  EXPECT_EQ(page.wait("formulas").head["formulas"], json::array());
  EXPECT_FALSE(fs::exists(shelf() / "twirl.flame"));
}

TEST_F(view_formulas, what_others_put_into_the_folder_counts) {
  fs::create_directories(shelf());
  test::write_file(shelf() / "pack.flame",
                   with_formula(other_twirl + "<variation name=\"idle\" y=\"r\"/>"));
  test::write_file(shelf() / "spoiled.flame", with_formula("<variation name=\"bad\" x=\"x +\"/>"));
  test::write_file(shelf() / "twice.flame", with_formula(twirl));
  test::write_file(shelf() / "notes.txt", "not a flame");
  Page page(port, token);
  json found = page.wait("formulas").head;
  EXPECT_EQ(found["formulas"].size(), 2u) << found;
  ASSERT_EQ(found["troubles"].size(), 2u) << found;
  EXPECT_NE(found["troubles"][0].get<std::string>().find("spoiled.flame:"), std::string::npos);
  EXPECT_NE(found["troubles"][1].get<std::string>().find("twirl is in"), std::string::npos);

  page.send({{"type", "formulas"}, {"forget", "idle"}});
  EXPECT_NE(page.error().find("has other formulas, too"), std::string::npos);
  page.send(
      {{"type", "formulas"}, {"keep", "twirl"}, {"replace", true}, {"flame", with_formula(twirl)}});
  EXPECT_NE(page.error().find("has other formulas, too"), std::string::npos);
  EXPECT_EQ(list(page)["formulas"].size(), 2u) << "nothing is lost";

  fs::remove(shelf() / "pack.flame");
  found = list(page);
  ASSERT_EQ(found["formulas"].size(), 1u);
  EXPECT_NE(found["formulas"][0].get<std::string>().find("x*cos(k*r)"), std::string::npos);
}

/// A file that nobody can read is not lost to one that is kept.
TEST_F(view_formulas, a_file_that_cannot_be_read_is_replaced_only_when_told) {
  fs::create_directories(shelf());
  test::write_file(shelf() / "twirl.flame", "<flame><variation");
  Page page(port, token);
  page.wait("formulas");
  EXPECT_EQ(keep(page, twirl)["other"], "twirl");
  EXPECT_EQ(test::read_file(shelf() / "twirl.flame"), "<flame><variation");
  EXPECT_EQ(keep(page, twirl, true)["formulas"].size(), 1u);
}

TEST_F(view_formulas, of_a_full_folder_one_can_be_replaced) {
  fs::create_directories(shelf());
  test::write_file(shelf() / "twirl.flame", with_formula(twirl));
  for (int i = 1; i < 300; ++i)
    test::write_file(shelf() / fmt::format("f{}.flame", i),
                     with_formula(fmt::format("<variation name=\"f{}\" x=\"y\"/>", i)));
  Page page(port, token);
  EXPECT_EQ(page.wait("formulas").head["formulas"].size(), 300u);
  EXPECT_EQ(keep(page, other_twirl, true)["formulas"].size(), 300u);
  const std::string one_more = "<variation name=\"one_more\" x=\"y\"/>";
  page.send({{"type", "formulas"}, {"keep", "one_more"}, {"flame", with_formula(one_more)}});
  EXPECT_NE(page.error().find("300 formulas are kept"), std::string::npos);
  page.send({{"type", "formulas"}, {"forget", "f7"}});
  EXPECT_EQ(page.wait("formulas").head["formulas"].size(), 299u);
  page.send({{"type", "formulas"}, {"keep", "one_more"}, {"flame", with_formula(one_more)}});
  EXPECT_EQ(page.wait("formulas").head["formulas"].size(), 300u);
}

}  // namespace
}  // namespace kiln
