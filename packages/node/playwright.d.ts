import type {
  Page,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from "@playwright/test";
import type { Apple, Emulator, ServerURLs } from "./index";

export { expect } from "@playwright/test";

export interface AppleFixtures {
  /** Set it with `use` to where your server is. */
  appleURLs: ServerURLs;
  /** An Apple for one test. */
  apple: Apple;
}

export interface AppleWorkerFixtures {
  /** The emulator of one worker, or its world. */
  appleEmulator: Emulator;
}

export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & AppleFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & AppleWorkerFixtures
>;

/**
 * Signs the person in on the sheet that the page shows, and presses Continue.
 *
 * `email` is the choice of a person who is new to the app; with null it stays as it is.
 */
export function signInOnSheet(page: Page, apple: Apple, email?: "hide" | "share" | null): Promise<void>;
