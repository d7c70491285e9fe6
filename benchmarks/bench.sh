# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# `./dev bench`: builds and runs the benchmarks. Sourced by ./dev, whose functions it uses.

bench() {
  local compilers=gcc flags=native suite= python= tables= questions= receiver= inbox= spark= kafka= compile_time= complexity= options=() again=()
  while [ $# -gt 0 ]; do
    case $1 in
      --baseline) flags=baseline again+=("$1") ;;
      --compiler)
        compilers=${2:-}
        again+=("$1" "$compilers")
        [ $# -lt 2 ] || shift
        ;;
      --suite)
        [ $# -ge 2 ] || wrong_usage "bench: --suite takes a name, e.g. sid"
        suite=$2
        shift
        ;;
      --all | --check) options+=("$1") again+=("$1") ;;
      --python) python=yes ;;
      --tables) tables=yes ;;
      --questions) questions=yes ;;
      --receiver) receiver=yes ;;
      --inbox) inbox=yes ;;
      --spark) spark=yes ;;
      --kafka) kafka=yes ;;
      --compile-time) compile_time=yes ;;
      --complexity) complexity=yes ;;
      --) shift && break ;;
      *) wrong_usage "bench: no such option: $1" ;;
    esac
    shift
  done
  if [ -n "$python" ]; then
    bench_python python benchmarks/python "$@"
    return
  fi
  if [ -n "$tables" ]; then
    POLARS_MAX_THREADS=1 OMP_NUM_THREADS=1 PYTHONPATH=benchmarks/python bench_python tables "-m tables" "$@"
    return
  fi
  local name=${complexity:+complexity}${questions:+questions}
  if [ -n "$name" ]; then
    need_packages g++ cmake ninja-build python3-venv python3-dev
    install_python all
    local results=
    [ $# -gt 0 ] || results=$(results_of "$name")
    PYTHONPATH=tests:benchmarks/python "$venv/bin/python" -m "$name" --made="$(made)" ${results:+--results="$results"} "$@"
    return
  fi
  if [ -n "$receiver" ]; then
    need_packages g++ cmake ninja-build python3-venv python3-dev wrk postgresql
    install_python all
    PYTHONPATH=tests:benchmarks/python "$venv/bin/python" -m receiving "$@"
    return
  fi
  if [ -n "$inbox" ]; then
    need_packages g++ cmake ninja-build python3-venv python3-dev postgresql
    install_python all
    PYTHONPATH=tests:benchmarks/python "$venv/bin/python" -m receiving.filled "$@"
    return
  fi
  if [ -n "$spark" ]; then
    need_packages g++ cmake ninja-build default-jre-headless python3-venv python3-dev
    install_python all
    "$venv/bin/python" benchmarks/spark "$@"
    return
  fi
  if [ -n "$kafka" ]; then
    need_packages g++ cmake ninja-build default-jre-headless maven python3-venv python3-dev wrk
    install_python all
    PYTHONPATH=tests:benchmarks/python "$venv/bin/python" -m receiving.kafka "$@"
    return
  fi
  if [ -n "$compile_time" ]; then
    need_peers
    need_packages clang-19 python3
    python3 benchmarks/compile_time.py "$@"
    return
  fi
  case $compilers in
    gcc | clang) ;;
    all) compilers="gcc clang" flags="native baseline" ;;
    *) wrong_usage "bench: --compiler takes gcc, clang or all" ;;
  esac
  if [ -n "$suite" ]; then
    BANKHOOK_MADE=$(made) tools/suite "$suite" ./dev bench "${again[@]}" -- "$@"
    return
  fi
  need_peers
  [[ $compilers != *clang* ]] || need_packages clang-19
  local compiler flag failed=0
  for compiler in $compilers; do
    for flag in $flags; do
      bench_build "$compiler-$flag" "${options[@]}" "$@" || failed=1
    done
  done
  return $failed
}

# bench_python NAME PROGRAM ARGUMENTS...: what is measured in Python, and its results where all of it runs.
bench_python() {
  local name=$1 program=$2 results=
  shift 2
  need_packages g++ cmake ninja-build python3-venv python3-dev
  install_python all
  [ $# -gt 0 ] || results=$(results_of "$name")
  g++ -std=c++23 -O2 benchmarks/python/varying.cpp -o build/varying
  # shellcheck disable=SC2086 # the program may be a module: two words
  "$venv/bin/python" $program --varying=build/varying --made="$(made)" ${results:+--results="$results"} "$@"
  [ "$results" != benchmarks/results/python ] || python3 benchmarks/headline.py README.md
}

# bench_build NAME ARGUMENTS...: one build of the benchmarks, and its results where all of them run.
bench_build() {
  local name=$1 results=
  shift
  [[ "$*" == *--filter* ]] || results=$(results_of "$name${BANKHOOK_SUITE:+-$BANKHOOK_SUITE}")
  build "bench-$name" bankhook_benchmarks || return 1
  "build/bench-$name/benchmarks/bankhook_benchmarks" --archives=build/archives --made="$(made)" \
    ${results:+--results="$results"} "$@" || return 1
  [ "$results" != benchmarks/results/gcc-native ] || python3 benchmarks/headline.py README.md
}

# When it is measured, and which state of the sources: "-dirty" where they differ from the commit. Results and README may:
# a run writes them. Another suite's system has no git, and is given the answer.
made() {
  [ -z "${BANKHOOK_MADE:-}" ] || { printf %s "$BANKHOOK_MADE" && return; }
  date -u +%F | tr -d '\n'
  local commit
  commit=$(git rev-parse --short HEAD 2>/dev/null) || return 0
  printf ', commit %s' "$commit"
  [ -z "$(git status --porcelain -- . ':!benchmarks/results' ':!README.md')" ] || printf -- '-dirty'
}

# results_of NAME: where a page goes; into the repository only if it is of a commit.
results_of() {
  local folder=benchmarks/results
  if [[ $(made) == *-dirty ]]; then
    folder=build/results
    mkdir -p "$folder"
    echo "bench: the sources are changed, so the results go to $folder" >&2
  fi
  echo "$folder/$1"
}

# The libraries that the codec is measured beside; the last ones only where the system has them.
need_peers() {
  need_packages g++ cmake ninja-build python3 libsimdjson-dev rapidjson-dev nlohmann-json3-dev
  local boost package
  boost=$(apt-cache pkgnames libboost-json | grep -xE 'libboost-json(1\.[0-9]+)?-dev' | sort | head -n 1)
  need_packages "${boost:-libboost-json-dev}"
  for package in libyyjson-dev libglaze-dev; do
    ! apt-cache show "$package" >/dev/null 2>&1 || need_packages "$package"
  done
}
