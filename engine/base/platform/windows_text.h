// Names and messages of Windows: the program's manifest (packaging/kiln.manifest) makes UTF-8 the encoding of every function
// that takes char, so names go through as they are; what Windows alone can say becomes an errno.
#pragma once

#include <system_error>

namespace kiln {

/// What GetLastError() says as an errno.
int windows_errno();
/// The same to be thrown.
std::system_error windows_error();

}  // namespace kiln
