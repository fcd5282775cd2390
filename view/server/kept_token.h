// SPDX-License-Identifier: MIT
// The secret in the address of the page. It is kept in a file of the user's alone, so that a page
// that is open finds the program again after a restart at the same address.
#pragma once

#include <string>

namespace kiln::cli {

/// 64 random bits, as 16 hexadecimal digits.
std::string random_name();

/// The folder of what the user's programs keep for the next time; empty: there is none.
std::string state_folder();

/// The token of HOST:PORT: 128 random bits as hexadecimal digits; `of`: what is served there. The one of the program that served
/// there before, where its file can be trusted; else a new one, which is kept if it can be.
std::string kept_token(const std::string& address, int port, const std::string& of = "view");

}  // namespace kiln::cli
