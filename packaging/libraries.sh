# SPDX-License-Identifier: MIT
# Libraries that travel inside of packages: Debian's own sources, compiled into static libraries. Sourced by packaging/windows and
# packaging/libraries; needs $work and $prefix, and `cross` where they are for another system.
#   library SOURCE-PACKAGE CMAKE-OPTION...     compiled and installed into $prefix, once; its license beside it
sources_of_debian() {
  local lists=$work/apt
  mkdir -p "$lists/partial" "$prefix/include" "$prefix/lib/cmake" "$prefix/licenses"
  local suite signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
  suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
  printf 'deb-src %s http://deb.debian.org/%s main\n' "$signed" "debian $suite" "$signed" "debian-security $suite-security" >"$work/sources.list"
  apt_options=(-o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$lists" -o APT::Sandbox::User=root)
  [ -f "$work/source/done" ] || quietly "$work/update.log" apt-get "${apt_options[@]}" update
}

library() {
  local folder=$work/source/$1
  if [ ! -f "$folder/done" ]; then compile "$folder" "$@"; fi
  cp "$(echo "$folder"/*/debian/copyright)" "$prefix/licenses/$1.txt"
  printf '%s\t%s\n' "$1" "$(sed -n 's/^Version: //p' "$folder"/*.dsc | head -1)" >"$prefix/licenses/$1.version"
}

compile() {  # FOLDER SOURCE-PACKAGE CMAKE-OPTION...
  local folder=$1 name=$2 source=. version got=
  shift 2
  say "$name"
  rm -rf "$folder" && mkdir -p "$folder"
  for version in $(apt-cache "${apt_options[@]}" showsrc --only-source "$name" 2>/dev/null | sed -n 's/^Version: //p' | sort -ruV); do
    (cd "$folder" && apt-get "${apt_options[@]}" source --only-source "$name=$version") >>"$folder/source.log" 2>&1 && got=1 && break
    say "the mirror has no $name $version, an older one is taken"
  done
  [ -n "$got" ] || die "the source of Debian's $name cannot be had ($folder/source.log)"
  [ "$name" != libzstd ] || source=build/cmake
  cross "$folder/build" -S "$(echo "$folder"/*/"$source")" -DBUILD_SHARED_LIBS=OFF -DBUILD_TESTING=OFF "$@"
  quietly "$folder/build.log" cmake --build "$folder/build"
  quietly "$folder/install.log" cmake --install "$folder/build"
  touch "$folder/done"
}
