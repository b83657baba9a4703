"use strict";
// A person's whole way through an app: sign in, get mail, stop using it.

const assert = require("node:assert");
const { after, before, test } = require("node:test");
const { startApple } = require("siwa-emulator");
const { App } = require("./app.js");

let app, apple;

before(async () => {
  app = await App.start();
  const urls = { returnURL: `${app.url}/callback`, notificationURL: `${app.url}/notifications` };
  apple = await startApple(urls);
  app.connect(apple);
});

after(async () => {
  await apple.stop();
  app.close();
});

test("a person signs in, gets mail and leaves", async () => {
  await apple.decide("continue", { email: "hide" });
  const user = await app.redeem((await apple.answer()).code);
  assert.match(user.email, /@privaterelay\.appleid\.com$/);

  await app.write(user.email, "Welcome");
  assert.deepEqual((await apple.mail()).map((mail) => mail.subject), ["Welcome"]);

  await apple.stopUsing();
  const event = await app.nextNotification();
  assert.deepEqual([event.type, event.sub], ["consent-revoked", user.sub]);
});

test("a person cancels", async () => {
  await apple.decide("cancel");
  assert.equal((await apple.answer()).error, "user_cancelled_authorize");
});

test("other tests at the same emulator see none of this", async () => {
  await apple.post("/signing-keys/rotate", { keep_old: false });
  await apple.post("/faults", { endpoint: "keys", status: 503 });
  assert.equal((await fetch(`${apple.url}/auth/keys`)).status, 503);
  const { keys } = await (await fetch(`${apple.url}/auth/keys`)).json();
  const current = (await apple.get("/state")).signing_keys;
  assert.deepEqual(keys.map((key) => key.kid), current);

  await app.write("maya@example.com", apple.clientID);
  const { messages } = await apple.get("/mail?person=maya@example.com");
  assert.deepEqual(messages.map((mail) => mail.subject), [apple.clientID]);

  await apple.decide("cancel");
  assert.equal((await apple.answer()).error, "user_cancelled_authorize");
});
