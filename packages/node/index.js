"use strict";
// Starts or finds the emulator of Sign in with Apple, for tests.

const { spawn } = require("node:child_process");
const { randomBytes } = require("node:crypto");
const { once } = require("node:events");
const { accessSync, constants, statSync } = require("node:fs");
const { delimiter, join } = require("node:path");
const { createInterface } = require("node:readline");

/** The path of siwa: from SIWA_BINARY, else in the PATH, else in this package, which has it for one platform. */
function findProgram() {
  const { SIWA_BINARY: named, PATH: path = "" } = process.env;
  if (named) return named;
  const packaged = join(__dirname, "program", `${process.platform}-${process.arch}`, "bin", "siwa");
  const folders = path.split(delimiter).filter(Boolean);
  const found = [...folders.map((folder) => join(folder, "siwa")), packaged].find(isExecutable);
  if (found) return found;
  throw new Error(
    "siwa was not found: SIWA_BINARY is not set, the PATH has no siwa, and this package has no " +
      `${packaged}. Install a siwa-emulator that contains it, or set SIWA_BINARY or SIWA_CONTROL_URL`,
  );
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Where the emulator is: at SIWA_CONTROL_URL, or started; `stop` ends what was started. */
async function findEmulator() {
  const control = process.env.SIWA_CONTROL_URL?.replace(/\/$/, "");
  if (!control) return startEmulator();
  // Others may use it too: these tests have a world of their own there.
  const world = await call(control, "POST", "/worlds", {});
  const apple = process.env.SIWA_APPLE_URL;
  const remove = async () => call(control, "DELETE", `/worlds/${world.world}`);
  return {
    url: apple ? apple + world.path : world.apple_url,
    control: control + world.path,
    smtp: process.env.SIWA_SMTP ?? world.smtp,
    smtpUser: world.smtp_user,
    // After a failure, a CI run reports on the worlds.
    stop: process.env.SIWA_KEEP_WORLDS ? async () => {} : remove,
  };
}

async function startEmulator() {
  const ports = ["--port", "0", "--control-port", "0", "--smtp-port", "0"];
  const emulator = spawn(findProgram(), ["emulator", "--json", ...ports], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(emulator, "spawn");
  const end = () => emulator.kill();
  process.once("exit", end);
  const ended = once(emulator, "exit");
  const lines = createInterface(emulator.stdout);
  const [line] = await Promise.race([once(lines, "line"), ended.then(() => [])]);
  if (!line) throw new Error(`${emulator.spawnfile} ended with status ${emulator.exitCode}`);
  const { apple: url, control, smtp } = JSON.parse(line);
  // A test that fails before it stops the emulator does not keep the process of the tests.
  emulator.unref();
  emulator.stdout.unref();
  const stop = async () => {
    emulator.ref();
    process.off("exit", end);
    end();
    await ended;
  };
  return { url, control, smtp, smtpUser: "tests", stop };
}

/** Sends a request to a control port. */
async function call(control, method, path, fields) {
  const body = fields && JSON.stringify(fields);
  const response = await fetch(control + path, { method, body });
  const text = await response.text();
  // The problem details name the field that is wrong.
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** An emulator for these tests, with an Apple in it; `stop` ends it. */
async function startApple(urls) {
  const emulator = await findEmulator();
  try {
    return await Apple.register(emulator, urls);
  } catch (error) {
    await emulator.stop();
    throw error;
  }
}

/** An emulated Apple, with a team, a key, an app, a Services ID and a person that no other test has. */
class Apple {
  static async register(emulator, { returnURL = "http://127.0.0.1:8080/callback", notificationURL } = {}) {
    const apple = Object.assign(new Apple(), emulator, { returnURL });
    const name = randomBytes(4).toString("hex");
    const team = { team_id: `TE${name.toUpperCase()}` };
    apple.teamID = team.team_id;
    apple.appID = `com.example.${name}`;
    apple.clientID = `${apple.appID}.web`;
    apple.mailDomain = `${name}.example.com`;
    apple.person = `maya-${name}@example.com`;
    apple.password = "apple";
    await apple.post("/teams", team);
    const key = await apple.post("/keys", team);
    apple.keyID = key.key_id;
    apple.privateKey = key.private_key_pem;
    await apple.post("/apps", { ...team, client_id: apple.appID, notification_url: notificationURL });
    await apple.post("/services", {
      client_id: apple.clientID,
      primary_client_id: apple.appID,
      return_urls: [returnURL],
    });
    await apple.post("/mail-sources", { ...team, domain: apple.mailDomain });
    await apple.post("/people", { email: apple.person, given_name: "Maya" });
    return apple;
  }

  [Symbol.asyncDispose]() {
    return this.stop();
  }

  /** Decides what the app's next request to sign in comes to: "continue" or "cancel". */
  decide(decision, choice = {}) {
    return this.post("/authorizations/next", {
      person: this.person,
      client_id: this.clientID,
      decision,
      ...choice,
    });
  }

  /** The address to which your server sends a browser. */
  authorizeURL(changes = {}) {
    const usual = {
      client_id: this.clientID,
      redirect_uri: this.returnURL,
      response_type: "code id_token",
      response_mode: "form_post",
      scope: "name email",
      state: "state-1",
      nonce: "nonce-1",
    };
    return `${this.url}/auth/authorize?${new URLSearchParams({ ...usual, ...changes })}`;
  }

  /** What a browser posts to your server after a decision that was made ahead. */
  async answer(url = this.authorizeURL()) {
    const page = await (await fetch(url)).text();
    const inputs = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    const plain = (text) =>
      text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
    return Object.fromEntries([...inputs].map(([, name, value]) => [name, plain(value)]));
  }

  /** The person stops using the app, as in the settings of the Apple Account. */
  stopUsing() {
    return this.post(`/people/${this.person}/stop-using`, { client_id: this.appID });
  }

  /** The messages in the person's inbox. */
  async mail() {
    return (await this.get(`/mail?person=${this.person}`)).messages;
  }

  /** Reads something at the control port. */
  get(path) {
    return call(this.control, "GET", path);
  }

  /** Changes something at the control port. */
  post(path, fields) {
    return call(this.control, "POST", path, fields);
  }

  /** Removes something at the control port. */
  delete(path) {
    return call(this.control, "DELETE", path);
  }
}

module.exports = { Apple, findEmulator, findProgram, startApple };
