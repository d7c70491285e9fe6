# SPDX-License-Identifier: MIT
# Runs libFuzzer on each target of targets.hpp in turn, from the kept corpus and from what earlier runs have in build/fuzz/.
# Read by ./dev, whose working directory is the repository.

# fuzz MINUTES: as many in all.
fuzz() {
  local targets target seconds failed=0 work=build/fuzz
  targets=$(ls tests/fuzz/corpus)
  seconds=$(($1 * 60 / $(wc -w <<<"$targets")))
  mkdir -p $work
  say_step "compiling the targets, a minute"
  clang++-19 -std=c++23 -O1 -g1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
    -Iinclude -Itests -Ibenchmarks -DBANKHOOK_TEST_DATA='"tests/data"' -DBANKHOOK_CONFORMANCE='""' \
    tests/fuzz/libfuzzer.cpp -o $work/fuzzer
  for target in $targets; do
    mkdir -p $work/"$target"
    if ! BANKHOOK_FUZZ=$target $work/fuzzer -dict=tests/fuzz/dictionary.txt -max_total_time=$seconds -timeout=25 \
      -max_len=4096 -print_funcs=0 -print_final_stats=1 -artifact_prefix="$work/$target-" \
      $work/"$target" tests/fuzz/corpus/"$target" tests/data/valid tests/data/broken_rules &>$work/"$target.log"; then
      failed=1
      grep -aE "^$target: |^SUMMARY|Test unit written" $work/"$target.log" || tail -n 20 $work/"$target.log"
    fi
    echo "$target: $(sed -n 's/stat::number_of_executed_units: *//p' $work/"$target.log") executions"
  done
  return $failed
}
