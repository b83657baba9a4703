import { expect, signInOnSheet, test } from "siwa-emulator/playwright";

test.use({ appleURLs: { returnURL: "http://127.0.0.1:3000/callback" } });

test("a person signs in on the sheet", async ({ page, apple }) => {
  await page.goto(apple.authorizeURL());
  await signInOnSheet(page, apple, "hide");
  await expect(page).toHaveURL(apple.returnURL);
});
