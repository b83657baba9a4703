"use strict";
// Checks an access token of the accounts server, with Node's own library. Copy AccessTokens into your service.

const { createPublicKey, verify } = require("node:crypto");
const { readFileSync } = require("node:fs");

class AccessTokens {
  #keys = new Map();
  #fetchedAt = -Infinity;

  constructor(issuer, audience) {
    this.issuer = issuer;
    this.audience = audience;
  }

  /** The claims of a valid token; throws for any other. */
  async check(token) {
    const [head, body, signature, ...rest] = token.split(".");
    if (signature === undefined || rest.length > 0) throw new Error("it is not a JWT");
    const [header, claims] = [head, body].map((part) => JSON.parse(Buffer.from(part, "base64url")));
    // RFC 9068, section 4: an identity token must not pass for an access token.
    if (header.typ?.toLowerCase() !== "at+jwt") throw new Error("it is not an access token");
    if (header.alg !== "ES256" || header.crit) throw new Error("it is not signed with ES256");
    const key = { key: await this.#key(header.kid), dsaEncoding: "ieee-p1363" };
    if (!verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"))) {
      throw new Error("its signature is not valid");
    }
    if (claims.iss !== this.issuer) throw new Error("it has another issuer");
    if (![claims.aud].flat().includes(this.audience)) throw new Error("it is for another audience");
    if (!(claims.exp > Date.now() / 1000)) throw new Error("it has expired");
    return claims;
  }

  /** Fetches the keys again after 300 seconds; for an unknown key after 10, because anyone can invent one. */
  async #key(keyID) {
    const age = Date.now() - this.#fetchedAt;
    if (age > 300_000 || (age > 10_000 && !this.#keys.has(keyID))) {
      const { keys } = await (await fetch(`${this.issuer}/.well-known/jwks.json`)).json();
      this.#keys = new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: "jwk" })]));
      this.#fetchedAt = Date.now();
    }
    if (!this.#keys.has(keyID)) throw new Error("its key is unknown");
    return this.#keys.get(keyID);
  }
}

if (require.main === module) {
  new AccessTokens(...process.argv.slice(2, 4)).check(readFileSync(0, "utf8").trim()).then(
    (claims) => console.log(claims.sub),
    (error) => {
      console.error(`refused: ${error.message}`);
      process.exitCode = 1;
    },
  );
}

module.exports = { AccessTokens };
