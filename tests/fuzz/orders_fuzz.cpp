// SPDX-License-Identifier: MIT
// A request to kiln serve as the order that it is: its target is the first line, its Accept header the second, the rest is
// its body. Whatever comes, an order says nothing but what it may; what reads its words is fed by the target of command
// lines, its flames by that of the reader.
#include <string>

#include "engine/base/text.h"
#include "tests/fuzz/fuzz.h"
#include "view/server/web_rules.h"
#include "view/service/service_door.h"

using namespace kiln;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static cli::RenderService service({},
                                    [](const cli::RenderService::Work&) { return cli::Served(); });
  static const cli::ServiceDoor door(service, {"0", "\"cpu\"", "{}", "/dev/null"});
  fuzz::Input input(data, size);
  cli::HttpAsk ask;
  ask.method = "POST";
  ask.target = cli::WebTarget(std::string(input.line()));
  ask.accept = std::string(input.line());
  ask.body = std::string(input.rest());
  ask.token = 0;
  ask.has_length = ask.has_body = true;
  door.refuse(ask);
  cli::Order order;
  if (!fuzz::answered([&] { order = door.order_of(ask); })) return 0;
  fuzz::expect(!order.genomes.empty(), "an order has a flame");
  std::size_t outputs = 0;
  for (const std::string& word : order.words) {
    const std::string name = word.substr(0, word.find('='));
    outputs += name == "--output";
    fuzz::expect(name == "--output" ? word.ends_with(":-")
                                    : name.starts_with("--") && cli::order_option(name.substr(2)),
                 "a word is one that an order may have", word);
    fuzz::expect(word.find('\0') == word.npos, "a word is a whole one", word);
  }
  fuzz::expect(outputs == (order.type.empty() ? 0 : 1), "an order has one place to go to");
  return 0;
}
