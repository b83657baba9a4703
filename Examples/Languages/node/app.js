"use strict";
// What a server does for Sign in with Apple, with jose. In your tests, your server takes this place.

const { createPrivateKey } = require("node:crypto");
const { on, once } = require("node:events");
const { createServer } = require("node:http");
const { connect } = require("node:net");
const { createInterface } = require("node:readline");
const { createRemoteJWKSet, jwtVerify, SignJWT } = require("jose");

const issuer = "https://appleid.apple.com";

/** A server that listens on a port of its own. */
class App {
  #server = createServer((request, response) => this.#receive(request, response));
  #received = on(this.#server, "received");

  static async start() {
    const app = new App();
    await once(app.#server.listen(0, "127.0.0.1"), "listening");
    app.url = `http://127.0.0.1:${app.#server.address().port}`;
    return app;
  }

  /** Points the server at Apple's addresses, and gives it what the developer portal gives. */
  connect(apple) {
    this.apple = apple;
    this.keys = createRemoteJWKSet(new URL(`${apple.url}/auth/keys`));
  }

  /** Exchanges a code; the claims of the verified identity token. */
  async redeem(code) {
    const body = new URLSearchParams({
      client_id: this.apple.clientID,
      client_secret: await this.#clientSecret(),
      code,
      grant_type: "authorization_code",
      redirect_uri: this.apple.returnURL,
    });
    const answer = await fetch(`${this.apple.url}/auth/token`, { method: "POST", body });
    const { id_token: token, error } = await answer.json();
    if (error) throw new Error(error);
    return this.#verify(token, this.apple.clientID);
  }

  /** The event of the next notification that Apple posts, verified. */
  async nextNotification() {
    const { value } = await this.#received.next();
    const claims = await this.#verify(JSON.parse(value[0]).payload, this.apple.appID);
    return JSON.parse(claims.events);
  }

  /** Writes to a person, through Apple's relay if they hid their address. */
  async write(address, subject) {
    const [host, port] = this.apple.smtp.split(":");
    const from = `hello@${this.apple.mailDomain}`;
    const socket = connect(Number(port), host);
    const replies = createInterface(socket)[Symbol.asyncIterator]();
    const expect = async (code) => {
      const { value: reply } = await replies.next();
      if (!reply.startsWith(code)) throw new Error(reply);
    };
    await expect("220");
    for (const [line, code] of [
      ["HELO app.example.com", "250"],
      [`AUTH PLAIN ${btoa(`\0${this.apple.smtpUser}\0any`)}`, "235"],
      [`MAIL FROM:<${from}>`, "250"],
      [`RCPT TO:<${address}>`, "250"],
      ["DATA", "354"],
      [`From: ${from}\r\nTo: ${address}\r\nSubject: ${subject}\r\n\r\nHello.\r\n.`, "250"],
      ["QUIT", "221"],
    ]) {
      socket.write(`${line}\r\n`);
      await expect(code);
    }
    socket.end();
  }

  close() {
    this.#server.close();
  }

  #clientSecret() {
    return new SignJWT({})
      .setProtectedHeader({ alg: "ES256", kid: this.apple.keyID })
      .setIssuer(this.apple.teamID)
      .setSubject(this.apple.clientID)
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(createPrivateKey(this.apple.privateKey));
  }

  async #verify(token, audience) {
    const { payload } = await jwtVerify(token, this.keys, { issuer, audience });
    return payload;
  }

  async #receive(request, response) {
    let body = "";
    for await (const part of request) body += part;
    response.end();
    this.#server.emit("received", body);
  }
}

module.exports = { App };
