"use strict";
// Fixtures for Playwright Test: each worker has an emulator or a world, and each test an Apple in it.

const { test: base, expect } = require("@playwright/test");
const { Apple, findEmulator } = require("./index.js");

const test = base.extend({
  appleEmulator: [
    async ({}, use) => {
      const emulator = await findEmulator();
      await use(emulator);
      await emulator.stop();
    },
    { scope: "worker" },
  ],
  appleURLs: [{}, { option: true }],
  apple: async ({ appleEmulator, appleURLs }, use) => {
    await use(await Apple.register(appleEmulator, appleURLs));
  },
});

/** Signs the person in on the sheet that the page shows, and presses Continue. */
async function signInOnSheet(page, apple, email = "hide") {
  await page.fill("[name=email]", apple.person);
  await page.fill("[name=password]", apple.password);
  await page.click("button[value=sign-in]");
  await page.fill("[name=code]", await page.innerText("#shown-code"));
  await page.click("button[value=two-factor]");
  if (email) await page.check(`[name=email_choice][value=${email}]`);
  await page.click("button[value=continue]");
}

module.exports = { expect, signInOnSheet, test };
