"use strict";
// Checks access tokens of the accounts server, with Node's own library. Copy both classes into your service.

const { createPublicKey, verify } = require("node:crypto");
const { createInterface } = require("node:readline");

/** The accounts server does not publish its keys now: respond with 503, not with 401. */
class KeysUnavailable extends Error {}

/**
 * Fetches the keys after 300 seconds, and for an unknown key, but not twice in 10 seconds.
 * Checks wait for a fetch. After a failed one they use the last keys, up to 24 hours old.
 */
class AccessTokens {
  #keys = new Map();
  #fetchedAt = -Infinity;
  #triedAt = -Infinity;
  #hasFailed = false;
  #fetching;

  constructor(issuer, audience, clock = () => performance.now() / 1000) {
    this.issuer = issuer;
    this.audience = audience;
    this.clock = clock;
  }

  /** The claims of a valid token; throws KeysUnavailable, or another error for any other token. */
  async check(token) {
    const [head, body, signature, ...rest] = token.split(".");
    if (signature === undefined || rest.length > 0) throw new Error("it is not a JWT");
    const [header, claims] = [head, body].map((part) => JSON.parse(Buffer.from(part, "base64url")));
    // RFC 9068, section 4: an identity token must not pass for an access token.
    if (typeof header?.typ !== "string" || header.typ.toLowerCase() !== "at+jwt") throw new Error("it is not an access token");
    if (header.alg !== "ES256" || header.crit) throw new Error("it is not signed with ES256");
    const key = { key: await this.#key(header.kid), dsaEncoding: "ieee-p1363" };
    if (!verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"))) {
      throw new Error("its signature is not valid");
    }
    if (claims.iss !== this.issuer) throw new Error("it has another issuer");
    if (![claims.aud].flat().includes(this.audience)) throw new Error("it is for another audience");
    if (!(Number.isFinite(claims.exp) && claims.exp + 60 > Date.now() / 1000)) throw new Error("it has expired");
    if (!claims.sub) throw new Error("it has no account");
    return claims;
  }

  async #key(keyID) {
    const now = this.clock();
    if (now > this.#fetchedAt + 86_400) this.#keys = new Map();
    const isDue = now > this.#fetchedAt + 300;
    const isKnown = this.#keys.has(keyID);
    // Anyone can invent a key, hence the pause.
    if ((isDue || !isKnown) && now > this.#triedAt + 10 && !this.#fetching) {
      this.#triedAt = now;
      this.#fetching = this.#fetch();
    }
    if (!isKnown || (isDue && !this.#hasFailed)) await this.#fetching;
    if (this.#keys.has(keyID)) return this.#keys.get(keyID);
    if (this.#hasFailed) throw new KeysUnavailable("the accounts server does not publish its keys now");
    throw new Error("its key is unknown");
  }

  async #fetch() {
    try {
      const response = await fetch(`${this.issuer}/.well-known/jwks.json`, { signal: AbortSignal.timeout(5_000) });
      const found = (await response.json()).keys.filter((key) => response.ok && key.crv === "P-256");
      if (found.length === 0) throw new Error(`status ${response.status}, no key`);
      this.#keys = new Map(found.map((key) => [key.kid, createPublicKey({ key, format: "jwk" })]));
      this.#fetchedAt = this.clock();
      this.#hasFailed = false;
    } catch (error) {
      console.error(`the keys of the accounts server: ${error.message}`);
      this.#hasFailed = true;
    } finally {
      this.#fetching = undefined;
    }
  }
}

// Prints the account of each token on standard input, with the line's number. +300 moves the clock of the keys.
function main() {
  let number = 0;
  let moved = 0;
  const tokens = new AccessTokens(...process.argv.slice(2, 4), () => performance.now() / 1000 + moved);
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const ownNumber = ++number;
    if (line.startsWith("+")) {
      moved += Number(line);
      return;
    }
    const answer = await tokens.check(line.trim()).then(
      (claims) => claims.sub,
      (error) => `${error instanceof KeysUnavailable ? "unavailable" : "refused"}: ${error.message}`,
    );
    console.log(`${ownNumber} ${answer}`);
  });
}

if (require.main === module) main();

module.exports = { AccessTokens, KeysUnavailable };
