# SPDX-License-Identifier: MIT
# Portability: one program, built in every configuration that a user may have, prints the same sums in all of them.
# Read by ./dev, whose working directory is the repository.

readonly matrix_work=build/matrix
readonly matrix_program=tests/consumer/round_trip.cpp
readonly matrix_flags="-std=c++23 -O0 -Iinclude -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Wswitch-enum -Werror"

readonly wine=/usr/lib/wine/wine64

# A name, then the compiler and its additional options, each pair of which is in some row; clang with its own options alone is
# what the sanitizers' build is. All others must print what the first one prints.
matrix_rows() {
  cat <<'TEXT'
gcc: g++ -Wuseless-cast
gcc-no-exceptions-avx2: g++ -mavx2 -fno-exceptions -fno-rtti
gcc-debug-unsigned-char: g++ -D_GLIBCXX_DEBUG -D_GLIBCXX_DEBUG_PEDANTIC -funsigned-char
gcc-c++26: g++ -std=c++26
gcc-c++26-reflection: g++ -std=c++26 -freflection
gcc-plain-sanitized: g++ -U__SSE2__ -fsanitize=undefined -fno-sanitize-recover=all -Wno-maybe-uninitialized
gcc-aarch64: aarch64-linux-gnu-g++ -static
gcc-i686: i686-linux-gnu-g++ -static -Wuseless-cast
gcc-s390x: s390x-linux-gnu-g++ -static
gcc-windows: x86_64-w64-mingw32-g++-posix -static
clang-libc++-c++26: clang++-19 -stdlib=libc++ -std=c++26 -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_DEBUG
clang-libc++-no-exceptions: clang++-19 -stdlib=libc++ -fno-exceptions -fno-rtti
clang-c++26-no-exceptions: clang++-19 -std=c++26 -fno-exceptions -fno-rtti
clang-module: clang++-19 -DIMPORT_BANKHOOK -fprebuilt-module-path=build/matrix/clang-module
TEXT
}

run_matrix() {
  local from=$SECONDS names name failed=0
  names=$(matrix_rows | cut -d: -f1)
  rm -rf "$matrix_work"
  mkdir -p "$matrix_work"
  xargs -P "$jobs" -I{} bash -c 'source tests/consumer/matrix.sh && matrix_row {}' <<<"$names" || failed=1
  for name in $names; do
    [ -e "$matrix_work/$name/skipped" ] || diff "$matrix_work/gcc/printed" "$matrix_work/$name/printed" || failed=1
  done
  cat "$matrix_work/gcc/printed"
  [ $failed -eq 0 ] || return 1
  echo "$(count_files printed) passed, $(count_files skipped) skipped in $((SECONDS - from))s"
}

# matrix_row NAME: builds the program in this configuration and runs it on the payloads of the tests.
matrix_row() {
  local work=$matrix_work/$1 compiler options compile
  mkdir -p "$work"
  read -r compiler options <<<"$(matrix_rows | sed -n "s/^$1: //p")"
  read -r -a compile <<<"$compiler $matrix_flags $options"
  if ! "${compile[@]}" -fsyntax-only -x c++ /dev/null 2>"$work/log"; then
    echo "skipped: $1: the compiler is not installed or does not take these options"
    mv "$work/log" "$work/skipped"
  elif [[ $1 == *-windows ]] && ! in_wine wineboot --init &>"$work/log"; then
    echo "skipped: $1: wine64 is not installed or does not start"
    mv "$work/log" "$work/skipped"
  elif compiles "$1" "${compile[@]}" &>"$work/log" && runs "$1" "$work/program" >"$work/printed" 2>>"$work/log"; then
    echo "passed: $1"
  else
    echo "FAILED: $1: ${compile[*]}"
    cat "$work/log"
    return 1
  fi
}

# compiles NAME COMMAND...: the program, and before it the module that it imports.
compiles() {
  local work=$matrix_work/$1 module=()
  if [[ $1 == *-module ]]; then
    module=("$work/bankhook.pcm")
    "${@:2}" --precompile -x c++-module cmake/bankhook.cppm -o "${module[0]}" || return 1
  fi
  "${@:2}" "$matrix_program" "${module[@]}" -o "$work/program"
}

# runs NAME PROGRAM: one for another processor runs in an emulator; one for instructions that this processor lacks does not run.
runs() {
  case $1 in
    *-aarch64) qemu-aarch64 "$2" tests/data ;;
    *-i686) qemu-i386 "$2" tests/data ;;
    *-s390x) qemu-s390x "$2" tests/data ;;
    *-windows) (set -o pipefail && in_wine "$2.exe" tests/data | tr -d '\r') ;;
    *-avx2) if grep -qw avx2 /proc/cpuinfo; then "$2" tests/data; else qemu-x86_64 -cpu max "$2" tests/data; fi ;;
    *) "$2" tests/data ;;
  esac
}

# Wine makes a folder of its own when it first starts, and says so where errors are printed.
in_wine() { WINEDEBUG=-all WINEPREFIX=$PWD/$matrix_work/wine "$wine" "$@"; }

count_files() { find "$matrix_work" -name "$1" | wc -l; }
