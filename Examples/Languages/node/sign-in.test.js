"use strict";
// A person's whole way through an app: sign in, get mail, stop using it.

const assert = require("node:assert");
const { after, before, test } = require("node:test");
const { App } = require("./app.js");
const { Siwa } = require("./siwa.js");

let app, siwa;

before(async () => {
  app = await App.start();
  const urls = { returnURL: `${app.url}/callback`, notificationURL: `${app.url}/notifications` };
  siwa = await Siwa.start(urls);
  app.connect(siwa);
});

after(() => {
  siwa.stop();
  app.close();
});

test("a person signs in, gets mail and leaves", async () => {
  await siwa.decide("continue", { email: "hide" });
  const user = await app.redeem((await siwa.answer()).code);
  assert.match(user.email, /@privaterelay\.appleid\.com$/);

  await app.write(user.email, "Welcome");
  assert.deepEqual((await siwa.mail()).map((mail) => mail.subject), ["Welcome"]);

  await siwa.stopUsing();
  const event = await app.nextNotification();
  assert.deepEqual([event.type, event.sub], ["consent-revoked", user.sub]);
});

test("a person cancels", async () => {
  await siwa.decide("cancel");
  assert.equal((await siwa.answer()).error, "user_cancelled_authorize");
});

test("other tests at the same emulator see none of this", async () => {
  await siwa.post("/signing-keys/rotate", { keep_old: false });
  await siwa.post("/faults", { endpoint: "keys", status: 503 });
  assert.equal((await fetch(`${siwa.apple}/auth/keys`)).status, 503);
  const { keys } = await (await fetch(`${siwa.apple}/auth/keys`)).json();
  const current = (await siwa.call("GET", "/state")).signing_keys;
  assert.deepEqual(keys.map((key) => key.kid), current);

  await app.write("maya@example.com", siwa.clientID);
  const { messages } = await siwa.call("GET", "/mail?person=maya@example.com");
  assert.deepEqual(messages.map((mail) => mail.subject), [siwa.clientID]);

  await siwa.decide("cancel");
  assert.equal((await siwa.answer()).error, "user_cancelled_authorize");
});
