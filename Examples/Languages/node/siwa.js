"use strict";
// Starts or finds the emulator of Sign in with Apple: copy this file beside your tests.

const { spawn } = require("node:child_process");
const { randomBytes } = require("node:crypto");
const { once } = require("node:events");
const { createInterface } = require("node:readline");

/** Where the emulator is: at SIWA_CONTROL_URL, or started; `stop` ends what was started. */
async function findAddresses() {
  const control = process.env.SIWA_CONTROL_URL;
  if (control) {
    // Others may use it too: these tests have a world of their own there.
    const world = await (await fetch(`${control}/worlds`, { method: "POST", body: "{}" })).json();
    const apple = process.env.SIWA_APPLE_URL;
    const addresses = {
      apple: apple ? apple + world.path : world.apple_url,
      control: control + world.path,
      smtp: process.env.SIWA_SMTP ?? world.smtp,
      smtpUser: world.smtp_user,
    };
    const stop = () => fetch(`${control}/worlds/${world.world}`, { method: "DELETE" });
    return [addresses, stop];
  }
  const ports = ["--port", "0", "--control-port", "0", "--smtp-port", "0"];
  const emulator = spawn(process.env.SIWA_BINARY ?? "siwa", ["emulator", "--json", ...ports], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(emulator.stdout), "line");
  return [JSON.parse(line), () => emulator.kill()];
}

/** An emulated Apple, with a team, a key, an app, a Services ID and a person that no other test has. */
class Siwa {
  static async start({ returnURL, notificationURL }) {
    const siwa = new Siwa();
    const [addresses, stop] = await findAddresses();
    Object.assign(siwa, { smtpUser: "tests" }, addresses, { stop, returnURL });
    await siwa.register(notificationURL);
    return siwa;
  }

  async register(notificationURL) {
    const name = randomBytes(4).toString("hex");
    const team = { team_id: `TE${name.toUpperCase()}` };
    this.teamID = team.team_id;
    this.appID = `com.example.${name}`;
    this.clientID = `${this.appID}.web`;
    this.mailDomain = `${name}.example.com`;
    this.person = `maya-${name}@example.com`;
    await this.post("/teams", team);
    const key = await this.post("/keys", team);
    this.keyID = key.key_id;
    this.privateKey = key.private_key_pem;
    await this.post("/apps", { ...team, client_id: this.appID, notification_url: notificationURL });
    await this.post("/services", {
      client_id: this.clientID,
      primary_client_id: this.appID,
      return_urls: [this.returnURL],
    });
    await this.post("/mail-sources", { ...team, domain: this.mailDomain });
    await this.post("/people", { email: this.person, given_name: "Maya" });
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
    return `${this.apple}/auth/authorize?${new URLSearchParams({ ...usual, ...changes })}`;
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
    return (await this.call("GET", `/mail?person=${this.person}`)).messages;
  }

  /** Changes something at the control port. */
  post(path, fields) {
    return this.call("POST", path, JSON.stringify(fields));
  }

  async call(method, path, body) {
    const response = await fetch(this.control + path, { method, body });
    const text = await response.text();
    // The problem details name the field that is wrong.
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text ? JSON.parse(text) : undefined;
  }
}

module.exports = { Siwa };
