# SPDX-License-Identifier: MIT
# PTX numbers its registers from first to last, and these numbers are most of what it takes when it is packed. Here the first
# register of a line becomes what it is above the last such one of its type, %r~ or %r12~, and others how far they are behind that
# one, %r3: code that is the same elsewhere is the same text then. with_register_numbers (code_images.cpp) undoes it.
{
  rest = $0
  line = ""
  first = 1
  while (match(rest, /%[a-z]+[0-9]+/)) {
    word = substr(rest, RSTART, RLENGTH)
    line = line substr(rest, 1, RSTART - 1)
    rest = substr(rest, RSTART + RLENGTH)
    match(word, /[0-9]+$/)
    type = substr(word, 1, RSTART - 1)
    number = substr(word, RSTART) + 0
    if (first) {
      above = number - last[type] - 1
      line = line type (above == 0 ? "" : above) "~"
      last[type] = number
      first = 0
    } else {
      line = line type (last[type] - number)
    }
  }
  print line rest
}
