#!/usr/bin/env node
"use strict";
// Runs `siwa emulator` with the arguments of this command.

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { findProgram } = require("../index.js");

function fail(error) {
  console.error(`siwa-emulator: ${error.message}`);
  process.exit(1);
}

function run() {
  const emulator = spawn(findProgram(), ["emulator", ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => emulator.kill(signal));
  emulator.on("error", fail);
  emulator.on("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
}

try {
  run();
} catch (error) {
  fail(error);
}
