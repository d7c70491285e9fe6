# SPDX-License-Identifier: MIT
# `./dev coverage`: which lines of include/ and python/ the tests run, those of users and all; a part of ./dev.
# C++ is counted by gcov in a build of its own, Python by coverage.py, in processes that the tests start, too.

readonly coverage_work=build/covered

coverage() {
  local group=${1:+all}
  install_python "${group:-test}"
  install_group coverage
  [ -z "$group" ] || install_validators "$venv"
  rm -rf $coverage_work
  mkdir -p $coverage_work
  build coverage
  [ -z "$group" ] || build coverage bankhook_all
  find build/coverage -name '*.gcda' -delete
  covered_by user -LE all -- -m "not ($beyond_users)"
  [ -z "$group" ] || covered_by all -L all -- -m "$beyond_users"
  "$venv/bin/python" tools/covered.py $coverage_work
}

# covered_by TIER CTEST-ARGUMENTS... -- PYTEST-ARGUMENTS...: what they cover, beside what ran before. A test that fails shows above.
covered_by() {
  local tier=$1 labels=("$2" "$3")
  shift 4
  ctest --preset coverage -j "$jobs" "${labels[@]}" | sed '/^ *Start /d' || true
  "$venv/bin/python" -m gcovr --merge-lines -r . --filter include/ --json-summary $coverage_work/cpp-$tier.json build/coverage
  COVERAGE_FILE=$PWD/$coverage_work/python "$venv/bin/python" -m coverage run -m pytest -q -n "$jobs" --dist=loadfile --timeout=900 "$@" || true
  COVERAGE_FILE=$PWD/$coverage_work/python "$venv/bin/python" -m coverage combine -q --append
  COVERAGE_FILE=$PWD/$coverage_work/python "$venv/bin/python" -m coverage json -q -o $coverage_work/python-$tier.json
}
